/** How MIFARE Classic is laid out (source: NXP data sheets MF1S50yyX and MF1S70yyX). */
export type CardKind = "classic1k" | "classic4k" | "ultralight" | "desfire" | "other";

/** The answer to a request (ATQA) as readers of this family number it. */
const KINDS: Readonly<Record<number, CardKind>> = {
  4: "classic1k",
  2: "classic4k",
  68: "ultralight",
  836: "desfire",
};

/** Services disagree about which byte comes first. */
export function kindOf(answer: number): CardKind {
  const swapped = ((answer & 0xff) << 8) | (answer >> 8);
  return KINDS[answer] ?? KINDS[swapped] ?? "other";
}

export const LAST_BLOCK = 255;
const BLOCKS_1K = 64;
const SMALL_SECTORS_END = 128;

/** Keys and access bits: every fourth block, in the large sectors of a 4K card every sixteenth. */
export function isTrailer(block: number): boolean {
  return block < SMALL_SECTORS_END ? block % 4 === 3 : block % 16 === 15;
}

/** Block 0 is the manufacturer's; a trailer written wrongly closes its sector for ever. */
export function isWritable(block: number): boolean {
  return block > 0 && block <= LAST_BLOCK && !isTrailer(block);
}

/** Access bits and user byte of delivery: data with either key, the trailer with key A; nothing typed can get in here. */
export const DELIVERED_ACCESS = "FF078069";
/** The key of a card that nobody has keyed yet. */
export const FACTORY_KEY = "FFFFFFFFFFFF";

/** The trailer of one of the small sectors. */
export function trailerOf(sector: number): number {
  return sector * 4 + 3;
}

export function hasBlock(kind: CardKind, block: number): boolean {
  if (kind === "classic1k") return block < BLOCKS_1K;
  return kind === "classic4k" || kind === "other";
}
