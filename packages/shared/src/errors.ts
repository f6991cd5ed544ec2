import type { z } from "zod";

/**
 * All error codes. `http` is the status of the typed API, `errno` the number for old clients (design: compatibility
 * layer), and `errors.<code>` in the locales is the text for people.
 */
export const ERRORS = {
  invalid_input: { http: 400, errno: 100001 },
  credentials_wrong: { http: 401, errno: 100002 },
  captcha_required: { http: 401, errno: 100004 },
  captcha_wrong: { http: 401, errno: 100004 },
  code_wrong: { http: 401, errno: 100004 },
  /** a login step that expired, was already used, or had too many wrong attempts */
  challenge_gone: { http: 401, errno: 100004 },
  passkey_wrong: { http: 401, errno: 100002 },
  too_many_attempts: { http: 429, errno: 100005 },
  session_missing: { http: 401, errno: 9000005 },
  session_expired: { http: 401, errno: 100003 },
  session_revoked: { http: 401, errno: 9000005 },
  /** for programs: unknown, expired and revoked keys get the same answer */
  key_invalid: { http: 401, errno: 9000005 },
  frozen: { http: 403, errno: 100006 },
  no_permission: { http: 403, errno: 100006 },
  /** the call would pay out money, and the caller may not pay out */
  payout_not_allowed: { http: 403, errno: 100006 },
  /** login through an API without a second step, for an account that has or needs a second factor */
  two_step_needed: { http: 403, errno: 100006 },
  /** the hotel requires a second factor that the operator of this session has not set up yet */
  two_step_due: { http: 403, errno: 100006 },
  /** the operator of this session has not yet replaced the password that a colleague set */
  password_due: { http: 403, errno: 100006 },
  /** a change that affects the security of an account needs a recent proof by password or passkey */
  proof_needed: { http: 403, errno: 100006 },
  /** the browser used a host name that isn't the server's */
  unknown_host: { http: 421, errno: 100006 },
  /** login after failures: first solve the task in `challenge` and `bits`, which makes guessing expensive */
  work_required: { http: 401, errno: 100004 },
  cross_site: { http: 403, errno: 100006 },
  feature_off: { http: 403, errno: 9000020 },
  not_found: { http: 404, errno: 100007 },
  room_taken: { http: 409, errno: 100008 },
  room_not_ready: { http: 409, errno: 100009 },
  stay_expired: { http: 409, errno: 100008 },
  /** a no-show is recorded from the planned arrival on */
  not_due_yet: { http: 409, errno: 100008 },
  /** more than ten minutes ago, on a business day that was closed */
  undo_over: { http: 409, errno: 100008 },
  /** after a check-in the stay changed its room or departure, or something was posted to its bill */
  changed_since: { http: 409, errno: 100008 },
  /** a reservation whose planned departure has passed can't come back */
  reservation_over: { http: 409, errno: 100008 },
  arrival_too_early: { http: 409, errno: 100008 },
  room_in_use: { http: 409, errno: 100008 },
  /** a block-out card keeps guests out of it */
  room_blocked: { http: 409, errno: 100008 },
  /** a party that is expected, or in the hotel, has a key that opens the room */
  key_of_party: { http: 409, errno: 100008 },
  name_taken: { http: 409, errno: 100008 },
  account_taken: { http: 409, errno: 100008 },
  state_conflict: { http: 409, errno: 100008 },
  price_changed: { http: 409, errno: 100008 },
  price_missing: { http: 409, errno: 100008 },
  refund_too_large: { http: 409, errno: 100008 },
  balance_too_small: { http: 409, errno: 100008 },
  withdrawal_account_missing: { http: 409, errno: 100008 },
  day_not_over: { http: 409, errno: 100008 },
  /** the figures of the day are no longer those that the caller saw */
  figures_changed: { http: 409, errno: 100008 },
  in_house: { http: 409, errno: 100008 },
  /** the card reader is bound to other people, who are named */
  reader_of_others: { http: 403, errno: 100006 },
  device_taken: { http: 409, errno: 100008 },
  /** this server serves no pages for guests */
  guest_page_off: { http: 409, errno: 100008 },
  /** the hotel has as many open hand-over notes as it may have */
  too_many_notes: { http: 409, errno: 100008 },
  import_has_errors: { http: 409, errno: 100008 },
  export_gone: { http: 409, errno: 100008 },
  exports_unfinished: { http: 409, errno: 100008 },
  customer_frozen: { http: 409, errno: 100008 },
  lock_missing: { http: 409, errno: 100008 },
  /** a written card does not work at that lock */
  lock_reads_no_cards: { http: 409, errno: 100008 },
  /** days and hours can't be sent to that lock */
  lock_without_hours: { http: 409, errno: 100008 },
  lock_not_set_up: { http: 409, errno: 100008 },
  lock_offline: { http: 409, errno: 100008 },
  /** somebody stays in the room: repeat the call with a reason */
  opening_reason_needed: { http: 409, errno: 100008 },
  lock_in_use: { http: 409, errno: 100008 },
  address_taken: { http: 409, errno: 100008 },
  code_taken: { http: 409, errno: 100008 },
  /** a lock has not confirmed the code yet */
  code_not_ready: { http: 409, errno: 100008 },
  /** no service for messages of this kind is set up */
  message_not_possible: { http: 409, errno: 100008 },
  /** it was sent by hand as often as it may be */
  sent_too_often: { http: 409, errno: 100008 },
  code_weak: { http: 400, errno: 100001 },
  codes_unused: { http: 409, errno: 100008 },
  /** the card belongs to another guest, and the caller may reassign it: repeat the call with `overwrite` */
  card_of_guest: { http: 409, errno: 100008 },
  card_of_house: { http: 409, errno: 100008 },
  /** the number of the identity card can't serve as a key: it changes with each reading */
  id_card_changes: { http: 409, errno: 100008 },
  card_in_use: { http: 409, errno: 100008 },
  consent_missing: { http: 400, errno: 100001 },
  read_back_mismatch: { http: 409, errno: 100008 },
  last_guest: { http: 409, errno: 100008 },
  last_owner: { http: 409, errno: 100008 },
  /** the last second factor can't be removed while the hotel requires one */
  last_factor: { http: 409, errno: 100008 },
  already_set_up: { http: 409, errno: 100008 },
  guest_already_in: { http: 409, errno: 100009 },
  /** another guest of the party has the name, in which door codes are made out */
  unpaid: { http: 409, errno: 100009 },
  file_too_large: { http: 413, errno: 100001 },
  file_not_image: { http: 415, errno: 100001 },
  /** whether a picture shows exactly one face could not be found out */
  face_check_failed: { http: 502, errno: 100010 },
  /** the same write is running or was done just now */
  repeated: { http: 409, errno: 9000003 },
  external_failed: { http: 502, errno: 100010 },
  unavailable: { http: 503, errno: 100000 },
  internal: { http: 500, errno: 100000 },
} as const satisfies Record<string, { http: number; errno: number }>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** A message in the reader's language: a locale key and the values for its placeholders. */
export interface FieldMessage {
  key: string;
  params?: Record<string, string | number>;
}

type ErrorParams = Record<string, string | number>;

/** Error details that are sent to the console. */
export interface ErrorPayload {
  code: ErrorCode;
  params?: ErrorParams;
  /** by path of the input, e.g. "guests.0.name" */
  fields?: Record<string, FieldMessage>;
  requestId?: string;
}

/** The only error that services throw. `code` says what happened; `params` are the values for its message. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  constructor(
    readonly code: ErrorCode,
    readonly params: ErrorParams = {},
    readonly fields?: Record<string, FieldMessage>,
  ) {
    super(code);
  }
}

type Issue = z.core.$ZodIssue;

/** Returns the first message of every invalid field by its path; used by forms and by all APIs. */
export function fieldMessages(issues: readonly Issue[]): Record<string, FieldMessage> {
  const fields: Record<string, FieldMessage> = {};
  for (const issue of issues) {
    const path = issue.path.map(String).join(".");
    fields[path] ??= { key: keyOf(issue), ...paramsOf(issue) };
  }
  return fields;
}

function keyOf(issue: Issue): string {
  if (issue.message.startsWith("validation.")) return issue.message;
  if (issue.code === "invalid_value") return "validation.choice";
  if (issue.code === "invalid_type") return "validation.required";
  if (issue.code === "too_big") return "validation.tooLarge";
  if (issue.code === "too_small") return "validation.tooSmall";
  return "validation.unknown";
}

function paramsOf(issue: Issue): { params?: Record<string, string | number> } {
  if (issue.code === "custom" && issue.params) return { params: issue.params };
  if (issue.code === "too_big" && issue.maximum !== undefined) return { params: { max: Number(issue.maximum) } };
  if (issue.code === "too_small" && issue.minimum !== undefined) return { params: { min: Number(issue.minimum) } };
  return {};
}
