import type pg from "pg";
import type { SealContext, SecretPurpose } from "../../../kernel/secret-box.ts";

/** How a column of bytes depends on the secret key. */
export type KeyDependency =
  /** A sealed value of that purpose; `hash` is the column of the same row with the keyed hash of the same value. */
  | { box: SecretPurpose; hash?: string }
  /** A keyed hash that is recomputed together with that column. */
  | { hashWith: string }
  /** Depends on the key, but expires before the earlier key is removed, so a rotation leaves it out. */
  | { expires: string }
  /** Does not depend on the key. */
  | { keyless: string };

const TOKEN = "SHA-256 of a long random value";
const CHAIN = "hash chain of the audit, which can be recomputed without a key";
const PASSKEY = "identifier or public key from an authenticator";

/** Every column of bytes in the database, as `table.column`. A test compares the list with the schema. */
export const BYTES_COLUMNS = {
  "api_key.secret_hash": { keyless: TOKEN },
  "audit_entry.hash": { keyless: CHAIN },
  "audit_entry.prev_hash": { keyless: CHAIN },
  "audit_head.heads_box": { box: "journal" },
  "calendar_feed.token_hash": { keyless: TOKEN },
  "captcha.answer_hash": { expires: "after minutes" },
  "card_profile.keys_box": { box: "card" },
  "credential.code_hash": { hashWith: "passcode.code_box" },
  "device_link.access_box": { box: "lock" },
  "device_link.access_hash": { keyless: TOKEN },
  "device_link.settings_box": { box: "lock" },
  "guest.document_number_box": { box: "document", hash: "document_number_hash" },
  "guest.document_number_hash": { hashWith: "guest.document_number_box" },
  "guest_link.token_box": { box: "message" },
  "guest_link.token_hash": { keyless: TOKEN },
  "guest_link_device.token_hash": { keyless: TOKEN },
  "guest_picture.content_box": { box: "document" },
  "guest_message_settings.webhook_secret_box": { box: "webhook" },
  "hotel_state.audit_hash": { keyless: CHAIN },
  "known_device.token_hash": { keyless: TOKEN },
  "linked_event.fingerprint": { expires: "after hours: a cloud repeats an event that was not accepted for no longer" },
  "lock.access_box": { box: "lock" },
  "lock.access_hash": { keyless: TOKEN },
  "lock.pairing_box": { box: "lock" },
  "lock.secret_box": { box: "lock" },
  "lock_command.args_box": { box: "code" },
  "login_challenge.nonce": { keyless: "random, for one login" },
  "login_challenge.secret_box": { box: "totp" },
  "login_challenge.user_handle": { keyless: PASSKEY },
  "operator_passkey.credential_id": { keyless: PASSKEY },
  "operator_passkey.public_key": { keyless: PASSKEY },
  "operator_passkey.user_handle": { keyless: PASSKEY },
  "operator_totp.secret_box": { box: "totp" },
  "outgoing_message.body_box": { box: "message" },
  "passcode.code_box": { box: "code" },
  "pre_check_in.content_box": { box: "document" },
  "recovery_code.code_hash": { expires: "after minutes" },
  "request_once.answer": { expires: "after a day" },
  "request_once.content": { expires: "after a day" },
  "request_once.fingerprint": { expires: "after a day" },
  "roster.content": { keyless: "sealed with age for the hotel's own recipients" },
  "second_factor_code.code_hash": { keyless: TOKEN },
  "session.token_hash": { keyless: TOKEN },
  "webhook.previous_secret_box": { box: "webhook" },
  "webhook.secret_box": { box: "webhook" },
  "withdrawal_account.number_box": { box: "payout" },
} as const satisfies Record<string, KeyDependency>;

/** Sealed values of one purpose in one table. */
export interface SealedColumn {
  /** Name in reports: `table.column`. */
  name: string;
  /** The column name that the sealed values are bound to; differs from `name` once the column is renamed. */
  boundTo: `${string}.${string}`;
  table: string;
  /** SQL expression: the sealed value of row `t`, as bytea. */
  read: string;
  /** SQL assignment: sets the value to `v.box`, and its hash, if any, to `v.hash`. */
  write: string;
  purpose: SecretPurpose;
  /** The keyed hash is written together with the value. */
  hashed: boolean;
}

/** The row that its sealed values are bound to: primary key without the hotel, and the hotel if the table has one. */
export interface RowKey {
  /** Columns of the primary key in order, quoted, with their types. */
  columns: readonly { name: string; type: string }[];
  /** SQL expression: the hotel of row `t`. */
  hotel: string;
  /** SQL expression: identifies row `t` within its hotel, as text. */
  row: string;
}

const KEY_COLUMNS = `
  SELECT quote_ident(a.attname) AS name, format_type(a.atttypid, a.atttypmod) AS type
  FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, place)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
  WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY k.place`;

const HAS_HOTEL = `
  SELECT FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'hotel_id' AND NOT attisdropped`;

export async function rowKeyOf(client: Pick<pg.ClientBase, "query">, table: string): Promise<RowKey> {
  const { rows: columns } = await client.query<RowKey["columns"][number]>(KEY_COLUMNS, [table]);
  const hasHotel = (await client.query(HAS_HOTEL, [table])).rowCount === 1;
  const own = columns.filter(({ name }) => name !== "hotel_id").map(({ name }) => `t.${name}::text`);
  return {
    columns,
    hotel: hasHotel ? "t.hotel_id" : "NULL::int",
    row: own.length > 0 ? `concat_ws(',', ${own.join(", ")})` : "''",
  };
}

/** A sealed value with the row that it is bound to. */
export interface SealedRow {
  hotelId: number | null;
  row: string;
  sealed: Buffer;
}

/** SQL: the columns of a `SealedRow`. */
export const sealedRow = ({ read }: SealedColumn, { hotel, row }: RowKey): string =>
  `${hotel} AS "hotelId", ${row} AS row, ${read} AS sealed`;

export const contextOf = ({ boundTo: column }: SealedColumn, { hotelId, row }: SealedRow): SealContext => ({
  column,
  hotelId,
  row,
});

function sealedColumn(name: string, dependency: KeyDependency): SealedColumn[] {
  if (!("box" in dependency)) return [];
  const [table = "", column = ""] = name.split(".");
  const write = `${column} = v.box${dependency.hash ? `, ${dependency.hash} = v.hash` : ""}`;
  return [
    {
      name,
      boundTo: `${table}.${column}`,
      table,
      read: `t.${column}`,
      write,
      purpose: dependency.box,
      hashed: dependency.hash !== undefined,
    },
  ];
}

/** Search filter in the request of an export: a sealed value as base64 in JSON. */
const EXPORT_FILTERS: SealedColumn = {
  name: "export.request",
  boundTo: "export.request",
  table: "export",
  read: "decode(t.request ->> 'box', 'base64')",
  write: "request = jsonb_set(t.request, '{box}', to_jsonb(translate(encode(v.box, 'base64'), E'\\n', '')))",
  purpose: "document",
  hashed: false,
};

/** All sealed columns of the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...Object.entries(BYTES_COLUMNS).flatMap(([name, dependency]) => sealedColumn(name, dependency)),
  EXPORT_FILTERS,
];
