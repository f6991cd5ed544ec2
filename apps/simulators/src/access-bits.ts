/**
 * MIFARE Classic access conditions (source: NXP MF1S50yyX, tables 6 to 8). Each group of blocks has three bits, stored
 * plain and inverted in bytes 6 to 8 of the sector's trailer.
 */
type KeyName = "A" | "B";
type Keys = "" | "A" | "B" | "AB";

export interface SectorAccess {
  /** C1C2C3 of data groups 0 to 2 and of the trailer */
  groups: readonly [number, number, number, number];
}

/** Returns undefined if the plain and inverted bits disagree; such a card has locked the sector permanently. */
export function accessOf(trailer: Uint8Array): SectorAccess | undefined {
  const [b6 = 0, b7 = 0, b8 = 0] = trailer.subarray(6, 9);
  const c1 = b7 >> 4;
  const c2 = b8 & 15;
  const c3 = b8 >> 4;
  const consistent = (b6 & 15) === (~c1 & 15) && b6 >> 4 === (~c2 & 15) && (b7 & 15) === (~c3 & 15);
  if (!consistent) return undefined;
  const group = (index: number): number =>
    (((c1 >> index) & 1) << 2) | (((c2 >> index) & 1) << 1) | ((c3 >> index) & 1);
  return { groups: [group(0), group(1), group(2), group(3)] };
}

const DATA_READ: readonly Keys[] = ["AB", "AB", "AB", "B", "AB", "B", "AB", ""];
const DATA_WRITE: readonly Keys[] = ["AB", "", "", "B", "B", "", "B", ""];

export function mayRead(condition: number, key: KeyName): boolean {
  return (DATA_READ[condition] ?? "").includes(key);
}

export function mayWrite(condition: number, key: KeyName): boolean {
  return (DATA_WRITE[condition] ?? "").includes(key);
}

interface TrailerRights {
  writeA: Keys;
  writeAccess: Keys;
  readB: Keys;
  writeB: Keys;
}

const TRAILER: readonly TrailerRights[] = [
  { writeA: "A", writeAccess: "", readB: "A", writeB: "A" },
  { writeA: "A", writeAccess: "A", readB: "A", writeB: "A" },
  { writeA: "", writeAccess: "", readB: "A", writeB: "" },
  { writeA: "B", writeAccess: "B", readB: "", writeB: "B" },
  { writeA: "B", writeAccess: "", readB: "", writeB: "B" },
  { writeA: "", writeAccess: "B", readB: "", writeB: "" },
  { writeA: "", writeAccess: "", readB: "", writeB: "" },
  { writeA: "", writeAccess: "", readB: "", writeB: "" },
];

export function trailerRights(condition: number): TrailerRights {
  return TRAILER[condition] ?? { writeA: "", writeAccess: "", readB: "", writeB: "" };
}

/** Checks whether key B authenticates. A key B that can be read counts as data and doesn't. */
export function keyBOpens({ groups }: SectorAccess): boolean {
  return trailerRights(groups[3]).readB === "";
}
