// tsx scripts/sql-types.ts <folder> [--part]
// Compares the types that the server's source asserts for raw SQL with what the tests of the database recorded in <folder>
// (apps/server/test/harness/record-sql.ts). With --part, statements that no test ran are no failure.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Project, ts } from "ts-morph";
import type { Reader, RecordedResult, RecordedStatement, Shape } from "../apps/server/test/harness/record-sql.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const server = join(root, "apps/server");

/** A PostgreSQL type, as in `pg_type`. */
export interface DatabaseType {
  oid: number;
  name: string;
  element: number;
  isArray: boolean;
  labels: string[] | null;
}

/** Typed statements that no database test runs, by file and function, each with the reason. */
const UNTESTED: Readonly<Record<string, string>> = {
  "cli/lib/command.ts › withBackupRuns": "commands run as processes of their own",
  "cli/lib/backups.ts › hotelsIn": "commands run as processes of their own",
};

/** Files that run the statements of their callers. */
const WRAPPERS = /\/(hotel-database|watch|long-reads)\.ts$/;

/** The JavaScript type of a PostgreSQL type's values. Types that aren't listed are read as strings. */
const VALUES: Readonly<Record<string, Value | Record<Reader, Value>>> = {
  int2: "number",
  int4: "number",
  oid: "number",
  float4: "number",
  float8: "number",
  int8: { plain: "string", pg: "string", prisma: "bigint" },
  numeric: { plain: "string", pg: "string", prisma: "Decimal" },
  bool: "boolean",
  timestamptz: { plain: "string", pg: "Date", prisma: "Date" },
  timestamp: "Date",
  date: "Date",
  bytea: "Uint8Array",
};
type Value = "string" | "number" | "bigint" | "boolean" | "Date" | "Decimal" | "Uint8Array";

interface Problem {
  path: string;
  message: string;
}

/** Compares a row type with one recorded result and returns the differences. */
export function compareRow(
  checker: ts.TypeChecker,
  row: ts.Type,
  { columns, reader }: RecordedResult,
  types: ReadonlyMap<number, DatabaseType>,
): Problem[] {
  const problems: Problem[] = [];
  const add = (path: string, message: string): void => {
    problems.push({ path, message });
  };
  const properties = new Map(checker.getPropertiesOfType(row).map((property) => [property.name, property]));
  const any = checker.getIndexTypeOfType(row, ts.IndexKind.String);
  const names = columns.map(({ name }) => name);
  for (const [name, { flags }] of properties) {
    if (!names.includes(name) && (flags & ts.SymbolFlags.Optional) === 0) add(name, "is in the type and not selected");
  }
  for (const [index, { name, oid, shape }] of columns.entries()) {
    const property = properties.get(name);
    if (names.indexOf(name) !== index) add(name, "is selected twice");
    const type = property ? checker.getTypeOfSymbol(property) : any;
    if (type) compareColumn(type, name, oid, shape);
    else add(name, "is selected and not in the type");
  }
  return problems;

  function compareColumn(type: ts.Type, path: string, oid: number, shape: Shape): void {
    if (isOpen(type)) return;
    const asserted = checker.typeToString(type);
    if (shape.kinds.includes("null") && !members(type).some(isNull))
      add(path, `came as null, and the type is ${asserted}`);
    const databaseType = types.get(oid);
    if (!databaseType) throw new Error(`${path} has the type ${oid}, which pg_type lacks`);
    const present = members(type).filter((member) => !isNull(member) && !isUndefined(member));
    if (databaseType.name === "json" || databaseType.name === "jsonb") {
      compareShape(type, path, shape);
      return;
    }
    if (databaseType.isArray) {
      const element = types.get(databaseType.element);
      for (const member of present) {
        const inner = elementOf(member);
        if (inner) compareColumn(inner, `${path}[]`, databaseType.element, shape.elements ?? { kinds: [] });
        else add(path, `is ${element?.name}[], and the type is ${asserted}`);
      }
      return;
    }
    const listed = VALUES[databaseType.name] ?? "string";
    const value = typeof listed === "string" ? listed : listed[reader];
    for (const member of present) {
      if (!isValue(member, value)) {
        add(path, `is ${databaseType.name}, which comes as ${value}, and the type is ${asserted}`);
        return;
      }
    }
    if (value === "string") compareTexts(present, path, databaseType.labels, shape.texts ?? [], asserted);
  }

  function compareTexts(
    present: readonly ts.Type[],
    path: string,
    labels: readonly string[] | null,
    texts: readonly string[],
    asserted: string,
  ): void {
    if (!present.every((member) => member.isStringLiteral())) return;
    const literals = present.map((member) => (member as ts.StringLiteralType).value);
    const other = texts.find((text) => !literals.includes(text));
    if (other !== undefined) add(path, `came as "${other}", and the type is ${asserted}`);
    const wrong = labels && literals.find((literal) => !labels.includes(literal));
    if (wrong) add(path, `is never "${wrong}", and the type is ${asserted}`);
  }

  function compareShape(type: ts.Type, path: string, shape: Shape): void {
    if (isOpen(type)) return;
    const asserted = checker.typeToString(type);
    const all = members(type);
    const present = all.filter((member) => !isNull(member) && !isUndefined(member));
    const isFitting: Readonly<Record<string, (member: ts.Type) => boolean>> = {
      null: isNull,
      string: (member) => isValue(member, "string"),
      number: (member) => isValue(member, "number"),
      boolean: (member) => isValue(member, "boolean"),
      array: (member) => elementOf(member) !== null,
      object: isObject,
    };
    for (const kind of shape.kinds) {
      if (!all.some((member) => isFitting[kind]?.(member))) add(path, `came as ${kind}, and the type is ${asserted}`);
    }
    const strings = present.filter((member) => isValue(member, "string"));
    if (strings.length > 0) compareTexts(strings, path, null, shape.texts ?? [], asserted);
    const arrays = present.map(elementOf).filter((element) => element !== null);
    if (shape.elements && arrays.length === 1 && arrays[0]) compareShape(arrays[0], `${path}[]`, shape.elements);
    const objects = present.filter(isObject);
    if (!shape.properties || objects.length === 0) return;
    const isOne = objects.length === 1;
    for (const [name, { shape: inner }] of Object.entries(shape.properties)) {
      const candidates = objects.flatMap((object) => {
        const property = checker.getPropertyOfType(object, name);
        const index = checker.getIndexTypeOfType(object, ts.IndexKind.String);
        return property ? [checker.getTypeOfSymbol(property)] : index ? [index] : [];
      });
      if (candidates.length === 0) add(`${path}.${name}`, "came and is not in the type");
      if (isOne && candidates[0]) compareShape(candidates[0], `${path}.${name}`, inner);
    }
    if (!isOne || !objects[0]) return;
    for (const property of checker.getPropertiesOfType(objects[0])) {
      const times = shape.properties[property.name]?.times ?? 0;
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      if (times < (shape.objects ?? 0) && !isOptional)
        add(
          `${path}.${property.name}`,
          times === 0 ? "never came and is in the type" : "is missing at times, and is not optional",
        );
    }
  }

  function members(type: ts.Type): readonly ts.Type[] {
    return type.isUnion() ? type.types : [type];
  }

  function elementOf(type: ts.Type): ts.Type | null {
    return checker.isArrayLikeType(type) ? (checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? null) : null;
  }

  function isObject(type: ts.Type): boolean {
    return (
      (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection | ts.TypeFlags.NonPrimitive)) !== 0 &&
      !elementOf(type)
    );
  }

  function isValue(type: ts.Type, value: Value): boolean {
    const simple: Partial<Record<Value, ts.Type>> = {
      string: checker.getStringType(),
      number: checker.getNumberType(),
      bigint: checker.getBigIntType(),
      boolean: checker.getBooleanType(),
    };
    const wide = simple[value];
    if (wide) return checker.isTypeAssignableTo(type, wide);
    const name = type.getSymbol()?.name;
    return name === value || (value === "Uint8Array" && name === "Buffer");
  }
}

const isOpen = (type: ts.Type): boolean => (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
const isNull = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Null) !== 0;
const isUndefined = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Undefined) !== 0;

/** Returns the row type that a call asserts: null if none, "caller" if its own caller asserts the type. */
function rowOf(checker: ts.TypeChecker, call: ts.CallExpression): ts.Type | "caller" | null {
  let type = checker.getTypeAtLocation(call);
  for (let depth = 0; depth < 4; depth += 1) {
    const name = type.getSymbol()?.name ?? "";
    const isWrapped = checker.isArrayType(type) || ["Promise", "AsyncGenerator", "QueryResult"].includes(name);
    if (depth > 0 && (type.flags & ts.TypeFlags.TypeParameter) !== 0) return "caller";
    if (!isWrapped) return depth > 0 && isRow(type) ? type : null;
    const [inner] = checker.getTypeArguments(type as ts.TypeReference);
    if (!inner) return null;
    type = inner;
  }
  return null;
}

const isRow = (type: ts.Type): boolean => (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;

/** Returns the call at a position from a stack trace. */
function callAt(file: ts.SourceFile, line: number, column: number): ts.CallExpression | null {
  const position = (file.getLineStarts()[line - 1] ?? Number.NaN) + column - 1;
  let innermost: ts.CallExpression | null = null;
  const visit = (node: ts.Node): void => {
    if (node.getStart(file) > position || node.getEnd() < position) return;
    if (ts.isCallExpression(node) && node.expression.getEnd() >= position) innermost = node;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return innermost;
}

/** Names a statement by its file and the functions and constants around it, which stay the same when lines move. */
function locationOf(node: ts.Node): string {
  const names: string[] = [];
  for (let outer = node.parent; outer; outer = outer.parent) {
    const isConstant = ts.isVariableDeclaration(outer) && ts.isSourceFile(outer.parent.parent.parent);
    const isNamed = ts.isFunctionDeclaration(outer) || ts.isMethodDeclaration(outer) || ts.isClassDeclaration(outer);
    const name = isNamed || isConstant ? ts.getNameOfDeclaration(outer as ts.Declaration) : undefined;
    if (name) names.unshift(name.getText());
  }
  return [pathOf(node.getSourceFile()), ...names].join(" › ");
}

const pathOf = (file: ts.SourceFile): string => file.fileName.replace(`${server}/src/`, "");
const lineOf = (node: ts.Node): number => node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;

/** Returns the raw SQL calls in the source: those that assert a row type, and those that read rows without one. */
function readStatements(program: ts.Program, checker: ts.TypeChecker) {
  const typed: ts.CallExpression[] = [];
  const untyped: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isStatement(checker, node)) {
      const row = rowOf(checker, node);
      if (row === null && readsRows(node)) untyped.push(node);
      if (row !== null && row !== "caller") typed.push(node);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) {
    const isOurs = file.fileName.startsWith(`${server}/src/`) && !/\.test\.ts$|\/generated\//.test(file.fileName);
    if (isOurs && !WRAPPERS.test(file.fileName)) visit(file);
  }
  return { typed, untyped };
}

function isStatement(checker: ts.TypeChecker, { expression }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  if (!["rows", "prepared", "batches", "query"].includes(expression.name.text)) return false;
  const declared = checker.getSymbolAtLocation(expression.name)?.declarations?.[0]?.getSourceFile().fileName ?? "";
  return /\/(hotel-database|watch)\.ts$|@types\/pg\//.test(declared);
}

/** Whether `.rows` of pg's result is read, which is `any` without a type. */
function readsRows(call: ts.CallExpression): boolean {
  const outer = ts.isAwaitExpression(call.parent) ? call.parent : call;
  const user = ts.isParenthesizedExpression(outer.parent) ? outer.parent.parent : outer.parent;
  if (ts.isPropertyAccessExpression(user)) return user.name.text === "rows";
  if (!ts.isVariableDeclaration(user) || !ts.isObjectBindingPattern(user.name)) return false;
  return user.name.elements.some(({ name, propertyName }) => (propertyName ?? name).getText() === "rows");
}

function readProgram(): ts.Program {
  const project = new Project({ tsConfigFilePath: join(server, "tsconfig.json"), skipAddingFilesFromTsConfig: true });
  project.addSourceFilesAtPaths([`${server}/src/**/*.ts`, `!${server}/src/**/*.test.ts`]);
  return project.getProgram().compilerObject;
}

function main(folder: string, isPart: boolean): void {
  const types = new Map(
    (JSON.parse(readFileSync(join(folder, "types"), "utf8")) as DatabaseType[]).map((type) => [type.oid, type]),
  );
  const program = readProgram();
  const checker = program.getTypeChecker();
  const problems = new Map<string, Set<string>>();
  const ran = new Set<ts.CallExpression>();
  const add = (node: ts.Node, message: string): void => {
    const key = `apps/server/src/${pathOf(node.getSourceFile())}:${lineOf(node)}`;
    problems.set(key, (problems.get(key) ?? new Set()).add(message));
  };

  for (const name of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    for (const { calls, results } of JSON.parse(readFileSync(join(folder, name), "utf8")) as RecordedStatement[]) {
      for (const call of calls) {
        const typed = findTyped(call);
        if (!typed) continue;
        if (results.length > 0) ran.add(typed.node);
        for (const result of results) {
          for (const { path, message } of compareRow(checker, typed.row, result, types))
            add(typed.node, `${path} ${message}`);
        }
      }
    }
  }

  const { typed, untyped } = readStatements(program, checker);
  for (const node of untyped) add(node, "reads rows without a type");
  const untested = typed.filter((node) => !ran.has(node));
  const locations = new Set(untested.map(locationOf));
  if (!isPart) {
    for (const node of untested)
      if (!(locationOf(node) in UNTESTED)) add(node, `no test runs this: ${locationOf(node)}`);
    for (const location of Object.keys(UNTESTED)) {
      if (!locations.has(location))
        problems.set(location, new Set(["is listed as untested, but a test runs it or it no longer exists"]));
    }
  }
  for (const [location, messages] of [...problems].sort())
    console.log(`✗ ${location}\n  ${[...messages].join("\n  ")}`);
  const count = [...problems.values()].reduce((sum, messages) => sum + messages.size, 0);
  console.log(`${typed.length - untested.length} of ${typed.length} typed statements compared, ${count} problems`);
  process.exitCode = count > 0 ? 1 : 0;

  /** Returns the innermost call that asserts a row type. */
  function findTyped(calls: readonly string[]) {
    for (const call of calls) {
      const [path = "", line, column] = call.split(":");
      const file = program.getSourceFile(join(server, "src", path));
      const node = file && callAt(file, Number(line), Number(column));
      if (!node || WRAPPERS.test(path)) continue;
      const row = rowOf(checker, node);
      if (row !== "caller") return row && { node, row };
    }
    return null;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { part: { type: "boolean" } } });
  main(positionals[0] ?? join(root, ".tmp/test/sql"), values.part ?? false);
}
