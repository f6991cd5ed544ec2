import { PaymentChannel } from "@innkey/shared/enums";
import { addDays, addMonths, atLocal, localDate } from "@innkey/shared/hotel-time";
import type * as schema from "@innkey/shared/schemas/folio/balance";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { readHotelMoney } from "./hotel-money.ts";

/**
 * Returns the hotel's money, how much of it may be withdrawn, and the withdrawal account; amounts in minor units.
 * @throws no_permission
 */
export async function get(scope: Scope): Promise<schema.Balance> {
  scope.require("balance.view");
  const [money, account] = await Promise.all([
    readHotelMoney(scope.sql),
    scope.reads.withdrawalAccount.findFirst({
      select: { type: true, name: true, bank: true, numberEnd: true, updatedAt: true },
    }),
  ]);
  return { ...money, account: account && { ...account, updatedAt: account.updatedAt.toISOString() } };
}

type Row = schema.Statement["rows"][number];

/**
 * $2: time zone, $3: "day" or "month", $4 and $5: first and last local day, $6 and $7: the same as timestamps, $8:
 * payment channels. Guests' money belongs to entries with a stay; the hotel's own deposits and withdrawals have none.
 */
const STATEMENT = `
  WITH entry AS (
    SELECT date_trunc($3::text, e.created_at AT TIME ZONE $2::text)::date AS date, e.account::text AS account,
      e.amount_minor AS amount, o.stay_id IS NOT NULL AS guests, o.type::text AS type, e.account::text = ANY ($8::text[]) AS money
      FROM ledger_entry e JOIN folio_entry o ON o.id = e.folio_entry_id AND o.hotel_id = e.hotel_id
     WHERE e.hotel_id = $1 AND e.created_at >= $6::timestamptz AND e.created_at < $7::timestamptz
  ), summed AS (
    SELECT date,
      coalesce(-sum(amount) FILTER (WHERE account = 'revenue'), 0)::float8 AS charged,
      coalesce(-sum(amount) FILTER (WHERE money AND guests AND amount < 0), 0)::float8 AS returned,
      coalesce(-sum(amount) FILTER (WHERE account = 'deposits' AND amount < 0), 0)::float8 AS deposits_in,
      coalesce(sum(amount) FILTER (WHERE account = 'deposits' AND amount > 0 AND type = 'refund'), 0)::float8 AS deposits_out,
      coalesce(sum(amount) FILTER (WHERE money AND NOT guests AND type <> 'withdrawal'), 0)::float8 AS recharged,
      coalesce(-sum(amount) FILTER (WHERE money AND type = 'withdrawal'), 0)::float8 AS withdrawn
      FROM entry GROUP BY date
  ), paid AS (
    SELECT date, account, sum(amount)::float8 AS amount FROM entry WHERE money AND guests AND amount > 0 GROUP BY date, account
  )
  SELECT to_char(d.date, 'YYYY-MM-DD') AS date, coalesce(s.charged, 0) AS "chargedMinor",
    coalesce(s.returned, 0) AS "returnedMinor", coalesce(s.deposits_in, 0) AS "depositsInMinor",
    coalesce(s.deposits_out, 0) AS "depositsOutMinor", coalesce(s.recharged, 0) AS "rechargedMinor",
    coalesce(s.withdrawn, 0) AS "withdrawnMinor",
    (SELECT jsonb_agg(jsonb_build_object('channel', c.channel, 'amountMinor', coalesce(p.amount, 0)) ORDER BY c.place)
       FROM unnest($8::text[]) WITH ORDINALITY AS c (channel, place)
       LEFT JOIN paid p ON p.date = d.date AND p.account = c.channel) AS taken
    FROM generate_series($4::date, $5::date, ('1 ' || $3::text)::interval) AS d (date)
    LEFT JOIN summed s ON s.date = d.date
   ORDER BY d.date`;

const OPENING = `
  SELECT coalesce(sum(amount_minor), 0)::float8 AS minor FROM ledger_entry
   WHERE hotel_id = $1 AND account::text = ANY ($2::text[]) AND created_at < $3::timestamptz`;

/**
 * Returns the days of a month, or the months of a year, in hotel time: charges, payments, refunds, the hotel's own
 * deposits and withdrawals, and the balance at the end of each. Amounts in minor units. @throws no_permission
 */
export async function statement(scope: Scope, input: z.infer<typeof schema.statementInput>): Promise<schema.Statement> {
  scope.require("balance.view");
  const { timeZone } = scope.hotel;
  const today = localDate(scope.now().toISOString(), timeZone);
  const date = input.date ?? today;
  const from = input.span === "day" ? `${date.slice(0, 7)}-01` : `${date.slice(0, 4)}-01-01`;
  const next = addMonths(from, input.span === "day" ? 1 : 12);
  const last = next <= today ? addDays(next, -1) : today;
  const opening = atLocal(from, "00:00", timeZone);
  const [[before], rows] = await Promise.all([
    scope.sql.rows<{ minor: number }>(OPENING, PaymentChannel.options, opening),
    from > today
      ? []
      : scope.sql.rows<Omit<Row, "takenMinor" | "closingMinor">>(
          STATEMENT,
          timeZone,
          input.span,
          from,
          last,
          opening,
          atLocal(next, "00:00", timeZone),
          PaymentChannel.options,
        ),
  ]);
  const openingMinor = before?.minor ?? 0;
  let closingMinor = openingMinor;
  return {
    from,
    openingMinor,
    rows: rows.map((row) => {
      const takenMinor = row.taken.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      closingMinor += takenMinor - row.returnedMinor + row.rechargedMinor - row.withdrawnMinor;
      return { ...row, takenMinor, closingMinor };
    }),
  };
}
