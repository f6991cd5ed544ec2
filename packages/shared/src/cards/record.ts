import { MINUTE_MS } from "../durations.ts";
import type { CardKind } from "../enums.ts";

/**
 * The 16 bytes of one record on a card, before encryption (documented in docs/integrators/lock-protocol.md): byte 0 version
 * (high nibble) and kind (low nibble); 1–2 site code; 3–5 the lock's or the zone's number; 6–7 issue sequence; 8–10 valid
 * from and 11–13 valid to; 14–15 CRC-16/CCITT-FALSE of bytes 0–13. Numbers are big-endian, times are minutes since
 * 2024-01-01T00:00Z. A room record and a zone record differ in their version, so that zone 5 is never lock 5.
 */
export interface CardRecord {
  kind: CardKind;
  /** u16 */
  siteCode: number;
  /** u24: one lock, or a zone of doors. Zone 0 is all doors; only DES records use it */
  opens: { lock: number } | { zone: number };
  /** u16; a lock accepts no room record below the highest sequence it has seen. Zone records have none: 0 */
  sequence: number;
  /** ISO 8601; stored to the minute, rounded down */
  validFrom: string;
  /** ISO 8601; stored to the minute, rounded up; null: no end */
  validTo: string | null;
}

export const RECORD_BYTES = 16;
/** The zone of all doors, for staff cards and master key cards. With AES these carry a pass instead of a record. */
export const ALL_DOORS = 0;
/** Limit of zones in the key schedule of a lock. */
export const MAX_ZONES = 8;
export const MAX_SEQUENCE = 0xffff;
const ROOM_VERSION = 1;
const ZONE_VERSION = 2;
/** Index is the kind's number. */
const KINDS: readonly CardKind[] = ["guest", "management", "universal", "emergency", "block_out", "one_shot"];
const EPOCH_MS = Date.UTC(2024, 0, 1);
const NO_END = 0xffffff;

/** First and last instant that a record can express, ISO 8601. */
export const RECORD_FROM = new Date(EPOCH_MS).toISOString();
export const RECORD_TO = new Date(EPOCH_MS + (NO_END - 1) * MINUTE_MS).toISOString();

/**
 * Returns a period rounded to the minute as a record stores it, which is what locks apply.
 * @throws RangeError for an end that no record can express
 */
export function recordPeriod(from: string, to: string | null): { validFrom: string; validTo: string | null } {
  const start = from < RECORD_FROM ? RECORD_FROM : from;
  const end = to === null ? null : instantOf(endMinutes(to));
  if (start > RECORD_TO || (end !== null && end > RECORD_TO)) throw new RangeError("no record lasts so long");
  return { validFrom: instantOf(Math.floor(minutesOf(start))), validTo: end };
}

/** Reasons why bytes are not a valid card record. */
export type RecordFault = "length" | "checksum" | "version" | "kind";

/** CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, no reflection. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc & 0x8000) !== 0 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}

/**
 * Encodes a record into its 16 bytes.
 * @throws RangeError for a number that doesn't fit its field, or a time outside 2024–2055
 */
export function encodeRecord(record: CardRecord): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(RECORD_BYTES);
  const { opens } = record;
  const isRoom = "lock" in opens;
  bytes[0] = ((isRoom ? ROOM_VERSION : ZONE_VERSION) << 4) | KINDS.indexOf(record.kind);
  put(bytes, 1, 2, record.siteCode, "site code");
  put(bytes, 3, 3, isRoom ? opens.lock : opens.zone, isRoom ? "lock number" : "zone number");
  put(bytes, 6, 2, record.sequence, "sequence");
  put(bytes, 8, 3, Math.floor(minutesOf(record.validFrom)), "valid from");
  put(bytes, 11, 3, record.validTo === null ? NO_END : endMinutes(record.validTo), "valid to");
  put(bytes, 14, 2, crc16(bytes.subarray(0, 14)), "checksum");
  return bytes;
}

/** Returns the record in the bytes, or the reason why they contain none. */
export function decodeRecord(bytes: Uint8Array): CardRecord | { fault: RecordFault } {
  if (bytes.length !== RECORD_BYTES) return { fault: "length" };
  if (crc16(bytes.subarray(0, 14)) !== take(bytes, 14, 2)) return { fault: "checksum" };
  const head = take(bytes, 0, 1);
  const version = head >> 4;
  if (version !== ROOM_VERSION && version !== ZONE_VERSION) return { fault: "version" };
  const kind = KINDS[head & 0x0f];
  if (!kind) return { fault: "kind" };
  const number = take(bytes, 3, 3);
  const end = take(bytes, 11, 3);
  return {
    kind,
    siteCode: take(bytes, 1, 2),
    opens: version === ROOM_VERSION ? { lock: number } : { zone: number },
    sequence: take(bytes, 6, 2),
    validFrom: instantOf(take(bytes, 8, 3)),
    validTo: end === NO_END ? null : instantOf(end),
  };
}

function minutesOf(instant: string): number {
  return (Date.parse(instant) - EPOCH_MS) / MINUTE_MS;
}

function endMinutes(instant: string): number {
  const minutes = Math.ceil(minutesOf(instant));
  if (minutes === NO_END) throw new RangeError("valid to does not fit its field");
  return minutes;
}

function instantOf(minutes: number): string {
  return new Date(EPOCH_MS + minutes * MINUTE_MS).toISOString();
}

function put(bytes: Uint8Array, at: number, length: number, value: number, name: string): void {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** (8 * length))
    throw new RangeError(`${name} does not fit its field`);
  for (let n = 0; n < length; n += 1) bytes[at + n] = (value >>> (8 * (length - 1 - n))) & 0xff;
}

function take(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let n = 0; n < length; n += 1) value = (value << 8) | (bytes[at + n] ?? 0);
  return value;
}
