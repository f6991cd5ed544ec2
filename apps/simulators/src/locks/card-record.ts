/** One 16-byte record of a card, parsed as docs/integrators/lock-protocol.md describes it. */
export interface LockRecord {
  kind: "guest" | "management" | "universal";
  siteCode: number;
  /** whether `number` is the lock's own number or the number of a zone */
  of: "lock" | "zone";
  number: number;
  sequence: number;
  validFrom: string;
  validTo: string | null;
}

const KINDS = ["guest", "management", "universal"] as const;
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
  const head = clear.readUInt8(0);
  const of = VERSIONS.get(head >>> 4);
  const kind = KINDS[head & 15];
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
