import type { PreparedCard } from "@innkey/shared/schemas/cards";
import type { BlockWritten, CardReader } from "@/readers/card-reader.ts";
import { FACTORY_KEY } from "@/readers/mifare.ts";
import { ReaderError } from "@/readers/reader-error.ts";

export const WRITE_STEPS = ["find", "prepare", "write", "confirm"] as const;
export type WriteStep = (typeof WRITE_STEPS)[number];

export interface CardServer {
  prepare(uid: string): Promise<PreparedCard>;
  confirm(cardId: number, readBack: string): Promise<unknown>;
}

/**
 * Writes the card on the reader: its number, what the server prepares for it, the write, and what was read back to the
 * server. A card that has the keys of an earlier generation, or that nobody has keyed, gets its sector key first. The card
 * is active only after the last step; whatever throws before leaves it pending.
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
  const { sector, dataBlock, data: record } = card;
  let keys = [card.sectorKey, ...card.formerSectorKeys, FACTORY_KEY];
  // What opens comes last: a card that is taken away before then opens nothing new.
  for (const block of [...card.others, { sector, dataBlock, data: record }]) {
    const { written, key } = await writeRecord(reader, card, block, keys, signal);
    // Two cards in the field, or one swapped in between: the record of one card is nothing on another.
    if (written.uid !== card.uid) throw new ReaderError("cardGone", "write");
    // The sectors of a card were mostly keyed together: the next one opens with the same key.
    keys = [key, ...keys.filter((other) => other !== key)];
  }
  onStep("confirm");
  const { data } = await reader.readBlock(blockOf(card), signal);
  await server.confirm(card.cardId, data);
  return card;
}

type BlockTarget = Pick<PreparedCard, "sector" | "dataBlock" | "data">;

const blockOf = ({ dataBlock, keyType, sectorKey }: Pick<PreparedCard, "dataBlock" | "keyType" | "sectorKey">) => ({
  block: dataBlock,
  keyType,
  key: sectorKey,
});
const isWrongKey = (error: unknown): boolean => error instanceof ReaderError && error.kind === "wrongKey";

/** With the first of the keys that opens the sector: newest first, delivery last. Answers which it was. */
async function writeRecord(
  reader: CardReader,
  card: PreparedCard,
  { sector, dataBlock, data }: BlockTarget,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<{ written: BlockWritten; key: string }> {
  const write = (): Promise<BlockWritten> => reader.writeBlock(blockOf({ ...card, dataBlock }), data, signal);
  let refused: unknown;
  for (const key of keys) {
    try {
      if (key !== card.sectorKey) await reader.rekey(sector, { keyType: "A", key }, card.sectorKey, signal);
      else return { written: await write(), key };
    } catch (error) {
      if (!isWrongKey(error)) throw error;
      refused = error;
      continue;
    }
    return { written: await write(), key };
  }
  throw refused;
}
