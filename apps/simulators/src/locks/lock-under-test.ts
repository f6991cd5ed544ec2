import { createCipheriv, randomUUID } from "node:crypto";
import { type CardRecord, encodeRecord } from "@innkey/shared/cards/record";
import type { AckMessage, CommandMessage, LockArgs, LockCommandName } from "@innkey/shared/locks/protocol";
import { VirtualCard } from "../virtual-card.ts";
import type { CardAtDoor } from "./card-verdict.ts";
import { cardAtDoor } from "./held-card.ts";
import { VirtualLock, type VirtualLockOptions } from "./virtual-lock.ts";

/** A lock with a settable clock, and a console and cards for it: what the tests of this folder share. */
export const NOON = Date.parse("2026-11-22T12:00:00Z");
export const HOUR = 3_600_000;
export const SECRET = "3132333435363738393031323334353637383930";
export const CODES = ["755224", "287082", "359152", "969429", "338314", "254676"] as const;
export const LOCK_NUMBER = 77;
const SITE = 0x1234;
const KEYS = { sectorKey: "A0A1A2A3A4A5", desKey: "0123456789ABCDEF", desIv: "1234567890ABCDEF" };

export const SETTINGS: LockArgs["configure"] = {
  lockNumber: LOCK_NUMBER,
  sector: 1,
  block: 0,
  keyType: "A",
  keys: [
    { id: 2, cipher: "aes", siteCode: SITE, masterKey: "00112233445566778899AABBCCDDEEFF" },
    { id: 1, cipher: "des-cbc", siteCode: SITE, ...KEYS },
  ],
  secret: SECRET,
  guestFloor: 5,
  masterFloor: 2,
  timeZone: "Europe/Berlin",
};

export const instant = (at: number): string => new Date(at).toISOString();

export function command<T extends LockCommandName>(
  type: T,
  args: LockArgs[T],
  more: Partial<CommandMessage> = {},
): CommandMessage {
  return { id: randomUUID(), type, args, expires: null, now: instant(NOON), ...more };
}

export interface Clock {
  now: number;
}

export function testLock(options: VirtualLockOptions = {}): { lock: VirtualLock; clock: Clock } {
  const clock = { now: NOON };
  const lock = new VirtualLock({ now: () => clock.now, ...options });
  tell(lock, "configure", SETTINGS);
  return { lock, clock };
}

export function tell<T extends LockCommandName>(lock: VirtualLock, type: T, args: LockArgs[T]): AckMessage {
  return lock.do(command(type, args));
}

/** A credential of today. */
export function credential(
  slot: number,
  what: Pick<LockArgs["set_credential"], "kind"> & Partial<LockArgs["set_credential"]>,
): LockArgs["set_credential"] {
  return { slot, validFrom: instant(NOON - HOUR), validTo: instant(NOON + HOUR), ...what };
}

export const UID = "DA3CBC66";

/** A card as the console writes it, in the old cipher: of this house, for this lock, today. */
export function writtenCard(record: Partial<CardRecord> = {}, flaw = 0): VirtualCard {
  const clear = encodeRecord({
    kind: "guest",
    siteCode: SITE,
    lockNumber: LOCK_NUMBER,
    sequence: 7,
    validFrom: instant(NOON - HOUR),
    validTo: instant(NOON + HOUR),
    ...record,
  });
  clear[5] = (clear[5] ?? 0) ^ flaw;
  const key = Buffer.from(KEYS.desKey.repeat(3), "hex");
  const cipher = createCipheriv("des-ede3-cbc", key, Buffer.from(KEYS.desIv, "hex")).setAutoPadding(false);
  const data = Buffer.concat([cipher.update(clear), cipher.final()]).toString("hex");
  return new VirtualCard({ name: "", uid: UID, keyA: KEYS.sectorKey, blocks: { 4: data } });
}

export const guestCard = (record: Partial<CardRecord> = {}): CardAtDoor => cardAtDoor(writtenCard(record));
