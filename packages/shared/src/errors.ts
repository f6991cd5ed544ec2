/**
 * The one vocabulary of what can go wrong. `http` is what typed doors answer, `errno` what old clients get
 * (design: compatibility layer), and `errors.<code>` in the locales is what a person reads.
 */
export const ERRORS = {
  invalid_input: { http: 400, errno: 100001 },
  credentials_wrong: { http: 401, errno: 100002 },
  captcha_required: { http: 401, errno: 100004 },
  captcha_wrong: { http: 401, errno: 100004 },
  code_wrong: { http: 401, errno: 100004 },
  /** a step of a login that ran out, was used, or had too many wrong tries */
  challenge_gone: { http: 401, errno: 100004 },
  passkey_wrong: { http: 401, errno: 100002 },
  too_many_attempts: { http: 429, errno: 100005 },
  session_missing: { http: 401, errno: 9000005 },
  session_expired: { http: 401, errno: 100003 },
  session_revoked: { http: 401, errno: 9000005 },
  /** of a program: unknown, expired and revoked are told alike */
  key_invalid: { http: 401, errno: 9000005 },
  frozen: { http: 403, errno: 100006 },
  no_permission: { http: 403, errno: 100006 },
  /** of an act by which money would leave the hotel, by who may not pay out */
  payout_not_allowed: { http: 403, errno: 100006 },
  /** of a login at a door that knows no second step, for an account that has one or must have one */
  two_step_needed: { http: 403, errno: 100006 },
  /** of a session whose hotel asks for a second factor that its operator has yet to set up */
  two_step_due: { http: 403, errno: 100006 },
  /** of a session whose operator has yet to choose a password in place of the one that a colleague gave them */
  password_due: { http: 403, errno: 100006 },
  /** of what guards an account: the password or a passkey was shown too long ago */
  proof_needed: { http: 403, errno: 100006 },
  /** of a browser that was led here under a name that isn't the server's */
  unknown_host: { http: 421, errno: 100006 },
  /** of a login after failures: `challenge` and `bits` are a small task first, so that guessing costs something */
  work_required: { http: 401, errno: 100004 },
  cross_site: { http: 403, errno: 100006 },
  feature_off: { http: 403, errno: 9000020 },
  not_found: { http: 404, errno: 100007 },
  room_taken: { http: 409, errno: 100008 },
  room_not_ready: { http: 409, errno: 100009 },
  stay_expired: { http: 409, errno: 100008 },
  arrival_too_early: { http: 409, errno: 100008 },
  room_in_use: { http: 409, errno: 100008 },
  name_taken: { http: 409, errno: 100008 },
  account_taken: { http: 409, errno: 100008 },
  state_conflict: { http: 409, errno: 100008 },
  price_changed: { http: 409, errno: 100008 },
  price_missing: { http: 409, errno: 100008 },
  refund_too_large: { http: 409, errno: 100008 },
  balance_too_small: { http: 409, errno: 100008 },
  withdrawal_account_missing: { http: 409, errno: 100008 },
  day_not_over: { http: 409, errno: 100008 },
  in_house: { http: 409, errno: 100008 },
  device_taken: { http: 409, errno: 100008 },
  import_has_errors: { http: 409, errno: 100008 },
  export_gone: { http: 409, errno: 100008 },
  exports_unfinished: { http: 409, errno: 100008 },
  customer_frozen: { http: 409, errno: 100008 },
  lock_missing: { http: 409, errno: 100008 },
  /** a written card is no key there */
  lock_reads_no_cards: { http: 409, errno: 100008 },
  lock_not_set_up: { http: 409, errno: 100008 },
  lock_offline: { http: 409, errno: 100008 },
  lock_in_use: { http: 409, errno: 100008 },
  address_taken: { http: 409, errno: 100008 },
  code_taken: { http: 409, errno: 100008 },
  code_weak: { http: 400, errno: 100001 },
  codes_unused: { http: 409, errno: 100008 },
  /** of another guest, by who may take it from them: it is asked again with `overwrite` */
  card_of_guest: { http: 409, errno: 100008 },
  card_of_house: { http: 409, errno: 100008 },
  card_in_use: { http: 409, errno: 100008 },
  consent_missing: { http: 400, errno: 100001 },
  read_back_mismatch: { http: 409, errno: 100008 },
  last_guest: { http: 409, errno: 100008 },
  last_owner: { http: 409, errno: 100008 },
  /** of the last second factor of somebody whose hotel asks for one */
  last_factor: { http: 409, errno: 100008 },
  already_set_up: { http: 409, errno: 100008 },
  guest_already_in: { http: 409, errno: 100009 },
  unpaid: { http: 409, errno: 100009 },
  file_too_large: { http: 413, errno: 100001 },
  file_not_image: { http: 415, errno: 100001 },
  /** of a write: the same one is at work, or was done just now */
  repeated: { http: 409, errno: 9000003 },
  external_failed: { http: 502, errno: 100010 },
  unavailable: { http: 503, errno: 100000 },
  internal: { http: 500, errno: 100000 },
} as const satisfies Record<string, { http: number; errno: number }>;

export type ErrorCode = keyof typeof ERRORS;

/** A message in the reader's language: a locale key and what is put into it. */
export interface FieldMessage {
  key: string;
  params?: Record<string, string | number>;
}

export type ErrorParams = Record<string, string | number>;

/** What travels to the console beside an error. */
export interface ErrorPayload {
  code: ErrorCode;
  params?: ErrorParams;
  /** by path of the input, e.g. "guests.0.name" */
  fields?: Record<string, FieldMessage>;
  requestId?: string;
}

/** The only error that services throw. `code` says what happened, `params` what the message names. */
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
