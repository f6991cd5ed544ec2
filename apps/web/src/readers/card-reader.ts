import type { CardKind } from "./mifare.ts";

export interface CardInField {
  /** upper-case hex bytes in the order read */
  uid: string;
  kind: CardKind;
}

export interface BlockAddress {
  /** counted over the whole card */
  block: number;
  keyType: "A" | "B";
  /** 12 hex digits */
  key: string;
}

export interface BlockRead extends CardInField {
  /** 32 hex digits */
  data: string;
}

export interface BlockWritten extends CardInField {
  /** the block was read back and holds what was written; false where the key may write and not read */
  checked: boolean;
}

/**
 * A reader on this desk. Operations queue up: one at a time. Each opens the reader if it isn't open; what they throw is a
 * ReaderError. An aborted signal ends the wait at once, with `cancelled`.
 */
export interface CardReader {
  open(signal?: AbortSignal): Promise<void>;
  readUid(signal?: AbortSignal): Promise<CardInField>;
  readBlock(where: BlockAddress, signal?: AbortSignal): Promise<BlockRead>;
  /** Never block 0, never a trailer. */
  writeBlock(where: BlockAddress, data: string, signal?: AbortSignal): Promise<BlockWritten>;
  /**
   * Gives a sector of four blocks the same new key for A and B; what may be done with it stays as delivered. The only
   * way in which a trailer is ever written. @throws wrongKey where `from` does not open the sector
   */
  rekey(sector: number, from: Omit<BlockAddress, "block">, newKey: string, signal?: AbortSignal): Promise<CardInField>;
  beep(signal?: AbortSignal): Promise<void>;
  close(signal?: AbortSignal): Promise<void>;
}

/** What a reader tells and shows of itself; `unsupported` where its kind has no such thing. */
export interface ReaderSelf {
  serial(signal?: AbortSignal): Promise<string>;
  model(signal?: AbortSignal): Promise<string>;
  /** red, green, then out */
  light(signal?: AbortSignal): Promise<void>;
  /** off and on again */
  antenna(signal?: AbortSignal): Promise<void>;
}
