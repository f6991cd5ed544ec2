import type pg from "pg";
import { CARDS } from "./announce.ts";
import { insertDeliveries } from "./deliveries.sql.ts";

/** Announces the cards that door records have shown to be written, in the transaction that detected this. */
export async function announceIssued(
  client: pg.ClientBase,
  hotelId: number,
  cardIds: readonly number[],
  now: Date,
): Promise<void> {
  const values = [hotelId, "card.issued", cardIds, "{}", now.toISOString()];
  await client.query(insertDeliveries(CARDS, "$5::timestamptz"), values);
}
