import { ERRORS, type ErrorCode } from "@innkey/shared/errors";
import { z } from "zod";
import { translator } from "../../../kernel/translate.ts";
import { reasonOf } from "../answers.ts";
import type { Endpoint } from "../endpoint.ts";
import { encrypt, type LegacyCipher } from "../envelope.ts";
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

interface ErrorDescription {
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
  time: "…",
  roomName: "…",
  guestName: "…",
  left: "…",
  leftMinor: "…",
  most: "…",
  name: "…",
  names: "…",
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
function opened(schema: z.core.$ZodType): Opened {
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

const ascii = (text: string): Buffer => Buffer.from(text, "ascii");
const AES_IV = ascii("documentation iv");

/** Ciphers of the documentation's examples. Their keys are public, so no hotel uses them. */
export const EXAMPLE_CIPHERS = {
  "aes-256-cbc": { name: "aes-256-cbc", key: ascii("innkey documentation example key"), iv: AES_IV },
  "aes-128-cbc": { name: "aes-128-cbc", key: ascii("innkey docs key!"), iv: AES_IV },
  "des-cbc": { name: "des-cbc", key: ascii("docs key"), iv: ascii("docs iv!") },
} as const satisfies Record<LegacyCipher["name"], LegacyCipher>;

/** One side of an exchange, in clear text and encrypted. */
interface SealedExample {
  /** JSON, indented; the encrypted form has no indentation */
  clear: string;
  /** base64 of the encrypted JSON */
  sealed: string;
}

interface Example {
  request: SealedExample;
  answer: SealedExample;
}

/**
 * Optional fields that an example shows beside the required ones. Fields that exclude each other are not shown
 * together.
 */
const OPTIONAL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "room/setHotelData": ["latitude", "longitude", "timezone", "currency", "weekend_days"],
  "room/setHotelInfo": ["check_in_time", "check_out_time", "breakfast", "wifi_name", "wifi_password", "notice"],
  "room/hotelBreakFastList": ["date"],
  "room/listNew": ["status", "sort"],
  "room/setRoomStatus": ["room_ids"],
  "room/setLockData": ["remark_name", "notice", "mac_id"],
  "room/setPrice": ["special", "renew_price"],
  "room/countRoomPriceNew": ["unit"],
  "room/tenant/update/checkIn": ["unit", "gender", "nationality", "id_type", "id_number", "mobile", "deposit", "price"],
  "room/tenant/list": ["state"],
  "room/exchangeHouses": ["disable_old_cards"],
  "room/checkOut": ["refund_deposit"],
  "room/addPassenger": ["gender", "id_type", "id_number"],
  "room/cardEncryption": ["manage_id", "cardNote"],
  "room/sendCardEncryption": ["cardNote", "disable_old_cards"],
  "room/cardEncryptionList": ["state"],
  "room/cardAdd": ["cardNote"],
  "room/addCardStepTwoNew": ["room_ids", "start", "end"],
  "room/sendCard": ["cardNote"],
  "room/password": ["start", "end"],
  "room/addPassword": ["start", "end"],
  "room/openHistory": ["start", "end"],
  "room/addStaff": ["gender", "nationality", "birth", "mobile", "password", "role"],
  "room/addStaffManageLock": ["capabilities"],
  "passenger/list": ["keyword", "state"],
  "lock/managerAddNew": ["start", "end"],
  "lock/deleteMessage": ["ids"],
  "lock/checkHistory": ["start", "end"],
  "lock/empowerFace": ["start", "end"],
  "lock/empowerFaceList": ["lock_id"],
  "user/uploadTFaceImg": ["key"],
  "user/apikey": ["scopes", "expire"],
  "priceTemplate/add": ["special", "renew_price"],
  "order/orderList": ["type", "start", "end"],
  "order/recharge": ["note"],
  "order/refund": ["reason"],
  "order/setCashData": ["bank"],
  "cardDispenser/add": ["user_id"],
};

/** The entries of `SHOWN`: paths and fields. */
export const exampleFields = Object.entries(OPTIONAL_FIELDS);

/** Returns a realistic exchange for a call, built from the examples of its fields. */
export function exampleOf(endpoint: Endpoint, cipher: LegacyCipher = EXAMPLE_CIPHERS["aes-256-cbc"]): Example {
  return {
    request: sealedExample(cipher, { ...inputOf(endpoint), action: "manage" }),
    answer: sealedExample(cipher, { errno: 0, errmsg: "", data: exampleValue(endpoint.output, endpoint.path) }),
  };
}

function sealedExample(cipher: LegacyCipher, value: unknown): SealedExample {
  return {
    clear: JSON.stringify(value, null, 2),
    sealed: encrypt(cipher, JSON.stringify(value)).toString("base64"),
  };
}

function inputOf({ path, schema }: Endpoint): Record<string, unknown> {
  const names = OPTIONAL_FIELDS[path.slice("/manage/".length)] ?? [];
  const fields = Object.entries(schema.shape);
  const bare = fields.every(([, field]) => !opened(field).required);
  // For a call without required fields we also show the defaults, such as the page of a list.
  const documented = fields.filter(([name, field]) => {
    const { required, default: value } = opened(field);
    return required || names.includes(name) || (bare && value !== undefined);
  });
  return Object.fromEntries(documented.map(([name, field]) => [name, exampleValue(field, `${path} ${name}`)]));
}

/** @throws Error for a field without an example */
function exampleValue(schema: z.core.$ZodType, name: string): unknown {
  const notes = notesOf(schema);
  if (notes) return notes.example;
  const { inner } = opened(schema);
  if (inner instanceof z.ZodObject) {
    const fields = Object.entries<z.core.$ZodType>(inner.shape);
    return Object.fromEntries(fields.map(([key, field]) => [key, exampleValue(field, `${name}.${key}`)]));
  }
  if (inner instanceof z.ZodArray) return [exampleValue(inner.element, `${name}[]`)];
  if (inner instanceof z.ZodRecord) return { [keyOf(inner)]: exampleValue(inner.valueType, name) };
  if (inner instanceof z.ZodEnum) return inner.options[0];
  if (inner instanceof z.ZodLiteral) return inner.value;
  throw new Error(`${name} has no example`);
}

function keyOf({ keyType }: z.ZodRecord): string {
  return keyType instanceof z.ZodEnum ? String(keyType.options[0]) : "17";
}
