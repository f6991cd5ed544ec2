import { z } from "zod";
import { encrypt, type LegacyCipher } from "../ciphers.ts";
import type { Endpoint } from "../endpoint.ts";
import { notesOf } from "../fields.ts";
import { opened } from "./describe.ts";

const ascii = (text: string): Buffer => Buffer.from(text, "ascii");
const AES_IV = ascii("documentation iv");

/** Ciphers of the documentation's examples. Their keys are public, so no hotel uses them. */
export const EXAMPLE_CIPHERS = {
  "aes-256-cbc": { name: "aes-256-cbc", key: ascii("innkey documentation example key"), iv: AES_IV },
  "aes-128-cbc": { name: "aes-128-cbc", key: ascii("innkey docs key!"), iv: AES_IV },
  "des-cbc": { name: "des-cbc", key: ascii("docs key"), iv: ascii("docs iv!") },
} as const satisfies Record<LegacyCipher["name"], LegacyCipher>;

/** One side of an exchange, in clear text and encrypted. */
export interface SealedExample {
  /** JSON, indented; the encrypted form has no indentation */
  clear: string;
  /** base64 of the encrypted JSON */
  sealed: string;
}

export interface Example {
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
