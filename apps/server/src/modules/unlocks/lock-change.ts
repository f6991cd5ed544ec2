import type { CredentialKind, MessageKind, UnlockStyle } from "@innkey/shared/enums";
import { LOW_POWER_PERCENT, RESTORED_POWER_PERCENT } from "@innkey/shared/locks/power";
import { isSameItem, type UnmanagedItem } from "../locks/compare-inventory.ts";
import { isCounterPossible } from "../locks/otp-claim.ts";
import type { LockRowForEvents, StoredEvent } from "./store-events.ts";

/** What a batch says of one lock. */
export interface LockChange {
  lock: LockRowForEvents;
  /** how many events were new */
  kept: number;
  eventSeq: number;
  /** percent */
  power: number | null;
  guestFloor: number;
  otpFloor: number;
  /** counters of one-time codes that opened the door, with the credential that had them */
  spentCodes: { counter: number; credentialId: number | null; at: Date }[];
  messages: { kind: MessageKind; count: number; params: Record<string, number> }[];
  batteryRecovered: boolean;
  /** keys that opened the door and were never set here, each once */
  unknownKeys: UnmanagedItem[];
}

/**
 * What new events of a lock, in the order in which it told them, prove about it. What a lock says is a claim: no limit rises
 * above what the console handed out for that lock, and a claim beyond it is tampering; so are more new memories of events
 * than it may name (`isUntrusted`).
 */
export function lockChange(lock: LockRowForEvents, stored: readonly StoredEvent[], isUntrusted = false): LockChange {
  const news = stored.filter(({ number }) => number > lock.eventSeq);
  const eventSeq = news.reduce((last, { number }) => Math.max(last, number), lock.eventSeq);
  const power = news.findLast((event) => event.power !== null)?.power ?? lock.power;
  const spentCodes = stored.flatMap(({ success, counter, credentialId, at }) =>
    success && counter !== null && isCounterPossible(lock, counter) ? [{ counter, credentialId, at }] : [],
  );
  return {
    lock,
    kept: stored.length,
    eventSeq,
    power,
    guestFloor: highest(lock, stored),
    otpFloor: spentCodes.reduce((floor, { counter }) => Math.max(floor, counter + 1), lock.otpFloor),
    spentCodes,
    messages: messagesOf(lock, stored, lostAmong(lock, news), power, isUntrusted),
    unknownKeys: unknownAmong(stored.filter((event) => !isImpossible(lock, event))),
    batteryRecovered: power !== lock.power && power !== null && power > RESTORED_POWER_PERCENT,
  };
}

const KINDS: Partial<Record<UnlockStyle, CredentialKind>> = { card: "card", passcode: "passcode", face: "face" };

function unknownAmong(kept: readonly StoredEvent[]): UnmanagedItem[] {
  const unknown: UnmanagedItem[] = [];
  for (const { success, style, slot, uid, cardId, credentialId, at } of kept) {
    if (!success || cardId !== null || credentialId !== null || (slot === null && !uid)) continue;
    const kind = uid ? "card" : KINDS[style];
    if (!kind) continue;
    const item = { slot, kind, name: uid ?? "" };
    if (unknown.some((other) => isSameItem(other, item))) continue;
    unknown.push({ ...item, validFrom: null, validTo: null, adopted: false, heardAt: at.toISOString() });
  }
  return unknown;
}

function highest({ guestFloor, issued }: LockRowForEvents, stored: readonly StoredEvent[]): number {
  const sequences = stored.flatMap(({ shownSequence }) =>
    shownSequence !== null && shownSequence <= issued ? [shownSequence] : [],
  );
  return Math.max(guestFloor, ...sequences);
}

/** Of a card or a one-time code that nobody can have had: the console never made one so new. */
const isImpossible = (lock: LockRowForEvents, { success, shownSequence, counter }: StoredEvent): boolean =>
  (shownSequence !== null && shownSequence > lock.everIssued) ||
  (success && counter !== null && !isCounterPossible(lock, counter));

/**
 * How many events went missing before or between new ones. The first that is heard from a memory may have any number, and
 * only locks of our own protocol number their events without holes.
 */
function lostAmong(lock: LockRowForEvents, news: readonly StoredEvent[]): number {
  if (lock.driver !== "mqtt") return 0;
  let [last, lost] = [lock.eventSeq, 0];
  for (const { number, base } of news.toSorted((a, b) => a.number - b.number)) {
    if (last > base) lost += number - last - 1;
    last = number;
  }
  return lost;
}

function messagesOf(
  lock: LockRowForEvents,
  stored: readonly StoredEvent[],
  lost: number,
  power: number | null,
  isUntrusted: boolean,
): LockChange["messages"] {
  const messages: LockChange["messages"] = [];
  if (lost > 0) messages.push({ kind: "records_lost", count: 1, params: { count: lost } });
  for (const kind of ["tamper", "wrong_codes"] as const) {
    const alarms = stored.filter(
      (event) => event.alarm === kind || (kind === "tamper" && isImpossible(lock, event)),
    ).length;
    const count = alarms + (kind === "tamper" && isUntrusted ? 1 : 0);
    if (count > 0) messages.push({ kind, count, params: {} });
  }
  const low = power !== lock.power && power !== null && power < LOW_POWER_PERCENT;
  if (low || stored.some(({ alarm }) => alarm === "battery_low")) {
    messages.push({ kind: "battery_low", count: 1, params: power === null ? {} : { power } });
  }
  return messages;
}
