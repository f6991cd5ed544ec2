import type { UnlockReason } from "@innkey/shared/enums";
import type { KeyVerdict } from "@innkey/shared/schemas/locks";
import type { Door, Key, Refusal } from "./key-facts.ts";

/** One plain answer: what is wrong, what it names, and what mends it. */
export type Finding = Pick<KeyVerdict, "verdict" | "params" | "mend">;

type Rule = (key: Key, door: Door | null, now: string) => Finding | null;

/** Percent at which a lock's motor can't be counted on any more. */
const BATTERY_EMPTY = 3;

const found = (
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

const notWritten: Rule = ({ state }) => (state === "pending" ? found("card_not_written", "write_card") : null);

const NEWER_ISSUE = new Set(["superseded", "reissued", "new_guest"]);
const takenBack: Rule = ({ state, stayState, stayEndsAt, revokedAt, revokeReason }) => {
  if (state !== "revoking" && state !== "revoked") return null;
  if (stayState !== null && stayState !== "checked_in") return found("stay_over", "check_in", { at: stayEndsAt });
  const verdict = NEWER_ISSUE.has(revokeReason) ? "card_superseded" : "card_taken_back";
  return found(verdict, stayState === null ? "none" : "write_card", { at: revokedAt });
};

const otherRoom: Rule = ({ kind, rooms }, door) => {
  if (door === null || kind === "universal" || kind === "code" || rooms.some(({ id }) => id === door.roomId))
    return null;
  return found("card_other_room", "none", { otherRoom: rooms.map(({ name }) => name).join(", ") });
};

const noLock: Rule = (_key, door) => (door && door.lockId === null ? found("no_lock", "add_lock") : null);

const stayOver: Rule = ({ stayState, stayEndsAt }) =>
  stayState === "checked_out" || stayState === "cancelled" ? found("stay_over", "check_in", { at: stayEndsAt }) : null;

const outsidePeriod: Rule = ({ validFrom, validTo, stayState, stayEndsAt }, _door, now) => {
  if (validFrom > now) return found("card_not_yet", "none", { at: validFrom });
  if (validTo === null || validTo > now) return null;
  const inHouse = stayState === "checked_in";
  if (inHouse && stayEndsAt !== null && stayEndsAt > now) return found("card_too_short", "write_card", { at: validTo });
  return found("card_expired", inHouse ? "renew" : "none", { at: validTo });
};

const refusedRecord: Rule = ({ kind, overTheAir, lockNumber, sequence }, door) => {
  if (door === null || overTheAir || kind === "code") return null;
  if (kind === "guest" && lockNumber !== door.lockId) return found("card_too_old", "write_card");
  return kind === "guest" && sequence < door.guestFloor ? found("card_superseded", "write_card") : null;
};

const emptyBattery: Rule = (_key, door) =>
  door?.power != null && door.power <= BATTERY_EMPTY
    ? found("battery_empty", "replace_battery", { power: door.power })
    : null;

/** The lock has not heard of it yet: because it is away, or it will any moment. */
function unheard(door: Door): Finding {
  const away = !door.online || door.breakerOpenedAt !== null;
  if (!away) return found("never_confirmed", "retry_lock");
  return found("lock_offline", "retry_lock", { since: door.breakerOpenedAt ?? door.lastSeenAt });
}

const refusedNumber: Rule = ({ refusedBy }, door) =>
  door !== null && door.lockId !== null && refusedBy.includes(door.lockId) ? unheard(door) : null;

const notOnList: Rule = ({ kind, overTheAir, held }, door) => {
  if (door === null || door.lockId === null || (kind === "guest" && !overTheAir)) return null;
  const here = held.find(({ lockId }) => lockId === door.lockId);
  if (here?.state === "failed") return found("credential_failed", "retry_lock", { error: here.failReason });
  return here?.state === "confirmed" || here?.state === "used" ? null : unheard(door);
};

/** What a lock's own reason means here; null: it says nothing about the key. */
const SAID: Record<UnlockReason, Pick<Finding, "verdict" | "mend"> | null> = {
  unknown: null,
  expired: { verdict: "card_expired", mend: "write_card" },
  not_yet: { verdict: "card_not_yet", mend: "none" },
  superseded: { verdict: "card_superseded", mend: "write_card" },
  other_door: { verdict: "card_other_room", mend: "none" },
  other_hotel: { verdict: "card_too_old", mend: "write_card" },
  blocked: { verdict: "card_taken_back", mend: "write_card" },
  damaged: { verdict: "card_not_written", mend: "write_card" },
  not_listed: { verdict: "never_confirmed", mend: "retry_lock" },
  locked_out: null,
  deadbolt: null,
};

/** What the lock itself said last, within the hour, when the door stayed shut. */
export function said(refusal: Refusal | null): Finding | null {
  const meaning = refusal?.reason ? SAID[refusal.reason] : null;
  return meaning && refusal ? found(meaning.verdict, meaning.mend, { at: refusal.at, otherRoom: "•••" }) : null;
}

const refusedAtDoor: Rule = ({ refusal, confirmedAt }) =>
  refusal && (confirmedAt === null || refusal.at >= confirmedAt) ? said(refusal) : null;

/** In order of certainty: what the console did, what it knows of the door, what the lock was told, what the lock said. */
const RULES: readonly Rule[] = [
  notWritten,
  takenBack,
  otherRoom,
  noLock,
  stayOver,
  outsidePeriod,
  refusedRecord,
  emptyBattery,
  refusedNumber,
  notOnList,
  refusedAtDoor,
];

/** What is wrong with a key at a door (null: at no door in particular), as of `now`. */
export function judge(key: Key, door: Door | null, now: string): Finding {
  for (const rule of RULES) {
    const finding = rule(key, door, now);
    if (finding) return finding;
  }
  return found("works", door?.online ? "open_door" : "none", { at: key.usedAt });
}

/** What is wrong with a room's door, whatever key is held up to it; `until` is when its party's keys end. */
export function judgeDoor(door: Door, until: string | null, now: string): Finding | null {
  if (door.lockId === null) return found("no_lock", "add_lock");
  if (door.stayId === null) return found("room_empty", "check_in");
  if (until !== null && until <= now) return found("stay_over", "renew", { at: door.endsAt });
  if (door.power !== null && door.power <= BATTERY_EMPTY)
    return found("battery_empty", "replace_battery", { power: door.power });
  return null;
}

export const NO_KEY: Finding = found("no_key", "write_card");
export const UNKNOWN_CARD: Finding = found("card_unknown", "none");
/** of a room, or a kind, that the caller knows nothing of */
export const HIDDEN_CARD: Finding = found("card_other_room", "none", { otherRoom: "•••" });
