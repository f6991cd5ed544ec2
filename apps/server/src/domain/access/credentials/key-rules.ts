import type { RevokeReason, UnlockReason, UnlockStyle } from "@innkey/shared/enums";
import { LOW_POWER_PERCENT } from "@innkey/shared/locks/lock-status";
import { isWithinHours, nextStart } from "@innkey/shared/locks/week-hours";
import type { KeyStyle, KeyVerdict } from "@innkey/shared/schemas/access/locks";
import { KEY_STYLES } from "@innkey/shared/words";
import type { Answer, Door, Key } from "./key-facts.ts";

/** One verdict: what is wrong, its parameters and the remedy. */
export type Finding = Pick<KeyVerdict, "verdict" | "params" | "mend">;

/** `timeZone` is the hotel's. */
type Rule = (key: Key, door: Door | null, now: string, timeZone: string) => Finding | null;

/** Battery level in percent at or below which a lock's motor is unreliable. */
const EMPTY_BATTERY_PERCENT = 3;

const findingOf = (
  verdict: Finding["verdict"],
  mend: Finding["mend"],
  params: Record<string, string | number | null | undefined> = {},
): Finding => ({
  verdict,
  mend,
  params: Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string | number] => entry[1] != null),
  ),
});

const notWritten: Rule = ({ state }) => (state === "pending" ? findingOf("card_not_written", "write_card") : null);

const NEWER_ISSUE: ReadonlySet<RevokeReason | null> = new Set<RevokeReason>(["superseded", "reissued"]);
const revoked: Rule = ({ state, stayState, stayEndsAt, revokedAt, revokeReason }) => {
  if (state !== "revoking" && state !== "revoked") return null;
  if (stayState !== null && stayState !== "checked_in") return findingOf("stay_over", "check_in", { at: stayEndsAt });
  const verdict = NEWER_ISSUE.has(revokeReason) ? "card_superseded" : "card_taken_back";
  return findingOf(verdict, stayState === null ? "none" : "write_card", { at: revokedAt });
};

const namesOf = (key: Key | null): string => key?.rooms.map(({ name }) => name).join(", ") || "•••";

/** Kinds of cards of the house whose doors were chosen, or are all. A master key card opens every door. */
const isStaffKind = (kind: Key["kind"]): boolean => kind !== "guest" && kind !== "code" && kind !== "universal";

/** A staff card opens the doors of its groups and zones too, and is on the lists of their locks. */
const isListedAt = ({ kind, credentials }: Key, { doorId, lockId }: Door): boolean =>
  (doorId !== null || isStaffKind(kind)) && credentials.some((credential) => credential.lockId === lockId);

const otherRoom: Rule = (key, door) => {
  const { kind, rooms } = key;
  if (door === null || kind === "universal" || kind === "code" || rooms.some(({ id }) => id === door.roomId))
    return null;
  if (door.doorId !== null && kind === "guest") return null;
  if (isListedAt(key, door)) return null;
  return findingOf("card_other_room", "none", { otherRoom: namesOf(key) });
};

/** A guest opens a common door by a zone of the stay: a written card by the zone's record, other keys by the lock's list. */
const otherZone: Rule = ({ kind, overTheAir, zones, stayZones, credentials }, door) => {
  if (door === null || door.doorId === null || (kind !== "guest" && kind !== "code")) return null;
  const params = { zones: door.zones.map(({ name }) => name).join(", ") || door.roomName };
  const isOfStay = door.zones.some(({ id }) => stayZones.includes(id));
  if (overTheAir || kind === "code") {
    const isListed = credentials.some(({ lockId }) => lockId === door.lockId);
    return isListed || isOfStay ? null : findingOf("zone_not_of_stay", "none", params);
  }
  const carried = door.zones.filter(({ id }) => zones.includes(id));
  if (carried.some(({ confirmed }) => confirmed)) return null;
  if (carried.length > 0) return neverConfirmed(door);
  return isOfStay ? findingOf("zone_not_on_card", "write_card", params) : findingOf("zone_not_of_stay", "none", params);
};

const noLock: Rule = (_key, door) => (door && door.lockId === null ? findingOf("no_lock", "add_lock") : null);

/** The lock was never configured, or it lost its card keys and a new attempt to send them failed. */
const notSetUp: Rule = ({ kind }, door) => {
  if (door?.driver !== "mqtt") return null;
  const lacksKeys = door.setUpFailed && kind !== "code";
  return door.configuredAt === null || lacksKeys ? findingOf("lock_not_set_up", "set_up_lock") : null;
};

const stayOver: Rule = ({ stayState, stayEndsAt }) =>
  stayState === "checked_out" || stayState === "cancelled" || stayState === "no_show"
    ? findingOf("stay_over", "check_in", { at: stayEndsAt })
    : null;

const outsidePeriod: Rule = ({ kind, validFrom, validTo, stayState, stayEndsAt }, _door, now) => {
  if (validFrom > now) return findingOf("card_not_yet", "none", { at: validFrom });
  if (validTo === null || validTo > now) return null;
  const isCheckedIn = stayState === "checked_in";
  if (isCheckedIn && stayEndsAt !== null && stayEndsAt > now)
    return findingOf(kind === "code" ? "card_expired" : "card_too_short", "write_card", { at: validTo });
  return findingOf("card_expired", isCheckedIn ? "renew" : "none", { at: validTo });
};

/** A staff card opens at its days and hours only. */
const outsideHours: Rule = ({ hours }, _door, now, timeZone) =>
  isWithinHours(hours, now, timeZone)
    ? null
    : findingOf("outside_hours", "none", { at: nextStart(hours, now, timeZone) });

const refusedRecord: Rule = ({ kind, overTheAir, lockNumber, sequence }, door) => {
  if (door === null || door.doorId !== null || overTheAir || kind === "code") return null;
  if (kind === "guest" && lockNumber !== door.lockId) return findingOf("card_too_old", "write_card");
  return kind === "guest" && sequence < door.guestFloor ? findingOf("card_superseded", "write_card") : null;
};

/** A lock without power can't report it. If its battery was low when it went silent, it is most likely empty now. */
function emptyBattery(door: Door | null): Finding | null {
  if (door?.lockId == null || door.power === null) return null;
  const { power } = door;
  if (power <= EMPTY_BATTERY_PERCENT) return findingOf("battery_empty", "replace_battery", { power });
  const since = silentSince(door);
  return since && power < LOW_POWER_PERCENT ? findingOf("battery_run_out", "replace_battery", { power, since }) : null;
}

/**
 * A lock that lost its memory knows no key until it confirms them, unless the door has opened for this key since then.
 */
const lostMemory: Rule = (key, door) => {
  if (door?.resetAt == null) return null;
  const { resetAt } = door;
  if (door.answers.some((answer) => answer.success && answer.happenedAt >= resetAt && isOf(key, answer))) return null;
  return findingOf("lock_reset", isUnreachable(door) ? "set_up_lock" : "retry_lock", { at: resetAt });
};

/** The lock has not received the key yet: it is unreachable, or the key will arrive at any moment. */
function neverConfirmed(door: Door): Finding {
  if (!isUnreachable(door)) return findingOf("never_confirmed", "retry_lock");
  return findingOf("lock_offline", "retry_lock", { since: silentSince(door) });
}

const isUnreachable = ({ online, breakerOpenedAt }: Door): boolean => !online || breakerOpenedAt !== null;

/**
 * Returns since when a lock has been unreachable: when its circuit breaker opened, otherwise when it was last seen.
 * Null if the lock is reachable.
 */
export const silentSince = (door: Door): string | null =>
  door.lockId !== null && isUnreachable(door) ? (door.breakerOpenedAt ?? door.lastSeenAt) : null;

const refusedNumber: Rule = ({ refusedBy }, door) =>
  door !== null && door.lockId !== null && refusedBy.includes(door.lockId) ? neverConfirmed(door) : null;

const notOnList: Rule = ({ kind, overTheAir, credentials }, door) => {
  if (door === null || door.lockId === null || (kind === "guest" && !overTheAir)) return null;
  const here = credentials.find(({ lockId }) => lockId === door.lockId);
  if (here?.state === "failed") return findingOf("credential_failed", "retry_lock", { error: here.failReason });
  return here?.state === "confirmed" || here?.state === "used" ? null : neverConfirmed(door);
};

/** Seconds that a lock's clock may be off before it is set. */
const DRIFT_SECONDS = 20;

/** While a block-out card keeps guests out, only cards of the house open the door. A key that opens by its number is none. */
const blockedOut: Rule = ({ kind, overTheAir }, door) =>
  door?.blockedOutAt != null && (kind === "guest" || kind === "code" || kind === "one_shot" || overTheAir)
    ? findingOf("blocked_out", "none", { at: door.blockedOutAt })
    : null;

const blockOutCard: Rule = ({ kind }) => (kind === "block_out" ? findingOf("block_out_card", "none") : null);

const usedUp: Rule = ({ once, usedAt }) =>
  once && usedAt !== null ? findingOf("card_used", "none", { at: usedAt }) : null;

const wrongClock: Rule = ({ validFrom, validTo, hours }, door, now, timeZone) => {
  const drift = door?.driftSeconds ?? 0;
  if (Math.abs(drift) <= DRIFT_SECONDS) return null;
  const lockTime = new Date(Date.parse(now) + drift * 1000).toISOString();
  const isOutside =
    lockTime < validFrom || (validTo !== null && lockTime >= validTo) || !isWithinHours(hours, lockTime, timeZone);
  return isOutside ? findingOf("clock_wrong", "retry_lock", { lockTime }) : null;
};

const REASON_CAUSES: Record<
  Exclude<UnlockReason, "expired" | "not_yet" | "outside_hours" | "unknown" | "blocked" | "other_door">,
  Pick<Finding, "verdict" | "mend">
> = {
  superseded: { verdict: "card_superseded", mend: "write_card" },
  other_hotel: { verdict: "card_too_old", mend: "write_card" },
  damaged: { verdict: "card_not_written", mend: "write_card" },
  not_listed: { verdict: "never_confirmed", mend: "retry_lock" },
  locked_out: { verdict: "locked_out", mend: "open_door" },
  deadbolt: { verdict: "deadbolt", mend: "none" },
  used: { verdict: "card_used", mend: "none" },
  blocked_out: { verdict: "try_again", mend: "open_door" },
  block_out_set: { verdict: "block_out_card", mend: "none" },
  block_out_lifted: { verdict: "block_out_card", mend: "none" },
};

/** Reasons with which a lock refuses cards while it lacks the keys from its configuration. */
const KEY_MISSING_REASONS = new Set<string>(["unknown", "other_door", "other_hotel", "not_listed", "damaged"]);

/** Explains a lock's refusal of a key that the console considers valid (null: an unknown key was tried). */
function explainRefusal({ reason, style, at, happenedAt, clockWasOff }: Answer, key: Key | null, door: Door): Finding {
  const isOwnDoor =
    door.doorId !== null || (key !== null && (key.rooms.some(({ id }) => id === door.roomId) || isListedAt(key, door)));
  const isSetUpSince = style === "card" && door.configuredAt !== null && happenedAt < door.configuredAt;
  if (isSetUpSince && KEY_MISSING_REASONS.has(reason)) return findingOf("try_again", "open_door", { at: happenedAt });
  const hasEnded = clockWasOff || (key?.validTo != null && at >= key.validTo);
  switch (reason) {
    case "":
      return findingOf("try_again", "open_door", { at: happenedAt });
    case "unknown":
      return style === "card"
        ? findingOf("refused_unknown", "write_card", { at: happenedAt })
        : findingOf("wrong_code", "open_door", { at: happenedAt });
    case "not_yet":
      return key
        ? findingOf("try_again", "open_door", { at: happenedAt })
        : findingOf("refused_early", "none", { at: happenedAt });
    case "outside_hours":
      // It is within its hours now.
      return findingOf(key ? "try_again" : "refused_hours", key ? "open_door" : "none", { at: happenedAt });
    case "expired":
      // If the key's end has passed by the lock's clock, the clock was wrong. Otherwise the card itself carries an
      // earlier end.
      if (hasEnded) return findingOf("try_again", "open_door", { at: happenedAt });
      return key?.kind === "code"
        ? findingOf("never_confirmed", "retry_lock")
        : findingOf("refused_expired", "write_card", { at: happenedAt });
    case "blocked":
      return findingOf("refused_revoked", "write_card", { at: happenedAt });
    case "other_door":
      // The card was made for this door, so its record can no longer be read.
      if (isOwnDoor) return findingOf("refused_unknown", "write_card", { at: happenedAt });
      return findingOf("card_other_room", "none", { otherRoom: namesOf(key) });
    default:
      return findingOf(REASON_CAUSES[reason].verdict, REASON_CAUSES[reason].mend, { at: happenedAt });
  }
}

/**
 * Returns the newest answer that counts, if it is a refusal. A deadbolt refusal is void once the door has opened since.
 */
function lastRefusal(door: Door, counts: (answer: Answer) => boolean): Answer | null {
  const at = door.answers.findIndex(counts);
  const answer = door.answers[at];
  if (!answer || answer.success) return null;
  const isUnbolted = answer.reason === "deadbolt" && door.answers.slice(0, at).some(({ success }) => success);
  return isUnbolted ? null : answer;
}

const isOf = ({ cardId, credentials }: Key, answer: Answer): boolean =>
  (cardId !== null && answer.cardId === cardId) || credentials.some(({ id }) => id === answer.credentialId);

/** An answer from before the key was last written or sent says nothing about its current issue. */
const isOfThisIssue = ({ confirmedAt }: Key, { happenedAt }: Answer): boolean =>
  confirmedAt === null || happenedAt >= confirmedAt;

const refusedAtDoor: Rule = (key, door) => {
  const refusal = door && lastRefusal(door, (answer) => isOf(key, answer));
  return refusal && isOfThisIssue(key, refusal) ? explainRefusal(refusal, key, door) : null;
};

/** Opening by hand and other ways say nothing about keys. */
const isKeyStyle = (style: UnlockStyle): style is KeyStyle => (KEY_STYLES as readonly string[]).includes(style);

/** Returns the way of opening that an answer's key was used in; null: none that needs a key. */
export const keyStyleOf = ({ style }: Answer): KeyStyle | null => (isKeyStyle(style) ? style : null);

/**
 * Returns the newest refusal of a key of this stay, of an unknown key or of any other key; null if a key of this stay
 * or an unknown key has opened the door since.
 */
export function lastRefusalTo(door: Door, keys: readonly Key[]): Answer | null {
  return lastRefusal(door, (answer) => {
    if (!isKeyStyle(answer.style)) return false;
    const key = keys.find((candidate) => isOf(candidate, answer));
    if (key) return isOfThisIssue(key, answer);
    return !answer.success || (answer.cardId === null && answer.credentialId === null);
  });
}

/**
 * Explains a refusal at the door of a stay whose keys are valid. The refused key is `triedKey`; if it is unknown, it
 * may be one of the codes that no longer open (`ended`).
 */
export function judgeRefusal(
  door: Door,
  answer: Answer,
  { keys, ended, triedKey }: { keys: readonly Key[]; ended: readonly Key[]; triedKey: Key | null },
  now: string,
  timeZone: string,
): Finding {
  const [code] = ended;
  const hasCode = keys.some(({ kind }) => kind === "code");
  if (!triedKey && code && !hasCode && answer.reason === "unknown" && answer.style === "passcode")
    return judgeEnded(code);
  const finding = triedKey && explainKey(triedKey, door, now, timeZone);
  if (finding === null || isKeyWorking(finding)) return explainRefusal(answer, triedKey, door);
  return finding.mend === "check_in" || finding.mend === "renew" ? { ...finding, mend: "write_card" } : finding;
}

export const isKeyWorking = ({ verdict }: Finding): boolean => verdict === "works" || verdict === "should_work";

/** Explains why a code no longer opens. */
export const judgeEnded = ({ oneTime, usedAt, revokedAt }: Key): Finding =>
  oneTime && usedAt !== null
    ? findingOf("code_used", "write_card", { at: usedAt })
    : findingOf("code_taken_back", "write_card", { at: revokedAt });

/**
 * The rules by certainty: what the console did, what it knows of the door, what was sent to the lock, what the lock
 * answered.
 */
const RULES: readonly Rule[] = [
  notWritten,
  usedUp,
  revoked,
  otherRoom,
  noLock,
  stayOver,
  outsidePeriod,
  outsideHours,
  notSetUp,
  otherZone,
  refusedRecord,
  (_key, door) => emptyBattery(door),
  lostMemory,
  refusedNumber,
  notOnList,
  wrongClock,
  blockedOut,
  refusedAtDoor,
  blockOutCard,
];

/**
 * Returns why a key doesn't open a door at the instant `now`: what the first rule that applies finds, or else that the key
 * works. Without a door, only the key itself is explained.
 */
export function explainKey(key: Key, door: Door | null, now: string, timeZone: string): Finding {
  for (const rule of RULES) {
    const finding = rule(key, door, now, timeZone);
    if (finding) return finding;
  }
  if (door && isUnreachable(door))
    return findingOf("should_work", key.stayId === null ? "none" : "write_card", { since: silentSince(door) });
  return findingOf("works", door ? "open_door" : "none", { at: key.usedAt });
}

/**
 * Returns why no key opens a room's door, or null if nothing is known that keeps all keys out. `until` is when the keys of
 * its stay end.
 */
export function findDoorFault(door: Door, until: string | null, now: string): Finding | null {
  if (door.lockId === null) return findingOf("no_lock", "add_lock");
  if (door.stayId === null) return findingOf("room_empty", "check_in");
  if (until !== null && until <= now) return findingOf("stay_over", "renew", { at: door.endsAt });
  if (door.blockedOutAt !== null) return findingOf("blocked_out", "none", { at: door.blockedOutAt });
  return emptyBattery(door);
}

export const NO_KEY: Finding = findingOf("no_key", "write_card");
export const UNKNOWN_CARD: Finding = findingOf("card_unknown", "none");
/** Verdict for a card of a room or kind that the caller may not see. */
export const HIDDEN_CARD: Finding = findingOf("card_other_room", "none", { otherRoom: "•••" });
