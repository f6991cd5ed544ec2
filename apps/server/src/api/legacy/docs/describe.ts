import { ERRORS, type ErrorCode } from "@innkey/shared/errors";
import { z } from "zod";
import { translator } from "../../../kernel/translate.ts";
import { reasonOf } from "../answers.ts";
import type { Endpoint } from "../endpoint.ts";
import { type FieldNotes, notesOf } from "../fields.ts";
import { endpoints } from "../registry.ts";

/** A field of an input or an answer. Names of nested fields contain their parents: "list[].room_id". */
export interface FieldDescription {
  name: string;
  type: string;
  required: boolean;
  nullable: boolean;
  /** undefined if the field has no default */
  default: unknown;
  /** undefined for objects and arrays with nested fields */
  example: unknown;
}

export interface ErrorDescription {
  code: ErrorCode;
  errno: number;
  /** Value of `data.reason`; null if there is none */
  reason: string | null;
  /** `errmsg` in English; "…" stands for values only known at run time */
  text: string;
}

export interface CallDescription {
  path: string;
  /** "room" for "/manage/room/listNew"; "" for login and files */
  group: string;
  summary: string;
  needsToken: boolean;
  changes: boolean;
  /** Request bodies up to 8 MiB. */
  large: boolean;
  input: FieldDescription[];
  answer: FieldDescription[];
  errors: ErrorDescription[];
}

/** Returns a description of every call in the registry. */
export function describeCalls(calls: readonly Endpoint[] = endpoints): CallDescription[] {
  return calls.map((endpoint) => ({
    path: endpoint.path,
    group: groupOf(endpoint.path),
    summary: endpoint.summary,
    needsToken: !endpoint.open,
    changes: endpoint.changes ?? false,
    large: endpoint.large ?? false,
    input: fieldsOf(endpoint.schema, ""),
    answer: fieldsOf(endpoint.output, ""),
    errors: (endpoint.errors ?? []).map(describeError),
  }));
}

const GROUPS = ["room", "priceTemplate", "user", "lock", "passenger", "order", "cardDispenser"];

function groupOf(path: string): string {
  const [, , first = ""] = path.split("/");
  return GROUPS.includes(first) ? first : "";
}

/** Placeholders for the parameters of error messages. */
const PLACEHOLDERS = {
  retryAfterSeconds: "…",
  date: "…",
  roomName: "…",
  guestName: "…",
  left: "…",
  leftMinor: "…",
  most: "…",
  name: "…",
};
const WITH_REASON: readonly number[] = [100_008, 100_009, 100_010];

export function describeError(code: ErrorCode): ErrorDescription {
  const { errno } = ERRORS[code];
  const text = translator("en")(`errors.${code}`, PLACEHOLDERS);
  return { code, errno, reason: WITH_REASON.includes(errno) ? reasonOf(code) : null, text };
}

interface Opened {
  inner: z.core.$ZodType;
  required: boolean;
  nullable: boolean;
  default: unknown;
}

/** Unwraps optional, nullable and default schemas. */
export function opened(schema: z.core.$ZodType): Opened {
  const unwrapped: Opened = { inner: schema, required: true, nullable: false, default: undefined };
  for (;;) {
    const { inner } = unwrapped;
    if (inner instanceof z.ZodDefault) {
      Object.assign(unwrapped, { inner: inner.unwrap(), required: false, default: inner.def.defaultValue });
    } else if (inner instanceof z.ZodOptional) Object.assign(unwrapped, { inner: inner.unwrap(), required: false });
    else if (inner instanceof z.ZodNullable) Object.assign(unwrapped, { inner: inner.unwrap(), nullable: true });
    else return unwrapped;
  }
}

/** Returns all fields of an object, each followed by its nested fields. */
function fieldsOf(schema: z.core.$ZodType, prefix: string): FieldDescription[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([key, field]) => {
    const { inner, required, nullable, default: value } = opened(field);
    const name = prefix + key;
    const inside = fieldsOf(inner, `${name}.`);
    const element = inner instanceof z.ZodArray ? fieldsOf(opened(inner.element).inner, `${name}[].`) : [];
    const notes = notesOf(field);
    const row = {
      name,
      type: notes ? noted(notes) : typeOf(inner, name),
      required,
      nullable,
      default: value,
      example: notes?.example,
    };
    return [row, ...inside, ...element];
  });
}

const noted = ({ type, emptyCounts }: FieldNotes): string => (emptyCounts ? `${type}, may be empty` : type);

/** @throws Error for a type of field that the documentation can't name */
function typeOf(schema: z.core.$ZodType, name: string): string {
  const notes = notesOf(schema);
  if (notes) return notes.type;
  if (schema instanceof z.ZodObject) return "object";
  if (schema instanceof z.ZodArray) {
    const element = typeOf(opened(schema.element).inner, name);
    return element === "object" ? "array of objects" : `array of ${element}`;
  }
  if (schema instanceof z.ZodRecord) return `object, each value ${typeOf(schema.valueType, name)}`;
  if (schema instanceof z.ZodEnum) return schema.options.join(" | ");
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String).join(" | ");
  if (schema instanceof z.ZodString) return "text";
  throw new Error(`${name}: no word for such a field`);
}
