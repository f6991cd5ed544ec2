import type { PreparedCard } from "@innkey/shared/schemas/cards";
import type { CardReader } from "@/readers/card-reader.ts";
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
 * server. A card that nobody has keyed gets its sector key first. The card is active only after the last step; whatever
 * throws before leaves it pending.
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
  const where = { block: card.dataBlock, keyType: card.keyType, key: card.sectorKey };
  onStep("write");
  const written = await reader.writeBlock(where, card.data, signal).catch(async (error) => {
    if (!(error instanceof ReaderError) || error.kind !== "wrongKey") throw error;
    await reader.rekey(card.sector, { keyType: "A", key: FACTORY_KEY }, card.sectorKey, signal);
    return reader.writeBlock(where, card.data, signal);
  });
  // Two cards in the field, or one swapped in between: the record of one card is nothing on another.
  if (written.uid !== card.uid) throw new ReaderError("cardGone", "write");
  onStep("confirm");
  const { data } = await reader.readBlock(where, signal);
  await server.confirm(card.cardId, data);
  return card;
}
