import { createCipheriv, randomUUID } from "node:crypto";
import type { AckMessage, CommandMessage, LockArgs, LockCommandName } from "@innkey/shared/locks/protocol";
import { cardAtDoor, VirtualCard } from "../virtual-card.ts";
import { type CardAtDoor, checksum } from "./card-verdict.ts";
import { deriveKey, type Keys, passFingerprint, sectorKey } from "./lock-cipher.ts";
import { VirtualLock, type VirtualLockOptions } from "./virtual-lock.ts";

/** Shared by the tests of this folder: a lock with a settable clock, its console messages and its cards. */
export const NOON = Date.parse("2026-11-22T12:00:00Z");
export const HOUR = 3_600_000;
export const SECRET = "3132333435363738393031323334353637383930";
export const CODES = ["755224", "287082", "359152", "969429", "338314", "254676"] as const;
export const LOCK_NUMBER = 77;
const SITE = 0x1234;
const KEYS = { sectorKey: "A0A1A2A3A4A5", desKey: "0123456789ABCDEF", desIv: "1234567890ABCDEF" };

const ZONE = 5;
const GYM_KEY = "303132333435363738393A3B3C3D3E3F";
const AES_KEYS = { siteKey: "101112131415161718191A1B1C1D1E1F", lockKey: "202122232425262728292A2B2C2D2E2F" };
export const PAIRING_SECRET = "000102030405060708090A0B0C0D0E0F";

export const SETTINGS: LockArgs["configure"] = {
  lockNumber: LOCK_NUMBER,
  block: 0,
  keyType: "A",
  keys: [
    {
      id: 2,
      cipher: "aes",
      siteCode: SITE,
      sectors: [1, 2, 3, 4, 5],
      ...AES_KEYS,
      zones: [{ zone: ZONE, key: GYM_KEY }],
    },
    { id: 1, cipher: "des-cbc", siteCode: SITE, sectors: [1], ...KEYS },
  ],
  secret: SECRET,
  guestFloor: 5,
  sequenceEpoch: 0,
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
  lock.pair(PAIRING_SECRET);
  sendCommand(lock, "configure", SETTINGS);
  return { lock, clock };
}

let counter = 0;

/** Returns a configure command sealed as the console sends it. */
export function sealedBy(secret: string, message: CommandMessage, count?: number): CommandMessage {
  counter += 1;
  const used = count ?? counter;
  const nonce = Buffer.alloc(12, used % 256);
  const cipher = createCipheriv("aes-128-gcm", Buffer.from(secret, "hex"), nonce).setAAD(
    Buffer.from(`${message.id}/${used}`),
  );
  const box = Buffer.concat([cipher.update(JSON.stringify(message.args)), cipher.final(), cipher.getAuthTag()]);
  const upper = (value: Buffer): string => value.toString("hex").toUpperCase();
  return { ...message, args: { counter: used, nonce: upper(nonce), box: upper(box) } };
}

export function sendCommand<T extends LockCommandName>(lock: VirtualLock, type: T, args: LockArgs[T]): AckMessage {
  const message = command(type, args);
  return lock.do(type === "configure" ? sealedBy(PAIRING_SECRET, message) : message);
}

/** Returns a credential that is valid at the test's current time. */
export function credential(
  slot: number,
  what: Pick<LockArgs["set_credential"], "kind"> & Partial<LockArgs["set_credential"]>,
): LockArgs["set_credential"] {
  return { slot, validFrom: instant(NOON - HOUR), validTo: instant(NOON + HOUR), ...what };
}

export const UID = "DA3CBC66";

const KINDS = ["guest", "management", "universal", "emergency", "block_out", "one_shot"] as const;

/** The content of a card record, laid out from the protocol documentation without using the console's code. */
interface CardRecord {
  kind: (typeof KINDS)[number];
  siteCode: number;
  opens: { lock: number } | { zone: number };
  sequence: number;
  validFrom: string;
  validTo: string | null;
}
/** The zone of all doors, which only the DES cipher has. */
export const ALL_DOORS = 0;

function clearRecord({ kind, siteCode, opens, sequence, validFrom, validTo }: CardRecord): Buffer {
  const minutes = (at: string): number => Math.floor((Date.parse(at) - Date.UTC(2024, 0, 1)) / 60_000);
  const bytes = Buffer.alloc(16);
  bytes.writeUInt8(("lock" in opens ? 0x10 : 0x20) + KINDS.indexOf(kind), 0);
  bytes.writeUInt16BE(siteCode, 1);
  bytes.writeUIntBE("lock" in opens ? opens.lock : opens.zone, 3, 3);
  bytes.writeUInt16BE(sequence, 6);
  bytes.writeUIntBE(minutes(validFrom), 8, 3);
  bytes.writeUIntBE(validTo === null ? 0xffffff : minutes(validTo), 11, 3);
  bytes.writeUInt16BE(checksum(bytes.subarray(0, 14)), 14);
  return bytes;
}

const TODAY: CardRecord = {
  kind: "guest",
  siteCode: SITE,
  opens: { lock: LOCK_NUMBER },
  sequence: 7,
  validFrom: instant(NOON - HOUR),
  validTo: instant(NOON + HOUR),
};

/**
 * Returns a card as the console writes it with the DES cipher; by default for this hotel and this lock, valid today.
 */
export function writtenCard(record: Partial<CardRecord> = {}, flaw = 0): VirtualCard {
  const clear = clearRecord({ ...TODAY, ...record });
  clear[5] = (clear[5] ?? 0) ^ flaw;
  const key = Buffer.from(KEYS.desKey.repeat(3), "hex");
  const cipher = createCipheriv("des-ede3-cbc", key, Buffer.from(KEYS.desIv, "hex")).setAutoPadding(false);
  const data = Buffer.concat([cipher.update(clear), cipher.final()]).toString("hex");
  return new VirtualCard({ name: "", uid: UID, keyA: KEYS.sectorKey, blocks: { 4: data } });
}

/** Returns a card of the AES cipher, with records by sector, each encrypted with a key given as hex. */
export function aesCard(records: Record<number, { key: string; record: Partial<CardRecord> }>): VirtualCard {
  const [site] = SETTINGS.keys;
  const blocks = Object.entries(records).map(([sector, { key, record }]) => {
    const clear = clearRecord({ ...TODAY, ...record });
    const own = deriveKey(Buffer.from(key, "hex"), Buffer.concat([Buffer.from(UID, "hex"), Buffer.from("INNKEYr")]));
    const cipher = createCipheriv("aes-128-ecb", own, null).setAutoPadding(false);
    return [4 * Number(sector), Buffer.concat([cipher.update(clear), cipher.final()]).toString("hex")];
  });
  return new VirtualCard({
    name: "",
    uid: UID,
    keyA: sectorKey(site as Keys, UID),
    blocks: Object.fromEntries(blocks),
  });
}
export const LOCK_KEY = AES_KEYS.lockKey;
export const ZONE_KEY = GYM_KEY;
export const IN_ZONE = { opens: { zone: ZONE }, sequence: 0 };

/**
 * Returns a card of the house with a pass of 16 bytes in its second sector, and the pass's hash for the
 * list.
 */
export function passCard(pass: string): { card: VirtualCard; print: string } {
  const [site] = SETTINGS.keys;
  const card = new VirtualCard({ name: "", uid: UID, keyA: sectorKey(site as Keys, UID), blocks: { 8: pass } });
  return { card, print: passFingerprint(UID, Buffer.from(pass, "hex")) };
}

export const guestCard = (record: Partial<CardRecord> = {}): CardAtDoor => cardAtDoor(writtenCard(record));
