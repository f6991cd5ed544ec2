import type { CardKind } from "./protocol/mifare.ts";

export interface CardInField {
  /** Upper-case hex bytes in the order read. */
  uid: string;
  kind: CardKind;
}

export interface BlockAddress {
  /** Number of the block, counted over the whole card. */
  block: number;
  keyType: "A" | "B";
  /** 12 hex digits. */
  key: string;
}

export interface ReadResult extends CardInField {
  /** 32 hex digits. */
  data: string;
}

export interface WriteResult extends CardInField {
  /** Whether the block was read back with the written content; false if the key may write but not read. */
  checked: boolean;
}

/**
 * A card reader at this computer. Operations run one at a time, in order. Each opens the reader if it isn't open, and
 * throws ReaderError. An aborted signal ends the wait at once, with `cancelled`.
 */
export interface CardReader {
  open(signal?: AbortSignal): Promise<void>;
  readUid(signal?: AbortSignal): Promise<CardInField>;
  readBlock(where: BlockAddress, signal?: AbortSignal): Promise<ReadResult>;
  /** Writes a data block; never block 0 and never a trailer. */
  writeBlock(where: BlockAddress, data: string, signal?: AbortSignal): Promise<WriteResult>;
  /**
   * Sets one new key as A and B of a sector of four blocks; its access bits keep the factory setting. This is the only
   * way in which a trailer is written. @throws wrongKey if `from` does not open the sector
   */
  rekey(sector: number, from: Omit<BlockAddress, "block">, newKey: string, signal?: AbortSignal): Promise<CardInField>;
  beep(signal?: AbortSignal): Promise<void>;
  close(signal?: AbortSignal): Promise<void>;
}

/** Information and signals of a reader; `unsupported` if its kind doesn't have them. */
export interface ReaderDevice {
  serial(signal?: AbortSignal): Promise<string>;
  model(signal?: AbortSignal): Promise<string>;
  /** Lights red, then green, then turns off. */
  testLight(signal?: AbortSignal): Promise<void>;
  /** Turns the antenna off and on again. */
  resetAntenna(signal?: AbortSignal): Promise<void>;
}
