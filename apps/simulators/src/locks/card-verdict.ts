import { ALL_LOCKS, type CardRecord, decodeRecord } from "@innkey/shared/cards/record";
import type { UnlockReason } from "@innkey/shared/enums";
import type { LockArgs, ShownCredential } from "@innkey/shared/locks/protocol";
import { openRecord, sectorKey } from "./lock-cipher.ts";
import { type LockMemory, periodFault } from "./lock-memory.ts";

/** A card held to the door. */
export interface CardAtDoor {
  /** upper-case hex */
  uid: string;
  /** 16 bytes of a block, by its number on the card; null when the key (hex) does not open it */
  read(block: number, keyType: "A" | "B", key: string): Uint8Array | null;
}

export interface CardVerdict {
  reason: UnlockReason | null;
  credential: ShownCredential;
  /** the lock refuses lower sequences from now on */
  raise: { kind: "guest" | "master"; floor: number } | null;
  /** opens also what is bolted from the inside */
  pastBolt: boolean;
}

const BLOCKS_PER_SECTOR = 4;

/**
 * Whether a card opens the door at `at` (milliseconds of the lock's clock), and why not (source: domain rules, Cards). The
 * lock's own list comes first: blocked numbers, then numbers that open alone; then the record.
 */
export function judgeCard(memory: LockMemory, card: CardAtDoor, at: number): CardVerdict {
  const { uid } = card;
  const verdict = (reason: UnlockReason | null, more: Partial<CardVerdict> = {}): CardVerdict => ({
    reason,
    credential: { kind: "card", uid },
    raise: null,
    pastBolt: false,
    ...more,
  });
  if (memory.blocked.some((blocked) => blocked.uid === uid && !over(blocked.until, at))) return verdict("blocked");

  const listed = memory.slots.filter((slot) => slot.kind === "card" && slot.uid === uid);
  const alone = listed.filter(({ recordNeeded }) => !recordNeeded);
  const good = alone.find((slot) => periodFault(slot, at) === null);
  if (good) return verdict(null, { credential: { kind: "slot", slot: good.slot } });

  const found = recordOf(memory.settings, card);
  if ("fault" in found) {
    const [late] = alone;
    return late
      ? verdict(periodFault(late, at), { credential: { kind: "slot", slot: late.slot } })
      : verdict(found.fault);
  }
  const { record, siteCode } = found;
  if (record.siteCode !== siteCode) return verdict("other_hotel");
  const credential: ShownCredential = { kind: "card", uid, sequence: record.sequence, card: record.kind };
  const kind = record.kind === "guest" ? "guest" : "master";
  const needed = listed.filter(({ recordNeeded }) => recordNeeded);
  const reason = recordFault(memory, record, kind) ?? periodFault(record, at) ?? listFault(record, needed, at);
  if (reason) return verdict(reason, { credential });
  return verdict(null, {
    credential,
    raise: { kind, floor: record.sequence },
    pastBolt: record.kind === "universal",
  });
}

const over = (until: string | null, at: number): boolean => until !== null && at >= Date.parse(until);

function recordFault(memory: LockMemory, record: CardRecord, kind: "guest" | "master"): UnlockReason | null {
  if (record.lockNumber !== ALL_LOCKS && record.lockNumber !== memory.settings?.lockNumber) return "other_door";
  return record.sequence < memory.floors[kind] ? "superseded" : null;
}

/** Management cards also have to stand on the lock's list. */
function listFault({ kind }: CardRecord, listed: LockMemory["slots"], at: number): UnlockReason | null {
  if (kind !== "management") return null;
  const faults = listed.map((slot) => periodFault(slot, at));
  return faults.length === 0 ? "not_listed" : faults.includes(null) ? null : (faults[0] ?? null);
}

type Settings = LockArgs["configure"];

/** Tries the keys of all generations the lock has, newest first. */
function recordOf(
  settings: Settings | null,
  card: CardAtDoor,
): { record: CardRecord; siteCode: number } | { fault: "unknown" | "damaged" } {
  if (!settings) return { fault: "unknown" };
  const { sector, block, keyType } = settings;
  let fault: "unknown" | "damaged" = "unknown";
  for (const keys of settings.keys) {
    const data = card.read(sector * BLOCKS_PER_SECTOR + block, keyType, sectorKey(keys, card.uid));
    if (!data) continue;
    const record = decodeRecord(openRecord(keys, card.uid, data));
    if (!("fault" in record)) return { record, siteCode: keys.siteCode };
    fault = "damaged";
  }
  return { fault };
}
