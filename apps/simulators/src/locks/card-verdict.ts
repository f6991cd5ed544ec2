import type { UnlockReason } from "@innkey/shared/enums";
import type { LockArgs, PresentedCredential } from "@innkey/shared/locks/protocol";
import { decryptAes, decryptDes, type Keys, passFingerprint, sectorKey } from "./lock-cipher.ts";
import { type AllowedRecord, type LockMemory, periodFault, type Slot, slotFault } from "./lock-memory.ts";

const KINDS = ["guest", "management", "universal", "emergency", "block_out", "one_shot"] as const;
type CardKind = (typeof KINDS)[number];

/** One 16-byte record of a card, parsed as docs/integrators/lock-protocol.md describes it. */
interface LockRecord {
  kind: CardKind;
  siteCode: number;
  /** whether `number` is the lock's own number or the number of a zone */
  of: "lock" | "zone";
  number: number;
  sequence: number;
  validFrom: string;
  validTo: string | null;
}

const VERSIONS = new Map<number, LockRecord["of"]>([
  [1, "lock"],
  [2, "zone"],
]);
const NO_END = 0xffffff;
const instant = (minutes: number): string => new Date(Date.UTC(2024, 0, 1, 0, minutes)).toISOString();

/**
 * Parses a record. Returns null if the checksum is wrong (damaged or encrypted with another key) or the kind is
 * unknown.
 */
export function readRecord(clear: Buffer): LockRecord | null {
  if (clear.length !== 16 || checksum(clear.subarray(0, 14)) !== clear.readUInt16BE(14)) return null;
  const firstByte = clear.readUInt8(0);
  const of = VERSIONS.get(firstByte >>> 4);
  const kind = KINDS[firstByte & 15];
  if (!of || !kind) return null;
  const end = clear.readUIntBE(11, 3);
  return {
    kind,
    of,
    siteCode: clear.readUInt16BE(1),
    number: clear.readUIntBE(3, 3),
    sequence: clear.readUInt16BE(6),
    validFrom: instant(clear.readUIntBE(8, 3)),
    validTo: end === NO_END ? null : instant(end),
  };
}

export function checksum(bytes: Buffer): number {
  let register = 0xffff;
  for (let at = 0; at < 8 * bytes.length; at += 1) {
    const bit = (bytes.readUInt8(at >> 3) >> (7 - (at & 7))) & 1;
    const top = register >> 15;
    register = (register << 1) & 0xffff;
    if (top !== bit) register ^= 0x1021;
  }
  return register;
}

/** A card presented at a door. */
export interface CardAtDoor {
  /** upper-case hex */
  uid: string;
  /** reads 16 bytes of a block; null if the key (hex) doesn't authenticate */
  read(block: number, keyType: "A" | "B", key: string): Uint8Array | null;
}

interface CardVerdict {
  reason: UnlockReason | null;
  credential: PresentedCredential;
  /** new minimum sequence of the lock, or null if unchanged */
  newFloor: number | null;
  /** also opens a door that is bolted from the inside */
  opensBolted: boolean;
  /** not kept out by a block-out card */
  opensBlockedOut: boolean;
  /** opens nothing, and blocks guests' keys out or lets them in again */
  switchesBlockOut: boolean;
  /** slot of the key on the list that the card opens with, if it opens once */
  onceSlot: number | null;
}

/** Cards that also open a bolted door. */
const OVERRIDES_BOLT: ReadonlySet<CardKind> = new Set<CardKind>(["universal", "emergency"]);

/** Cards that a block-out card keeps out. */
const KEPT_OUT: ReadonlySet<CardKind> = new Set<CardKind>(["guest", "one_shot"]);

/** What a card of the house may do beyond a guest's key, once it was accepted. */
const rightsOf = (card: CardKind, slot?: Slot): Partial<CardVerdict> => ({
  opensBolted: OVERRIDES_BOLT.has(card),
  opensBlockedOut: !KEPT_OUT.has(card),
  switchesBlockOut: card === "block_out",
  onceSlot: slot?.once ? slot.slot : null,
});

const BLOCKS_PER_SECTOR = 4;

/**
 * Decides whether a card opens the door at `at` (milliseconds of the lock's clock), and why not
 * (docs/integrators/lock-protocol.md). The lock checks first the card numbers on its list that need no record, then
 * passes, then records. While a block-out card keeps guests out, only cards with a pass or a record of the house open. A block applies to the card number and to guests' records, except for the one record that the
 * console allowed.
 */
export function judgeCard(memory: LockMemory, card: CardAtDoor, at: number): CardVerdict {
  const { uid } = card;
  const verdict = (reason: UnlockReason | null, more: Partial<CardVerdict> = {}): CardVerdict => ({
    reason,
    credential: { kind: "card", uid },
    newFloor: null,
    opensBolted: false,
    opensBlockedOut: false,
    switchesBlockOut: false,
    onceSlot: null,
    ...more,
  });
  const block = memory.blocked.find((blocked) => blocked.uid === uid && !isOver(blocked.until, at));
  const listed = memory.slots.filter((slot) => slot.kind === "card" && slot.uid === uid);
  const slotsByNumber = listed.filter(({ recordNeeded }) => !recordNeeded);
  const validSlot = slotsByNumber.find((slot) => slotFault(memory, slot, at) === null);
  if (validSlot && !block) return verdict(null, { credential: { kind: "slot", slot: validSlot.slot } });

  const contents = recordsOf(memory.settings, card);
  const slotsWithRecord = listed.filter(({ recordNeeded }) => recordNeeded);
  const presentedPasses = slotsWithRecord.filter(({ pass }) => pass !== undefined && contents.passes.includes(pass));
  const passes = presentedPasses.map((slot) => {
    const { card = "management" } = slot;
    const reason = slotFault(memory, slot, at);
    return verdict(reason, {
      credential: { kind: "card", uid, card },
      ...(reason === null && rightsOf(card, slot)),
    });
  });
  const verdicts = contents.records.map(({ record, siteCode }) => {
    if (record.siteCode !== siteCode) return verdict("other_hotel");
    const { sequence, kind, of } = record;
    const credential: PresentedCredential = { kind: "card", uid, sequence, card: kind };
    const reason =
      recordFault(memory, record) ??
      periodFault(record, at) ??
      listFault(memory, record, slotsWithRecord, at) ??
      blockFault(record, block);
    if (reason) return verdict(reason, { credential });
    const slot = slotsWithRecord.find((item) => item.pass === undefined && slotFault(memory, item, at) === null);
    return verdict(null, { credential, newFloor: of === "lock" ? sequence : null, ...rightsOf(kind, slot) });
  });
  const all = [...passes, ...verdicts];
  const decisive = all.find(({ reason }) => reason === null) ?? all[0];
  if (decisive) return decisive;
  if (block) return verdict("blocked");
  const [closedSlot] = slotsByNumber;
  return closedSlot
    ? verdict(slotFault(memory, closedSlot, at), { credential: { kind: "slot", slot: closedSlot.slot } })
    : verdict(contents.fault);
}

const isOver = (until: string | null, at: number): boolean => until !== null && at >= Date.parse(until);

function recordFault(memory: LockMemory, { of, kind, number, sequence }: LockRecord): UnlockReason | null {
  // Only the DES cipher has a zone of all doors, for cards of the house; the other zones are for guests.
  if (of === "zone") return (number === ALL_DOORS) === (kind !== "guest") ? null : "other_door";
  if (kind !== "guest" || number !== memory.settings?.lockNumber) return "other_door";
  return sequence < memory.floor ? "superseded" : null;
}

/** Checks that a card of the house is also on the lock's list. */
function listFault(
  memory: LockMemory,
  { kind }: LockRecord,
  listed: LockMemory["slots"],
  at: number,
): UnlockReason | null {
  if (kind === "guest") return null;
  const faults = listed.filter(({ pass }) => pass === undefined).map((slot) => slotFault(memory, slot, at));
  return faults.length === 0 ? "not_listed" : faults.includes(null) ? null : (faults[0] ?? null);
}

function blockFault(
  { kind, sequence, validFrom, validTo }: LockRecord,
  block: LockMemory["blocked"][number] | undefined,
): UnlockReason | null {
  if (kind !== "guest" || !block) return null;
  const at = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));
  const isAllowedRecord = ({ allowed }: { allowed: AllowedRecord | null }): boolean =>
    allowed !== null &&
    allowed.sequence === sequence &&
    at(allowed.validFrom) === at(validFrom) &&
    at(allowed.validTo) === at(validTo);
  return isAllowedRecord(block) ? null : "blocked";
}

const ALL_DOORS = 0;
type LockSettings = LockArgs["configure"];

interface CardContents {
  records: { record: LockRecord; siteCode: number }[];
  /** hashes of the blocks that may hold a pass, to compare with the list */
  passes: string[];
  /** reason to report if no record opens */
  fault: "unknown" | "damaged" | "other_door";
}

/** Reads the card with the keys of each generation, newest first. The room's record comes before those of the zones. */
function recordsOf(settings: LockSettings | null, card: CardAtDoor): CardContents {
  const contents: CardContents = { records: [], passes: [], fault: "unknown" };
  if (!settings) return contents;
  for (const keys of settings.keys) {
    for (const [at, sector] of keys.sectors.entries()) {
      const data = card.read(sector * BLOCKS_PER_SECTOR + settings.block, settings.keyType, sectorKey(keys, card.uid));
      // An erased record is all zeros.
      if (!data?.some((byte) => byte !== 0)) continue;
      if (keys.cipher === "aes" && at === 1) contents.passes.push(passFingerprint(card.uid, data));
      const record = decryptRecord(keys, at, card.uid, data);
      if (record) contents.records.push({ record, siteCode: keys.siteCode });
      // Under AES the lock cannot decrypt records of other doors, so a record it cannot read counts as one of another
      // door.
      else contents.fault = keys.cipher === "aes" ? "other_door" : "damaged";
    }
  }
  return contents;
}

/** Decrypts the record in the sector at index `at`: the room's record in the first, zone records in the others. */
function decryptRecord(keys: Keys, at: number, uid: string, data: Uint8Array): LockRecord | null {
  if (keys.cipher === "des-cbc") return readRecord(decryptDes(keys, data));
  if (at === 0) return ifRecordFor("lock", null, readRecord(decryptAes(keys.lockKey, uid, data)));
  for (const { zone, key } of keys.zones) {
    const record = ifRecordFor("zone", zone, readRecord(decryptAes(key, uid, data)));
    if (record) return record;
  }
  return null;
}

/** Rejects a record whose number differs from the one that the key belongs to. */
const ifRecordFor = (of: LockRecord["of"], number: number | null, record: LockRecord | null): LockRecord | null =>
  record?.of === of && (number === null || record.number === number) ? record : null;
