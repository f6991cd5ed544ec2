import type { SecretPurpose } from "../../core/secret-box.ts";

/** What a change of the secret key means for a column of bytes. */
export type ColumnFate =
  /** a box of that purpose; `hash` is the column with the keyed hash of the same value, in the same row */
  | { box: SecretPurpose; hash?: string }
  /** a keyed hash that is made anew together with that column */
  | { hashWith: string }
  /** keyed, and forgotten before the earlier key is: nothing to do */
  | { forgotten: string }
  /** no key is in it */
  | { keyless: string };

const TOKEN = "SHA-256 of something random and long";
const CHAIN = "the journal's hash chain, which anybody may recompute";
const PASSKEY = "what an authenticator gave: an identifier or a public key";

/** Every column of bytes of the database, as `table.column`. A test holds the list to the schema. */
export const BYTES_COLUMNS = {
  "api_key.secret_hash": { keyless: TOKEN },
  "audit_entry.hash": { keyless: CHAIN },
  "audit_entry.prev_hash": { keyless: CHAIN },
  "captcha.answer_hash": { forgotten: "after minutes" },
  "card_profile.keys_box": { box: "card" },
  "credential.code_hash": { hashWith: "passcode.code_box" },
  "device_link.access_box": { box: "lock" },
  "device_link.access_hash": { keyless: TOKEN },
  "device_link.settings_box": { box: "lock" },
  "guest.document_number_box": { box: "document", hash: "document_number_hash" },
  "guest.document_number_hash": { hashWith: "guest.document_number_box" },
  "hotel_state.audit_hash": { keyless: CHAIN },
  "linked_event.fingerprint": { forgotten: "a cloud repeats what was not taken for hours at most" },
  "lock.access_box": { box: "lock" },
  "lock.access_hash": { keyless: TOKEN },
  "lock.secret_box": { box: "lock" },
  "lock_command.args_box": { box: "code" },
  "login_challenge.nonce": { keyless: "random, for one login" },
  "login_challenge.secret_box": { box: "totp" },
  "login_challenge.user_handle": { keyless: PASSKEY },
  "operator_passkey.credential_id": { keyless: PASSKEY },
  "operator_passkey.public_key": { keyless: PASSKEY },
  "operator_passkey.user_handle": { keyless: PASSKEY },
  "operator_totp.secret_box": { box: "totp" },
  "outbound_message.body_box": { box: "message" },
  "passcode.code_box": { box: "code" },
  "recovery_code.code_hash": { forgotten: "after minutes" },
  "request_once.fingerprint": { forgotten: "after a day" },
  "second_factor_code.code_hash": { keyless: TOKEN },
  "session.token_hash": { keyless: TOKEN },
  "webhook.previous_secret_box": { box: "webhook" },
  "webhook.secret_box": { box: "webhook" },
  "withdrawal_account.number_box": { box: "payout" },
} as const satisfies Record<string, ColumnFate>;

/** Where boxes of one purpose stand in a table. */
export interface SealedColumn {
  /** as it is told: `table.column` */
  name: string;
  table: string;
  /** SQL: the box as bytea, of the row `t` */
  read: string;
  /** SQL: what sets it to `v.box` (and its hash to `v.hash`) */
  write: string;
  purpose: SecretPurpose;
  /** its keyed hash is written with it */
  hashed: boolean;
}

function sealedColumn(name: string, fate: ColumnFate): SealedColumn[] {
  if (!("box" in fate)) return [];
  const [table = "", column = ""] = name.split(".");
  const write = `${column} = v.box${fate.hash ? `, ${fate.hash} = v.hash` : ""}`;
  return [{ name, table, read: `t.${column}`, write, purpose: fate.box, hashed: fate.hash !== undefined }];
}

/** What was searched for, in the request of an export: a box as base64 in JSON. */
const EXPORT_FILTERS: SealedColumn = {
  name: "export.request",
  table: "export",
  read: "decode(t.request ->> 'box', 'base64')",
  write: "request = jsonb_set(t.request, '{box}', to_jsonb(translate(encode(v.box, 'base64'), E'\\n', '')))",
  purpose: "document",
  hashed: false,
};

/** Everything in the database that is sealed. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...Object.entries(BYTES_COLUMNS).flatMap(([name, fate]) => sealedColumn(name, fate)),
  EXPORT_FILTERS,
];
