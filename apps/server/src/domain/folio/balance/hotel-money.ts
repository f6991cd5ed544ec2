import { PaymentChannel } from "@innkey/shared/enums";
import type { Balance } from "@innkey/shared/schemas/folio/balance";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

export type HotelMoney = Omit<Balance, "account">;

/** We sum as float8, which is exact up to 2^53, because sums may exceed an integer. $2: payment channels. */
const MONEY = `
  WITH booked AS (
    SELECT e.account::text AS account, sum(e.amount_minor) AS amount
      FROM ledger_entry e WHERE e.hotel_id = $1 GROUP BY e.account
  ), credit AS (
    SELECT -sum(e.amount_minor) AS amount FROM ledger_entry e JOIN folio_entry o ON o.id = e.folio_entry_id AND o.hotel_id = e.hotel_id
     WHERE e.hotel_id = $1 AND e.account = 'receivable' GROUP BY o.stay_id HAVING sum(e.amount_minor) < 0
  )
  SELECT coalesce((SELECT -amount FROM booked WHERE account = 'deposits'), 0)::float8 AS "heldMinor",
    coalesce((SELECT sum(amount) FROM credit), 0)::float8 AS "creditsMinor",
    (SELECT jsonb_agg(jsonb_build_object('channel', c.channel, 'amountMinor', coalesce(b.amount, 0)) ORDER BY c.place)
       FROM unnest($2::text[]) WITH ORDINALITY AS c (channel, place) LEFT JOIN booked b ON b.account = c.channel) AS channels`;

/**
 * Computes the hotel's money from the ledger. Of the money in the channels, deposits and what guests overpaid belong to
 * the guests; the rest is available.
 */
export async function readHotelMoney(sql: HotelSql): Promise<HotelMoney> {
  const [row] = await sql.rows<Pick<HotelMoney, "heldMinor" | "creditsMinor" | "channels">>(
    MONEY,
    PaymentChannel.options,
  );
  if (!row) throw new Error("sums without a row");
  const moneyMinor = row.channels.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return { ...row, moneyMinor, availableMinor: moneyMinor - row.heldMinor - row.creditsMinor };
}

/**
 * Serialises withdrawals of the hotel's own money, so that the available amount can't change in between. We lock the
 * hotel's row, since it always exists and only changes of the hotel's data lock it too.
 */
export async function takeTurn(tx: Transaction): Promise<void> {
  await tx.sql.rows("SELECT id FROM hotel WHERE id = $1 FOR NO KEY UPDATE");
}
