/**
 * Vocabularies as plain lists, for code that should not carry the schema library; enums.ts and schemas/ build on them.
 */
export const FOLIO_ENTRY_TYPES = [
  "room",
  "renewal",
  "exchange",
  "deposit",
  "payment",
  "refund",
  "recharge",
  "withdrawal",
  "deposit_used",
  "deposit_kept",
  "extra",
  "breakfast",
  "cancellation",
  "withdrawal_undone",
  "reversal",
] as const;

export const PAYMENT_CHANNELS = ["cash", "card", "transfer", "other"] as const;
export const WITHDRAWAL_ACCOUNT_TYPES = ["bank", "alipay", "wechat", "paypal", "other"] as const;

export const UNLOCK_STYLES = ["card", "passcode", "face", "remote", "key", "inside", "fingerprint", "unknown"] as const;

export const LOCK_DRIVERS = ["mqtt", "zigbee2mqtt", "ttlock"] as const;

export const LOCK_COMMAND_TYPES = [
  "configure",
  "set_credential",
  "remove_credential",
  "block_card",
  "allow_card",
  "raise_floor",
  "skip_code",
  "set_clock",
  "notice",
  "unlock",
  "lift_block",
  "read_back",
] as const;

export const LOCK_COMMAND_STATES = [
  "queued",
  "sent",
  "acknowledged",
  "failed",
  "expired",
  "superseded",
  "cancelled",
] as const;
/** Why staff open the door of an occupied room. */
export const OPENING_REASONS = ["lockout", "maintenance", "emergency", "guest_wish", "other"] as const;
/** The same, and what opened it without a person who was asked. */
export const STORED_OPENING_REASONS = [
  ...OPENING_REASONS,
  "home_assistant",
  "old_client",
  "api",
  "guest_page",
] as const;

export const CREDENTIAL_KINDS = ["card", "passcode", "face"] as const;
export const CREDENTIAL_STATES = ["queued", "sent", "confirmed", "used", "failed", "revoking", "revoked"] as const;
export const PASSCODE_TYPES = ["air", "custom", "one_time"] as const;
export const CARD_STATES = ["pending", "active", "revoking", "revoked"] as const;
/** Filters of the lists of cards and codes. */
export const CARD_FILTERS = ["live", "ended", "all"] as const;
export const PASSCODE_FILTERS = ["live", "ended"] as const;
/** States of a guest; `expired` means in the hotel past the planned departure. */
export const GUEST_STATES = ["reserved", "in", "expired", "out", "cancelled", "no_show"] as const;
/** What a row of the occupancy report is. */
export const OCCUPANCY_SPANS = ["day", "week", "month"] as const;
export const CARD_KINDS = ["guest", "management", "universal", "emergency", "block_out", "one_shot"] as const;
/** Cards for a moment that a staff card or master key card is not made for; each has its own meaning to a lock. */
export const SPECIAL_CARD_KINDS = ["emergency", "block_out", "one_shot"] as const;

/** Where a spare card stands: `void` once a later card ended it, or its door has another lock. */
export const SPARE_CARD_STATES = ["pending", "sealed", "used", "void", "expired", "revoked"] as const;

/** What a door that belongs to no room leads to. */
export const DOOR_KINDS = ["entrance", "lift", "facility", "parking", "staff", "other"] as const;

export const ALERT_KINDS = [
  "battery_low",
  "tamper",
  "wrong_codes",
  "lock_offline",
  "clock_drift",
  "records_lost",
  "command_failed",
  "unmanaged_code",
  "webhook_failing",
  "codes_again",
  "residual_keys",
  "cards_to_rewrite",
  "code_taken",
  "guest_message_failed",
  "emergency_opened",
  "blocked_out",
  "spare_opened",
  "block_out_ended",
] as const;

export const KEYS_OF_STAY_KINDS = ["card", "airCard", "idCard", "passcode", "face"] as const;

/**
 * Where a key of a stay stands: to be written again; on its way to the lock; not stored by the lock; it opens, as the
 * lock confirmed; or it ended, and the lock has confirmed that or may still open for it.
 */
export const STAY_KEY_STATES = ["rewrite", "waiting", "failed", "opens", "may_open", "ended"] as const;

/** Why a written card no longer fits its stay, so that the desk has to write it again. */
export const REWRITE_REASONS = ["unfinished", "room_changed", "too_short", "refused", "zones"] as const;

/** Status of a key over all its doors: those that need attention first, then by certainty. */
export const KEY_STATUSES = ["pending", "active", "failed", "revoking", "revoked", "expired"] as const;

/** Reasons that a lock reports for not opening. */
export const UNLOCK_REASONS = [
  "unknown",
  "expired",
  "not_yet",
  "outside_hours",
  "superseded",
  "other_door",
  "other_hotel",
  "blocked",
  "damaged",
  "not_listed",
  "locked_out",
  "deadbolt",
  "used",
  "blocked_out",
  "block_out_set",
  "block_out_lifted",
] as const;

/** Reasons why a lock did not execute a command; the console itself determines the last ones. */
export const LOCK_ERRORS = [
  "full",
  "duplicate",
  "invalid",
  "unsupported",
  "busy",
  "not_found",
  "too_simple",
  "refused",
  "frozen",
  "offline",
  "no_answer",
  "gateway",
  "account",
  "not_set_up",
  "replaced",
  "internal",
] as const;

/**
 * Why a key of a replaced lock doesn't work at its successor: only the former lock could compute the code, or knew
 * whether the card had opened; the new lock reads no written cards, or has no days and hours; it may not accept the card's number;
 * another key has the code there; the key didn't open for its guest any more, e.g. because the stay is over.
 */
export const LEFT_KEY_REASONS = [
  "one_time",
  "opens_once",
  "no_records",
  "no_hours",
  "refused",
  "code_taken",
  "not_granted",
] as const;

/** Reasons why a key was revoked. */
export const REVOKE_REASONS = [
  "reissued",
  "superseded",
  "by_hand",
  "lost",
  "checked_out",
  "cancelled",
  "room_changed",
  "new_guest",
  "lock_moved",
  "sequence_reset",
  "erased",
  "period_over",
  "zone_left",
  "door_left",
  "check_in_undone",
  "used_up",
] as const;

/** Possible problems of a key, as returned by `keyVerdict`. */
export const KEY_VERDICTS = [
  "works",
  "no_lock",
  "room_empty",
  "card_unknown",
  "card_not_written",
  "card_superseded",
  "card_taken_back",
  "card_not_yet",
  "outside_hours",
  "card_expired",
  "card_too_short",
  "card_other_room",
  "zone_not_of_stay",
  "zone_not_on_card",
  "card_too_old",
  "stay_over",
  "credential_failed",
  "never_confirmed",
  "lock_offline",
  "battery_empty",
  "no_key",
  "clock_wrong",
  "try_again",
  "deadbolt",
  "locked_out",
  "refused_unknown",
  "refused_early",
  "refused_expired",
  "refused_hours",
  "refused_revoked",
  "should_work",
  "wrong_code",
  "code_used",
  "code_taken_back",
  "lock_not_set_up",
  "lock_reset",
  "battery_run_out",
  "blocked_out",
  "block_out_card",
  "card_used",
] as const;
/**
 * What ends a revoked card at a lock, in the order in which it is done: the lock answers by itself, is tried again, needs
 * batteries, has to be reached again, or was removed and has to be looked for.
 */
export const REMOVAL_STEPS = ["wait", "retry", "battery", "reach", "check"] as const;
/** The ways of opening that need a key: a card, a code, or a person's face or finger. */
export const KEY_STYLES = ["card", "passcode", "face", "fingerprint"] as const;
export const KEY_MENDS = [
  "none",
  "write_card",
  "renew",
  "retry_lock",
  "open_door",
  "replace_battery",
  "check_in",
  "add_lock",
  "set_up_lock",
] as const;

/**
 * Placeholder for the name of an erased person. It is not a word of any language, so lists, documents and exports need
 * no special case.
 */
export const FORGOTTEN = "–";
