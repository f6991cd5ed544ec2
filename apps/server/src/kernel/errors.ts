import { DomainError, type ErrorCode } from "@innkey/shared/errors";

/**
 * Error codes of database constraints. Constraints make the final decision on overlaps and uniqueness; their names are
 * the only link between the SQL in prisma/migrations and our error codes.
 */
const CONSTRAINTS: Record<string, ErrorCode> = {
  occupancy_no_overlap: "room_taken",
  occupancy_one_in_house: "room_taken",
  occupancy_one_live_per_stay: "state_conflict",
  room_hotel_id_name_key: "name_taken",
  room_group_hotel_id_name_key: "name_taken",
  price_template_hotel_id_name_key: "name_taken",
  lock_hotel_id_mac_key: "address_taken",
  lock_one_per_address: "address_taken",
  credential_code_unique: "code_taken",
  credential_one_per_card: "state_conflict",
  credential_one_per_passcode: "state_conflict",
  credential_one_per_face: "state_conflict",
  card_one_live: "card_in_use",
  card_reader_hotel_id_device_no_key: "device_taken",
  face_hotel_id_file_id_key: "state_conflict",
  lock_hotel_id_room_id_key: "state_conflict",
  operator_mobile_key: "account_taken",
  operator_email_key: "account_taken",
  membership_hotel_id_operator_id_key: "account_taken",
  stay_guest_stay_id_guest_id_key: "state_conflict",
};

/** SQLSTATEs of errors that a retry can solve: serialisation failure, deadlock. */
const TRANSIENT = /\b(40001|40P01)\b|TransactionWriteConflict|deadlock detected|P2034/;
/** A conditional update found no row in the expected state. */
const CHANGED_MEANWHILE = /\bP2025\b/;
/**
 * The server went away, doesn't answer, or no connection was free. Acknowledged writes are safe; an unacknowledged one
 * may be stored if the connection broke during the commit.
 */
const UNREACHABLE_DATABASE =
  /ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|Connection terminated|connection error and is not queryable|57P0[1-5]|server closed|P1001|P1008|P1017|P2024|P2028|timeout exceeded when trying to connect|Query read timeout/;
/** The server has run out of disk, memory or connections, is being restored, or is no longer the primary. */
const REFUSES_WRITES = /\b(53[1-4]00|58030|25006)\b|No space left on device|TooManyConnections/;

function textOf(error: unknown, depth = 0): string {
  if (depth > 4 || error === null || typeof error !== "object") return String(error ?? "");
  const { message, code, meta, cause } = error as { message?: string; code?: string; meta?: unknown; cause?: unknown };
  return [message, code, meta ? JSON.stringify(meta) : "", cause ? textOf(cause, depth + 1) : ""].join(" ");
}

/** What a transaction had read changed while it waited for a row. The transaction runs again from its beginning. */
export class LostRaceError extends Error {}

export function isTransient(error: unknown): boolean {
  if (error instanceof LostRaceError) return true;
  return !(error instanceof DomainError) && TRANSIENT.test(textOf(error));
}

/** Converts a database error into a domain error; returns any other error unchanged. */
export function asDomainError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (error instanceof LostRaceError) return new DomainError("state_conflict");
  const text = textOf(error);
  for (const [constraint, code] of Object.entries(CONSTRAINTS))
    if (text.includes(constraint)) return new DomainError(code);
  if (CHANGED_MEANWHILE.test(text)) return new DomainError("state_conflict");
  if (UNREACHABLE_DATABASE.test(text) || REFUSES_WRITES.test(text))
    return Object.assign(new DomainError("unavailable"), { cause: error });
  return error;
}

/** Returns the error for a caller who must wait `milliseconds`. */
export function tooManyAttempts(milliseconds: number): DomainError {
  return new DomainError("too_many_attempts", { retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) });
}
