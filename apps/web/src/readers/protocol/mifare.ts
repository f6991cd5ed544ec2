/** The layout of MIFARE Classic (source: NXP data sheets MF1S50yyX and MF1S70yyX). */
export type CardKind = "classic1k" | "classic4k" | "ultralight" | "desfire" | "other";

/** Card types by their answer to a request (ATQA), as readers of this family number it. */
const KINDS: Readonly<Record<number, CardKind>> = {
  4: "classic1k",
  2: "classic4k",
  68: "ultralight",
  836: "desfire",
};

/** Both byte orders are listed, because services disagree about it. */
export function kindOf(answer: number): CardKind {
  const swapped = ((answer & 0xff) << 8) | (answer >> 8);
  return KINDS[answer] ?? KINDS[swapped] ?? "other";
}

export const LAST_BLOCK = 255;
const BLOCKS_1K = 64;
const SMALL_SECTORS_END = 128;

/**
 * Checks for a trailer, the block with keys and access bits: every fourth block, in the large sectors of a 4K card
 * every sixteenth.
 */
export function isTrailer(block: number): boolean {
  return block < SMALL_SECTORS_END ? block % 4 === 3 : block % 16 === 15;
}

/**
 * Checks for data blocks. Block 0 is the manufacturer's, and a trailer with wrong content locks its sector for ever.
 */
export function isWritable(block: number): boolean {
  return block > 0 && block <= LAST_BLOCK && !isTrailer(block);
}

/**
 * Access bits and user byte as delivered: data with either key, the trailer with key A. Constant, so that no input can
 * change them.
 */
export const DELIVERED_ACCESS = "FF078069";
/** The key of a new card. */
export const FACTORY_KEY = "FFFFFFFFFFFF";

/** Returns the trailer of a small sector. */
export function trailerOf(sector: number): number {
  return sector * 4 + 3;
}

export function hasBlock(kind: CardKind, block: number): boolean {
  if (kind === "classic1k") return block < BLOCKS_1K;
  return kind === "classic4k" || kind === "other";
}
