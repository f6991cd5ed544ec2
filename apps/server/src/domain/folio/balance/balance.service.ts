import { PaymentChannel } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { addDays, addMonths, atLocal, localDate } from "@innkey/shared/hotel-time";
import { moneyText } from "@innkey/shared/money";
import type * as schema from "@innkey/shared/schemas/folio";
import type { Balance } from "@innkey/shared/schemas/folio";
import type { z } from "zod";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import { requireUndoable } from "../../property/public.ts";
import { fundsEntries, type LedgerEntry, postEntry } from "../entries/ledger.ts";

export type HotelMoney = Omit<Balance, "account">;

/** Sums are float8, which is exact up to 2^53, because they may exceed an integer. $2: payment channels. */
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
  if (!row) throw new Error("the sums of the ledger returned no row");
  const moneyMinor = row.channels.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return { ...row, moneyMinor, availableMinor: moneyMinor - row.heldMinor - row.creditsMinor };
}

/**
 * Locks the hotel's row until the transaction ends, so that withdrawals and refunds of the hotel's own deposits run one
 * after the other. Payments and refunds of stays don't take this lock: what is owed to guests is never held back because
 * the hotel withdrew its money.
 */
export async function lockHotelMoney(tx: Transaction): Promise<void> {
  await tx.sql.rows("SELECT id FROM hotel WHERE id = $1 FOR NO KEY UPDATE");
}

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

/** Returns the hotel's available money in minor units, or null if the caller may not see it. */
export async function readAvailable(scope: Scope): Promise<number | null> {
  return scope.can("balance.view") ? (await readHotelMoney(scope.sql)).availableMinor : null;
}

type Row = schema.Statement["rows"][number];

/**
 * $2: time zone, $3: "day" or "month", $4 and $5: first and last local day, $6 and $7: the same as timestamps, $8:
 * payment channels. Guests' money belongs to entries with a stay; the hotel's own deposits and withdrawals have none. An
 * undone withdrawal counts against what was withdrawn on the day of the undoing.
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
      coalesce(sum(amount) FILTER (WHERE money AND NOT guests AND type NOT IN ('withdrawal', 'withdrawal_undone')), 0)::float8 AS recharged,
      coalesce(-sum(amount) FILTER (WHERE money AND type IN ('withdrawal', 'withdrawal_undone')), 0)::float8 AS withdrawn
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

type Input<S extends z.ZodType> = z.infer<S>;
type BalanceMoved = Input<typeof schema.balanceMoved>;

/** Order in which channels are withdrawn from. Cash is needed at the desk, so it comes last. */
const WITHDRAWAL_ORDER: readonly PaymentChannel[] = ["transfer", "card", "other", "cash"];

/** Deposits the hotel's own money, as an entry without a stay. Amounts are in minor units. @throws no_permission */
export async function recharge(scope: Scope, input: Input<typeof schema.rechargeInput>): Promise<BalanceMoved> {
  scope.require("balance.manage");
  return scope.write(async (tx) => {
    const entries = fundsEntries(input.amountMinor, input.channel);
    const entryId = await postEntry(scope, tx, { ...input, stayId: null, type: "recharge", entries });
    const { availableMinor } = await readHotelMoney(tx.sql);
    return { entryId, availableMinor };
  });
}

/**
 * Withdraws money to the withdrawal account, one withdrawal at a time. It is taken from the payment channels in a fixed
 * order, from each at most its balance. @throws withdrawal_account_missing; balance_too_small with what is left
 */
export async function withdraw(scope: Scope, input: Input<typeof schema.withdrawInput>): Promise<BalanceMoved> {
  scope.require("balance.manage");
  return scope.write(async (tx) => {
    await lockHotelMoney(tx);
    const account = await tx.db.withdrawalAccount.findFirst();
    if (!account) throw new DomainError("withdrawal_account_missing");
    const money = await readHotelMoney(tx.sql);
    if (input.amountMinor > money.availableMinor) {
      const { currency } = scope.hotel;
      throw new DomainError("balance_too_small", {
        left: moneyText(Math.max(0, money.availableMinor), currency, scope.language),
      });
    }
    const entries = withdrawalEntries(input.amountMinor, money);
    const [first, second] = entries.filter(({ account: name }) => name !== "owner_funds");
    const entryId = await postEntry(scope, tx, {
      ...input,
      stayId: null,
      type: "withdrawal",
      channel: second ? null : (WITHDRAWAL_ORDER.find((channel) => channel === first?.account) ?? null),
      destination: [account.name, account.bank, `•••• ${account.numberEnd}`].filter(Boolean).join(", "),
      entries,
    });
    return { entryId, availableMinor: money.availableMinor - input.amountMinor };
  });
}

/**
 * Undoes a withdrawal that never reached the account: a counter-entry puts the money back into the channels that it was
 * taken from. @throws not_found; state_conflict if it was undone before
 */
export async function undoWithdrawal(
  scope: Scope,
  input: Input<typeof schema.undoWithdrawalInput>,
): Promise<BalanceMoved> {
  scope.require("balance.manage");
  return scope.write(async (tx) => {
    await lockHotelMoney(tx);
    const withdrawal = await tx.db.folioEntry.findFirst({
      where: { id: input.entryId, type: "withdrawal" },
      include: { ledgerEntries: { orderBy: { id: "asc" } }, refundedBy: true },
    });
    if (!withdrawal) throw new DomainError("not_found");
    if (withdrawal.refundedBy.length > 0) throw new DomainError("state_conflict");
    await requireUndoable(scope, tx.sql, { act: "withdrawal", at: withdrawal.createdAt.toISOString() });
    const { amountMinor, channel, destination, ledgerEntries } = withdrawal;
    const entryId = await postEntry(scope, tx, {
      stayId: null,
      type: "withdrawal_undone",
      amountMinor,
      channel,
      destination,
      refundsEntryId: withdrawal.id,
      note: input.reason,
      entries: ledgerEntries.map((entry) => ({ account: entry.account, amountMinor: -entry.amountMinor })),
    });
    const { availableMinor } = await readHotelMoney(tx.sql);
    return { entryId, availableMinor };
  });
}

const VISIBLE_CHARACTERS = 4;

/**
 * The available amount never exceeds the positive balances of the channels, so the whole amount can be taken from them.
 */
function withdrawalEntries(amountMinor: number, { channels }: HotelMoney): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  let remaining = amountMinor;
  for (const name of WITHDRAWAL_ORDER) {
    const balance = channels.find(({ channel }) => channel === name)?.amountMinor ?? 0;
    const part = Math.min(remaining, Math.max(0, balance));
    if (part > 0) entries.push({ account: name, amountMinor: -part });
    remaining -= part;
  }
  if (remaining > 0) throw new Error("the available amount exceeds the balances of the channels");
  return [...entries, { account: "owner_funds", amountMinor }];
}

/**
 * Sets the withdrawal account. The number is sealed, and only its last digits are shown again. @throws invalid_input
 * without a number
 */
export async function setAccount(
  scope: Scope,
  { number, ...input }: Input<typeof schema.setAccountInput>,
): Promise<Input<typeof schema.balanceOutput>> {
  scope.require("balance.manage");
  await scope.write(async (tx) => {
    await lockHotelMoney(tx);
    const before = await tx.db.withdrawalAccount.findFirst();
    if (!number && !before) throw new DomainError("invalid_input", {}, { number: { key: "validation.required" } });
    const context = { column: "withdrawal_account.number_box", hotelId: scope.hotelId, row: "" } as const;
    const numberBox = number ? scope.secrets.payout.seal(number, context) : null;
    const masked = { ...input, numberEnd: number ? number.slice(-VISIBLE_CHARACTERS) : (before?.numberEnd ?? "") };
    const data = { ...masked, ...(numberBox && { numberBox }), updatedAt: scope.now() };
    if (before) await tx.db.withdrawalAccount.updateMany({ data });
    else if (numberBox) await tx.db.withdrawalAccount.create({ data: { ...data, numberBox, hotelId: scope.hotelId } });
    const after = { ...masked, ...(number && { number }) };
    const changes = before
      ? changesOf({ ...before, number: scope.secrets.payout.open(before.numberBox, context) }, after, ["number"])
      : { after: masked };
    if (changes) {
      tx.audit({ action: "balance.account", entity: "balance", entityId: scope.hotelId, ...changes });
    }
  });
  return get(scope);
}
