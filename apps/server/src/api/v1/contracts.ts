import * as f from "@innkey/shared/schemas/fields";
import { z } from "zod";
import type { RouteContract } from "../http/route-contract.ts";
import { appRouter } from "../trpc/router.ts";
import type { Opened } from "../trpc/trpc.ts";
import { OPERATIONS, type Operation } from "./operations.ts";

export const PREFIX = "/api/v1";

/** A schema of JSON in the dialect of OpenAPI 3.1 */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** An operation with what its procedure says about input, answer and permission. */
export interface OperationContract {
  operation: Operation;
  /** Fields of the input that stand in the path */
  inPath: readonly string[];
  /** What the caller sends, path included */
  input: JsonSchema;
  answer: JsonSchema;
  opens: Opened;
  route: RouteContract;
}

interface ProcedureParts {
  inputs: readonly z.ZodType[];
  output: z.ZodType | { schema: z.ZodType };
  meta?: Opened;
}

function partsOf({ id, procedure }: Operation): { input: z.ZodType; output: z.ZodType; opens: Opened } {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: ProcedureParts } | undefined>;
  const { inputs, output, meta: opens = { capability: [] } } = procedures[procedure]?._def ?? {};
  if (!output) throw new Error(`The operation ${id} needs the procedure ${procedure}, which doesn't exist`);
  return { input: inputs?.[0] ?? z.object({}), output: "schema" in output ? output.schema : output, opens };
}

/** Formats say the same as these patterns, which are hundreds of characters long. */
const FORMATS_INSTEAD_OF_PATTERNS = new Set(["date-time", "date", "uuid", "email"]);

function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema }) {
      if (FORMATS_INSTEAD_OF_PATTERNS.has(String(jsonSchema.format))) delete jsonSchema.pattern;
    },
  });
  return json;
}

/** Returns the value of a query string as the schema wants it; what it can't be stays text, which the schema refuses. */
function readText(text: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof text !== "string") return text;
  if ((schema?.type === "integer" || schema?.type === "number") && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (schema?.type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Schema of path and query, whose values arrive as text. */
function textFields(properties: JsonSchema["properties"]): z.ZodType<Record<string, unknown>> {
  return z
    .record(z.string(), z.unknown())
    .transform((fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, text]) => [name, readText(text, properties?.[name] as JsonSchema)]),
      ),
    );
}

const IN_PATH = /\{(\w+)\}/g;

function contractOf(operation: Operation): OperationContract {
  const { input: schema, output, opens } = partsOf(operation);
  const input = toJsonSchema(schema, "input");
  const inPath = [...operation.path.matchAll(IN_PATH)].map(([, name = ""]) => name);
  for (const name of inPath)
    if (!input.properties?.[name]) throw new Error(`${operation.path} names ${name}, which its input doesn't have`);
  const texts = textFields(input.properties);
  const route: RouteContract = {
    method: operation.method,
    url: `${PREFIX}${operation.path.replaceAll(IN_PATH, ":$1")}`,
    params: texts,
    // The procedure checks the whole input.
    ...(operation.method === "POST" ? { body: z.record(z.string(), z.unknown()).nullish() } : { query: texts }),
    answers: { 200: output },
  };
  return { operation, inPath, input, answer: toJsonSchema(output, "output"), opens, route };
}

/** Contracts of all operations, in the order of the table. */
export const CONTRACTS: readonly OperationContract[] = OPERATIONS.map(contractOf);

/** Name of a request, chosen by the program: a repeated request with the same one gets the first answer again. */
export const idempotencyKey = f.text(200).optional();
