import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";

const SOURCES = join(import.meta.dirname, "..");
const SCHEMA = join(SOURCES, "../../../prisma/schema");

type Owner =
  | "access"
  | "adapters"
  | "compliance"
  | "data"
  | "files"
  | "folio"
  | "identity"
  | "kernel"
  | "messaging"
  | "overview"
  | "property"
  | "stays";

/**
 * Owner of each table: only this domain writes it. Others may read it, and write it through the owner's `public.ts`.
 */
const OWNERS: Record<string, Owner> = {
  api_key: "identity",
  audit_check: "compliance",
  audit_entry: "kernel",
  audit_head: "compliance",
  backup_run: "compliance",
  board_room: "property",
  breakfast: "stays",
  calendar_feed: "stays",
  captcha: "identity",
  card: "access",
  card_profile: "access",
  card_door: "access",
  card_group: "access",
  card_room: "access",
  card_zone: "access",
  credential: "access",
  customer: "stays",
  door: "access",
  device_link: "access",
  card_reader: "access",
  card_reader_holder: "access",
  export: "data",
  face: "access",
  guest: "stays",
  guest_link: "stays",
  guest_link_device: "stays",
  guest_message: "messaging",
  guest_message_settings: "messaging",
  guest_message_text: "messaging",
  hand_over_note: "stays",
  hand_over_note_read: "stays",
  hotel: "property",
  hotel_state: "property",
  known_device: "identity",
  ledger_entry: "folio",
  linked_event: "access",
  lock_zone: "access",
  lock: "access",
  lock_command: "access",
  lock_log: "access",
  lock_power_day: "access",
  login_challenge: "identity",
  membership: "identity",
  alert: "messaging",
  night_audit: "overview",
  occupancy: "stays",
  operator: "identity",
  operator_passkey: "identity",
  operator_totp: "identity",
  folio_entry_line: "folio",
  folio_entry: "folio",
  outgoing_message: "messaging",
  passcode: "access",
  price_template: "property",
  price_template_date: "property",
  pre_check_in: "stays",
  guest_picture: "stays",
  process_heartbeat: "overview",
  rate_limit: "adapters",
  receipt: "folio",
  recovery_code: "identity",
  request_once: "kernel",
  room: "property",
  room_grant: "identity",
  room_group: "property",
  room_price: "property",
  room_price_date: "property",
  roster: "compliance",
  roster_settings: "compliance",
  second_factor_code: "identity",
  server_pulse: "overview",
  session: "identity",
  stay: "stays",
  stay_guest: "stays",
  stay_zone: "access",
  stored_file: "files",
  unlock_record: "access",
  webhook: "messaging",
  webhook_delivery: "messaging",
  withdrawal_account: "folio",
  zigbee_slot: "access",
  zone: "access",
  zone_door: "access",
  zone_group: "access",
  _prisma_migrations: "adapters",
};

/** Tables without a model in the schema. */
const INFRASTRUCTURE = ["_prisma_migrations"];

/** Stands for a table whose name is computed at run time. */
const COMPUTED = "(computed)";

/** Files that need to write other domains' tables, with the reason. */
const EXCEPTIONS: readonly { file: string; tables: readonly string[]; reason: string }[] = [
  {
    file: "adapters/backup/catalogue.ts",
    tables: [COMPUTED],
    reason: "A restore fills every table from a backup.",
  },
  {
    file: "domain/compliance/privacy/erase.service.ts",
    tables: ["export", "guest"],
    reason: "Erasure removes a person from wherever they are stored.",
  },
  {
    file: "domain/compliance/privacy/redaction.ts",
    tables: [COMPUTED, "card", "hotel", "folio_entry", "passcode", "stay", "webhook_delivery"],
    reason: "Erasure removes a person from every free text.",
  },
  {
    file: "domain/compliance/privacy/retention.ts",
    tables: ["guest"],
    reason: "Retention empties documents after their period.",
  },
  {
    file: "domain/compliance/secrets/rotation.ts",
    tables: ["credential"],
    reason: "A change of the secret key recomputes the hashes of codes.",
  },
  {
    file: "domain/compliance/secrets/rotation.ts",
    tables: ["stored_file"],
    reason: "A change of the secret key seals every face picture again.",
  },
  {
    file: "domain/compliance/secrets/rotation.ts",
    tables: [COMPUTED],
    reason: "A change of the secret key seals every sealed column again.",
  },
];

interface Model {
  table: string;
  /** For each relation field, the Prisma delegate of its model. */
  relations: ReadonlyMap<string, string>;
}

/** Reads the models from the schema, keyed by their Prisma delegates. */
function readModels(): Map<string, Model> {
  const files = readdirSync(SCHEMA).filter((name) => name.endsWith(".prisma"));
  const text = files.map((name) => readFileSync(join(SCHEMA, name), "utf8")).join("\n");
  const delegateOf = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
  const blocks = new Map(
    [...text.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = "", body = ""]) => [name, body]),
  );
  return new Map(
    [...blocks].map(([name, body]) => {
      const fields = [...body.matchAll(/^ {2}(\w+)\s+(\w+)/gm)];
      const relations = fields.flatMap(([, field = "", type = ""]) =>
        blocks.has(type) ? [[field, delegateOf(type)] as const] : [],
      );
      const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name;
      return [delegateOf(name), { table, relations: new Map(relations) }];
    }),
  );
}

const models = readModels();

interface Node {
  type: string;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
const nameOf = (node: unknown): string | null => {
  if (!isNode(node)) return null;
  if (node.type === "Identifier") return String(node.name);
  return node.type === "Literal" && typeof node.value === "string" ? node.value : null;
};
const ofType = (value: unknown, type: string): Node | null => (isNode(value) && value.type === type ? value : null);

/** Replaces each interpolated expression in the text of a template. */
const HOLE = "\u0000";
const TABLE = `(?:ONLY\\s+)?(?:public\\.)?"?(\\w+|${HOLE})`;
const SQL_WRITES = [
  `\\b(?:INSERT|MERGE)\\s+INTO\\s+${TABLE}`,
  `\\bDELETE\\s+FROM\\s+${TABLE}`,
  `\\bTRUNCATE\\s+(?:TABLE\\s+)?${TABLE}`,
  `\\bCOPY\\s+${TABLE}[^;]*\\bFROM\\s+STDIN`,
  `(?<!DO\\s+)\\bUPDATE\\s+${TABLE}"?(?:\\s+(?:AS\\s+)?[a-z]\\w*)?\\s+(?:SET\\b|${HOLE})`,
].map((pattern) => new RegExp(pattern, "g"));

function writesInText(text: string): string[] {
  return SQL_WRITES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, table]) => (table === HOLE || table === undefined ? COMPUTED : table)),
  );
}

function textOf(node: Node): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type !== "TemplateLiteral" || !Array.isArray(node.quasis)) return null;
  return node.quasis.map(({ value }) => value.cooked).join(HOLE);
}

const WRITE_METHOD = /^(?:create|update|delete|upsert)(?:Many|ManyAndReturn)?$/;
const NESTED_WRITE = /^(?:create|createMany|connectOrCreate|update|updateMany|upsert|delete|deleteMany)$/;
const CLIENT = /^(?:db|prisma|tx|reads)$/;

const isClient = (value: unknown): boolean => {
  const member = ofType(value, "MemberExpression");
  return CLIENT.test(nameOf(member ? member.property : value) ?? "");
};

/** Returns the delegate of a writing call `client.model.method(…)`; null for other nodes. */
function delegateOfWrite(node: Node): string | null {
  const method = node.type === "CallExpression" ? ofType(node.callee, "MemberExpression") : null;
  const delegate = method && ofType(method.object, "MemberExpression");
  if (!method || !delegate || !WRITE_METHOD.test(nameOf(method.property) ?? "")) return null;
  if (delegate.computed) return isClient(delegate.object) ? COMPUTED : null;
  return nameOf(delegate.property);
}

/**
 * Returns the delegates written through a relation field of `model`, such as `data: { guests: { create: … } }`; if the
 * model is unknown, through a field of any model.
 */
function delegatesOfRelation(node: Node, model: string | null): string[] {
  const value = node.type === "Property" ? ofType(node.value, "ObjectExpression") : null;
  if (!value || !Array.isArray(value.properties)) return [];
  if (!value.properties.some(({ key }) => NESTED_WRITE.test(nameOf(key) ?? ""))) return [];
  const field = nameOf(node.key) ?? "";
  const candidates = model === null ? [...models.values()] : [models.get(model)];
  return [...new Set(candidates.flatMap((candidate) => candidate?.relations.get(field) ?? []))];
}

/**
 * Returns delegates that are stored or passed on, such as `const rooms = db.room`. We count them as written, because we
 * can't follow them.
 */
function storedDelegates(node: Node): string[] {
  return childrenOf(node).flatMap((child) => {
    if (child.type !== "MemberExpression" || !isClient(child.object)) return [];
    if (node.type === "MemberExpression" && node.object === child) return [];
    return [child.computed === true ? COMPUTED : (nameOf(child.property) ?? "")];
  });
}

/** Returns the tables that a source file writes, without duplicates. */
function tablesWrittenIn(source: string): string[] {
  const tables = new Set<string>();
  const visit = (node: Node, model: string | null): void => {
    const text = textOf(node);
    for (const table of text === null ? [] : writesInText(text)) tables.add(table);
    const called = delegateOfWrite(node);
    const related = delegatesOfRelation(node, model);
    for (const delegate of [...(called ? [called] : []), ...related, ...storedDelegates(node)]) {
      const table = delegate === COMPUTED ? COMPUTED : models.get(delegate)?.table;
      if (table) tables.add(table);
    }
    const inner = called && models.has(called) ? called : related.length === 1 ? (related[0] ?? null) : model;
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(parseAst(source, { lang: "ts" }) as unknown as Node, null);
  return [...tables];
}

/** Text that every writing file contains; we don't parse other files. */
const WRITE_SIGN =
  /\b(?:INTO|DELETE|TRUNCATE|COPY|UPDATE)\b|\.(?:create|update|delete|upsert)|\b(?:db|prisma|tx|reads)\b/;

function sourceFiles(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes("generated/"))
    .sort();
}

const partOf = (file: string): string => /^domain\/(\w+)\//.exec(file)?.[1] ?? file.split("/")[0] ?? "";

/** Returns all writes to a table outside its owner, as "file table". */
function foreignWrites(): string[] {
  return sourceFiles().flatMap((file) => {
    const source = readFileSync(join(SOURCES, file), "utf8");
    if (!WRITE_SIGN.test(source)) return [];
    const tables = tablesWrittenIn(source).filter((table) => OWNERS[table] !== partOf(file));
    return tables.sort().map((table) => `${file} ${table}`);
  });
}

describe("a table", () => {
  it("has one owner", () => {
    expect(Object.keys(OWNERS).sort()).toEqual(
      [...[...models.values()].map(({ table }) => table), ...INFRASTRUCTURE].sort(),
    );
  });

  it("is written by its owner only", () => {
    const excepted = EXCEPTIONS.flatMap(({ file, tables }) => tables.map((table) => `${file} ${table}`));
    expect(foreignWrites()).toEqual(excepted.sort());
  });
});

describe("the search for writes", () => {
  it.each([
    ["SQL", 'sql.rows("DELETE FROM room WHERE id = 1")', ["room"]],
    [
      "SQL in a common table expression",
      "sql.rows(`WITH a AS (UPDATE stay s SET x = 1 RETURNING id) SELECT 1`)",
      ["stay"],
    ],
    ["an interpolated table", `sql.rows(\`INSERT INTO \${name} VALUES (1)\`)`, [COMPUTED]],
    ["interpolated assignments", `sql.rows(\`UPDATE lock \${changes}\`)`, ["lock"]],
    ["Prisma", "tx.db.stayGuest.createMany({ data })", ["stay_guest"]],
    ["a chosen delegate", "tx.db[name].update({ data })", [COMPUTED]],
    ["a stored delegate", "const rooms = tx.db.room;", ["room"]],
    ["a relation", "tx.db.card.create({ data: { rooms: { create: [] } } })", ["card", "card_room"]],
    ["a relation of an unknown model", "const data = { occupancies: { create: {} } };", ["occupancy"]],
  ])("finds %s", (_name, source, tables) => {
    expect(tablesWrittenIn(source).sort()).toEqual(tables);
  });

  it.each([
    ["a row lock", 'sql.rows("SELECT id FROM stay FOR NO KEY UPDATE")'],
    ["an upsert's second half", 'sql.rows("ON CONFLICT (id) DO UPDATE SET x = 1")'],
    ["a read", "tx.db.stay.findMany({ where: { id } })"],
  ])("ignores %s", (_name, source) => {
    expect(tablesWrittenIn(source)).toEqual([]);
  });
});
