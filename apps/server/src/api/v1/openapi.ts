import { errorReply } from "@innkey/shared/schemas/error-reply";
import { z } from "zod";
import { CONTRACTS, type JsonSchema, type OperationContract, PREFIX } from "./contracts.ts";

const TAGS = {
  rooms: "Rooms and which of them are free",
  stays: "Reservations and stays, from booking to check-out",
  guests: "The people of a stay",
  customers: "Companies and agencies that pay for stays",
  keys: "Door codes and cards",
  doors: "Locks, opening a door, and what doors report",
};

const json = (schema: unknown) => ({ "application/json": { schema } });

function parameter(name: string, place: "path" | "query", { input }: OperationContract) {
  return {
    ...{ name, in: place, schema: input.properties?.[name] ?? {} },
    required: place === "path" || (input.required?.includes(name) ?? false),
  };
}

/** Returns the input without the fields that stand in the path. */
function bodyOf({ input, inPath }: OperationContract): JsonSchema {
  const properties = Object.entries(input.properties ?? {}).filter(([name]) => !inPath.includes(name));
  const required = input.required?.filter((name) => !inPath.includes(name)) ?? [];
  return { ...input, properties: Object.fromEntries(properties), ...{ required } };
}

function describe(contract: OperationContract) {
  const { operation, inPath, input, answer, opens } = contract;
  const inQuery =
    operation.method === "POST" ? [] : Object.keys(input.properties ?? {}).filter((name) => !inPath.includes(name));
  const isChange = operation.method !== "GET";
  return {
    operationId: operation.id,
    ...{ tags: [operation.tag], summary: operation.summary },
    description: `Scope: ${[opens.capability].flat().join(" or ")}`,
    parameters: [
      ...inPath.map((name) => parameter(name, "path", contract)),
      ...inQuery.map((name) => parameter(name, "query", contract)),
      ...(isChange ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ],
    ...(operation.method === "POST" && { requestBody: { required: true, content: json(bodyOf(contract)) } }),
    responses: {
      200: { description: "What was asked for, or what was changed", content: json(answer) },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

/** Creates the OpenAPI 3.1 document of the API from its contracts. */
export function createOpenApi(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const contract of CONTRACTS) {
    const { path, method } = contract.operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(contract) };
  }
  const { $schema: _, ...error } = z.toJSONSchema(errorReply);
  return {
    openapi: "3.1.0",
    info: {
      title: "Innkey",
      version: "1",
      description:
        "Amounts are whole minor units of the hotel's currency (1250 is 12.50 EUR), instants are ISO 8601 with an offset.",
      license: { name: "As the program itself" },
    },
    servers: [{ url: PREFIX }],
    security: [{ key: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "An API key, ik_…" } },
      parameters: {
        IdempotencyKey: {
          ...{ name: "Idempotency-Key", in: "header", required: false, schema: { type: "string", maxLength: 200 } },
          description:
            "Name of the request, chosen by the program. Whoever repeats the request with it within a day gets the first answer again, and nothing is done twice.",
        },
      },
      responses: { Error: { description: "A refusal", content: json({ $ref: "#/components/schemas/ErrorReply" }) } },
      schemas: { ErrorReply: error },
    },
  };
}
