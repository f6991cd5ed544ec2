import type { PreparedCard } from "@innkey/shared/schemas/access/cards";
import type { CardReader, WriteResult } from "@/readers/card-reader.ts";
import { FACTORY_KEY } from "@/readers/protocol/mifare.ts";
import { ReaderError } from "@/readers/reader-error.ts";

export const WRITE_STEPS = ["find", "prepare", "write", "confirm"] as const;
export type WriteStep = (typeof WRITE_STEPS)[number];

export interface CardServer {
  prepare(uid: string): Promise<PreparedCard>;
  confirm(cardId: number, readBack: string): Promise<unknown>;
}

/**
 * Writes the card on the reader: reads its number, has the server prepare the data, writes it, and sends back what was
 * read from the card. A card with older keys or with factory keys gets its sector key first. The card becomes active
 * only after the last step; if an earlier step throws, it stays pending.
 */
export async function writeCard(
  reader: CardReader,
  server: CardServer,
  onStep: (step: WriteStep) => void,
  signal?: AbortSignal,
): Promise<PreparedCard> {
  onStep("find");
  const { uid } = await reader.readUid(signal);
  onStep("prepare");
  const card = await server.prepare(uid);
  onStep("write");
  const { sector, sectorKey, dataBlock, data: record } = card;
  const otherKeys = card.others.map((block) => block.sectorKey);
  let keys = [...new Set([sectorKey, ...otherKeys, ...card.formerSectorKeys]), FACTORY_KEY];
  // We write the record that opens doors last, so a card removed earlier doesn't open anything new.
  for (const block of [...card.others, { sector, sectorKey, dataBlock, data: record }]) {
    const { written, key } = await writeRecord(reader, card, block, keys, signal);
    // Two cards are in the field, or the cards were swapped: a record written for one card is invalid on another.
    if (written.uid !== card.uid) throw new ReaderError("cardGone", "write");
    // A card's sectors usually share a key, so we try the key that worked first.
    keys = [key, ...keys.filter((other) => other !== key)];
  }
  onStep("confirm");
  const { data } = await reader.readBlock(blockOf(card), signal);
  await server.confirm(card.cardId, data);
  return card;
}

type BlockTarget = Pick<PreparedCard, "sector" | "sectorKey" | "dataBlock" | "data">;

const blockOf = ({ dataBlock, keyType, sectorKey }: Pick<PreparedCard, "dataBlock" | "keyType" | "sectorKey">) => ({
  block: dataBlock,
  keyType,
  key: sectorKey,
});
const isWrongKey = (error: unknown): boolean => error instanceof ReaderError && error.kind === "wrongKey";

/** Writes one block with the first key that opens its sector: newest first, factory key last. Returns that key. */
async function writeRecord(
  reader: CardReader,
  card: PreparedCard,
  { sector, sectorKey, dataBlock, data }: BlockTarget,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<{ written: WriteResult; key: string }> {
  const write = (): Promise<WriteResult> => reader.writeBlock(blockOf({ ...card, dataBlock, sectorKey }), data, signal);
  let lastError: unknown;
  for (const key of keys) {
    try {
      if (key !== sectorKey) await reader.rekey(sector, { keyType: "A", key }, sectorKey, signal);
      else return { written: await write(), key };
    } catch (error) {
      if (!isWrongKey(error)) throw error;
      lastError = error;
      continue;
    }
    return { written: await write(), key };
  }
  throw lastError;
}
