import type { Transaction } from "./transaction.ts";

/** Draws the id of a row before it is written, because a secret box is bound to its row. */
export async function nextId(
  tx: Transaction,
  table: "card_profile" | "guest" | "passcode" | "webhook",
): Promise<number> {
  const [drawn] = await tx.sql.rows<{ id: number }>(
    "SELECT nextval(pg_get_serial_sequence($2, 'id'))::int AS id WHERE $1::int IS NOT NULL",
    table,
  );
  if (!drawn) throw new Error(`${table} draws its ids from no sequence`);
  return drawn.id;
}
