import type { CardAtDoor } from "./locks/card-verdict.ts";

/**
 * MIFARE Classic access conditions (source: NXP MF1S50yyX, tables 6 to 8). Each group of blocks has three bits, stored
 * plain and inverted in bytes 6 to 8 of the sector's trailer.
 */
type KeyName = "A" | "B";
type Keys = "" | "A" | "B" | "AB";

interface SectorAccess {
  /** C1C2C3 of data groups 0 to 2 and of the trailer */
  groups: readonly [number, number, number, number];
}

/** Returns undefined if the plain and inverted bits disagree; such a card has locked the sector permanently. */
export function accessOf(trailer: Uint8Array): SectorAccess | undefined {
  const [b6 = 0, b7 = 0, b8 = 0] = trailer.subarray(6, 9);
  const c1 = b7 >> 4;
  const c2 = b8 & 15;
  const c3 = b8 >> 4;
  const isConsistent = (b6 & 15) === (~c1 & 15) && b6 >> 4 === (~c2 & 15) && (b7 & 15) === (~c3 & 15);
  if (!isConsistent) return undefined;
  const group = (index: number): number =>
    (((c1 >> index) & 1) << 2) | (((c2 >> index) & 1) << 1) | ((c3 >> index) & 1);
  return { groups: [group(0), group(1), group(2), group(3)] };
}

const DATA_READ: readonly Keys[] = ["AB", "AB", "AB", "B", "AB", "B", "AB", ""];
const DATA_WRITE: readonly Keys[] = ["AB", "", "", "B", "B", "", "B", ""];

function mayRead(condition: number, key: KeyName): boolean {
  return (DATA_READ[condition] ?? "").includes(key);
}

function mayWrite(condition: number, key: KeyName): boolean {
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

function trailerRights(condition: number): TrailerRights {
  return TRAILER[condition] ?? { writeA: "", writeAccess: "", readB: "", writeB: "" };
}

/** Checks whether key B authenticates. A key B that can be read counts as data and doesn't. */
export function keyBOpens({ groups }: SectorAccess): boolean {
  return trailerRights(groups[3]).readB === "";
}

/** Result codes of the reader family (source: device notes, section A1). */
export const RETVAL = {
  done: 0x00,
  parameter: 0x0c,
  noCard: 0x0d,
  request: 0x14,
  authentication: 0x16,
  read: 0x17,
  write: 0x18,
  noDevice: 0xc1,
  notOpen: 0xc2,
  handle: 0xc7,
} as const;

/** Result code of a reader operation, and its data if the code is 0. */
export interface Outcome {
  retval: number;
  /** hex */
  data: string;
}

export const done = (data = ""): Outcome => ({ retval: RETVAL.done, data });
export const refused = (retval: number): Outcome => ({ retval, data: "" });

type CardModel = "classic1k" | "classic4k" | "ultralight";

/** Answer to a request (ATQA), as the services report it. */
const ATQA: Record<CardModel, number> = { classic1k: 0x0004, classic4k: 0x0002, ultralight: 0x0044 };
const BLOCKS: Record<CardModel, number> = { classic1k: 64, classic4k: 256, ultralight: 0 };
const BLOCK_BYTES = 16;

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex").toUpperCase();

const isTrailer = (block: number): boolean => (block < 128 ? block % 4 === 3 : block % 16 === 15);
export const trailerOf = (block: number): number => (block < 128 ? block | 3 : block | 15);

/** Returns a block's access group. Blocks of a large sector share their conditions in groups of five. */
function groupOf(block: number): 0 | 1 | 2 {
  const group = block < 128 ? block % 4 : Math.floor((block % 16) / 5);
  return group === 0 ? 0 : group === 1 ? 1 : 2;
}

/** Bytes 6 to 9 of every trailer of a card as delivered. */
export const DELIVERED_ACCESS = "FF078069";

interface CardOptions {
  name: string;
  /** hex, 4 or 7 bytes */
  uid: string;
  model?: CardModel;
  keyA?: string;
  keyB?: string;
  /** bytes 6 to 9 of every trailer */
  access?: string;
  /** hex by block */
  blocks?: Record<number, string>;
}

/** A card with its memory, which enforces its keys and access bits as a real one does. */
export class VirtualCard {
  readonly name: string;
  readonly uid: string;
  readonly model: CardModel;
  private readonly memory: Uint8Array;
  private isHalted = false;
  private isSelected = false;
  private authenticated: { trailer: number; key: "A" | "B" } | undefined;

  constructor(options: CardOptions) {
    const {
      name,
      uid,
      model = "classic1k",
      keyA = "FFFFFFFFFFFF",
      keyB = "FFFFFFFFFFFF",
      access = DELIVERED_ACCESS,
    } = options;
    this.name = name;
    this.uid = uid.toUpperCase();
    this.model = model;
    this.memory = new Uint8Array(BLOCKS[model] * BLOCK_BYTES);
    for (let block = 0; block < BLOCKS[model]; block++)
      if (isTrailer(block)) this.memory.set(bytes(`${keyA}${access}${keyB}`), block * BLOCK_BYTES);
    if (model !== "ultralight") this.memory.set(this.manufacturerBlock(), 0);
    for (const [block, data] of Object.entries(options.blocks ?? {}))
      this.memory.set(bytes(data), Number(block) * BLOCK_BYTES);
  }

  get atqa(): number {
    return ATQA[this.model];
  }

  private manufacturerBlock(): Uint8Array {
    const uid = bytes(this.uid);
    const check = uid.reduce((sum, byte) => sum ^ byte, 0);
    return Uint8Array.from([...uid, check, 0x08, 0x04, 0x00, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69]);
  }

  /** Returns all blocks as hex, including the keys, which no real reader could read. */
  dump(): string[] {
    return Array.from({ length: BLOCKS[this.model] }, (_, block) => hex(this.block(block)));
  }

  /** Simulates removal from the field, which clears the card's state. */
  powerOff(): void {
    this.isHalted = false;
    this.clearState();
  }

  private clearState(): void {
    this.isSelected = false;
    this.authenticated = undefined;
  }

  /** `wakesHalted` is WUPA, which also wakes halted cards. */
  request(wakesHalted: boolean): Outcome {
    if (this.isHalted && !wakesHalted) return refused(RETVAL.request);
    this.isHalted = false;
    this.clearState();
    return done(this.atqa.toString(16).padStart(4, "0").toUpperCase());
  }

  /** First round of anticollision: four bytes of the UID; for longer ones, a cascade tag and three bytes. */
  anticollision(): Outcome {
    return done(this.uid.length > 8 ? `88${this.uid.slice(0, 6)}` : this.uid);
  }

  select(uid: string): Outcome {
    if (uid.toUpperCase() !== this.uid) return refused(RETVAL.noCard);
    this.isSelected = true;
    return done("08");
  }

  halt(): Outcome {
    this.isHalted = true;
    this.clearState();
    return done();
  }

  authenticate(key: "A" | "B", block: number, keyToTry: string): Outcome {
    const trailer = trailerOf(block);
    const access = this.accessAt(block);
    const offset = key === "A" ? 0 : 10;
    const keyHex = hex(this.block(trailer).subarray(offset, offset + 6));
    const opens = this.isSelected && access && (key === "A" || keyBOpens(access)) && keyHex === keyToTry.toUpperCase();
    // Like a real card, it stops answering until it is woken.
    if (!opens) return { ...this.halt(), retval: RETVAL.authentication };
    this.authenticated = { trailer, key };
    return done();
  }

  read(block: number): Outcome {
    const access = this.authenticatedAccessAt(block);
    if (!access) return refused(RETVAL.read);
    const { key, groups } = access;
    if (!isTrailer(block))
      return mayRead(groups[groupOf(block)], key) ? done(hex(this.block(block))) : refused(RETVAL.read);
    const visible = Uint8Array.from(this.block(block)).fill(0, 0, 6);
    if (!trailerRights(groups[3]).readB.includes(key)) visible.fill(0, 10);
    return done(hex(visible));
  }

  write(block: number, data: string): Outcome {
    const access = this.authenticatedAccessAt(block);
    if (!access || block === 0 || !/^[0-9A-F]{32}$/i.test(data)) return refused(RETVAL.write);
    const { key, groups } = access;
    if (isTrailer(block)) return this.writeTrailer(block, bytes(data), key, groups[3]);
    if (!mayWrite(groups[groupOf(block)], key)) return refused(RETVAL.write);
    this.block(block).set(bytes(data));
    return done();
  }

  private writeTrailer(block: number, data: Uint8Array, key: "A" | "B", condition: number): Outcome {
    const rights = trailerRights(condition);
    const parts = [
      { from: 0, to: 6, allowedKeys: rights.writeA },
      { from: 6, to: 10, allowedKeys: rights.writeAccess },
      { from: 10, to: 16, allowedKeys: rights.writeB },
    ].filter(({ allowedKeys }) => allowedKeys.includes(key));
    if (parts.length === 0) return refused(RETVAL.write);
    for (const { from, to } of parts) this.block(block).set(data.subarray(from, to), from);
    return done();
  }

  private block(block: number): Uint8Array {
    return this.memory.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES);
  }

  private accessAt(block: number): SectorAccess | undefined {
    const isInMemory = block >= 0 && block < BLOCKS[this.model];
    return isInMemory ? accessOf(this.block(trailerOf(block))) : undefined;
  }

  private authenticatedAccessAt(block: number): (SectorAccess & { key: "A" | "B" }) | undefined {
    const access = this.accessAt(block);
    if (!access || !this.authenticated || this.authenticated.trailer !== trailerOf(block)) return undefined;
    return { ...access, key: this.authenticated.key };
  }
}

/** Adapts a card of the desk for a door: the lock reads it as a reader does, with its own keys. */
export function cardAtDoor(card: VirtualCard): CardAtDoor {
  return {
    uid: card.uid,
    read(block, keyType, key) {
      card.powerOff();
      card.request(true);
      card.select(card.uid);
      card.authenticate(keyType, block, key);
      const { retval, data } = card.read(block);
      card.powerOff();
      return retval === RETVAL.done ? Buffer.from(data, "hex") : null;
    },
  };
}
