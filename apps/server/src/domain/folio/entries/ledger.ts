import { type FolioEntryType, PaymentChannel } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { movedMinor } from "@innkey/shared/folio";
import { MAX_STAY_MINOR } from "@innkey/shared/money";
import { type QuoteLine, totalOf } from "@innkey/shared/price-rules";
import { v } from "@innkey/shared/schemas/fields";
import type { LedgerAccount } from "../../../adapters/postgres/generated/enums.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

/**
 * Double entry, amounts in minor units; a positive entry is a debit. `receivable` is what the guest owes, `revenue`
 * what was earned (negative), `deposits` what guests deposited (negative). The payment channels are the money received,
 * and `owner_funds` the hotel's own deposits (negative) and withdrawals.
 */
export interface LedgerEntry {
  account: LedgerAccount;
  amountMinor: number;
}

interface EntryDraft {
  /** null for the hotel's own money */
  stayId: number | null;
  type: FolioEntryType;
  /** Amount of the entry; for an exchange the price difference, which may be negative. */
  amountMinor: number;
  channel?: PaymentChannel | null;
  refundsEntryId?: number;
  note?: string;
  /** How many of an extra or of breakfasts, and what one costs. */
  quantity?: number;
  unitMinor?: number;
  /** Hotel-local date on which breakfasts were served. */
  serviceDate?: string;
  /** Masked account that a withdrawal goes to. */
  destination?: string;
  lines?: readonly (QuoteLine & { occupancyId: number })[];
  entries: readonly LedgerEntry[];
}

const isMoney = ({ account }: LedgerEntry): boolean => PaymentChannel.safeParse(account).success;

/**
 * Checks for every entry whether money may be paid out; postEntry, the only writer of the ledger, calls it. Only people
 * pay out, never a program with an API key. Everyone at the desk may return a deposit: through the channel it was paid
 * with, at most what is left of it, and only if nothing is owed. Everything else requires `folio.refund`.
 * @throws payout_not_allowed
 */
async function checkPayout(scope: Scope, tx: Transaction, draft: EntryDraft): Promise<void> {
  const payouts = draft.entries.filter((entry) => isMoney(entry) && entry.amountMinor < 0);
  if (payouts.length === 0) return;
  if (mayPayOut(scope)) return;
  if (mayReturnDeposits(scope) && (await isDepositReturn(tx, draft))) return;
  throw new DomainError("payout_not_allowed");
}

/** Checks whether the caller may pay out more than deposits. */
function mayPayOut(scope: Scope): boolean {
  return scope.actor.kind === "operator" && scope.can("folio.refund");
}

/**
 * Returns the channel for paying out a credit: the requested one; otherwise cash if the caller may pay out, or null,
 * which leaves the credit on the folio.
 */
export function payoutChannel(scope: Scope, requested: PaymentChannel | null | undefined): PaymentChannel | null {
  if (requested !== undefined) return requested;
  return mayPayOut(scope) ? "cash" : null;
}

export function mayReturnDeposits(scope: Scope): boolean {
  return scope.actor.kind === "operator";
}

async function isDepositReturn(tx: Transaction, { stayId, refundsEntryId, entries }: EntryDraft): Promise<boolean> {
  const moved = entries.filter(({ amountMinor }) => amountMinor !== 0);
  const [money, deposit] = [moved.find(isMoney), moved.find(({ account }) => account === "deposits")];
  if (stayId === null || refundsEntryId === undefined || moved.length !== 2 || !money || !deposit) return false;
  const [previous] = await tx.sql.prepared<{ channel: string | null; leftMinor: number; owedMinor: number }>(
    "deposit-entry",
    `SELECT d.channel::text AS channel, d.refundable_minor AS "leftMinor", a.owed_minor::int AS "owedMinor"
       FROM folio_entry_now d JOIN stay_account a ON a.stay_id = d.stay_id
      WHERE d.hotel_id = $1 AND d.id = $2::int AND d.stay_id = $3::int AND d.type = 'deposit'`,
    refundsEntryId,
    stayId,
  );
  return (
    previous !== undefined &&
    previous.channel === money.account &&
    deposit.amountMinor <= previous.leftMinor &&
    previous.owedMinor <= 0
  );
}

/**
 * Inserts an entry with its lines and ledger entries in one round trip: $2 the stay, $11 the lines, $12 the ledger
 * entries, $14 to $16 what an extra or breakfasts consist of. `tooLarge` says whether the stay now owes, was charged or has as a deposit more than $13. Otherwise repeated
 * payments and refunds could add up to a credit too large for one entry to pay out. The statement doesn't see its own
 * rows, so they are added to those from before.
 */
const INSERT_ENTRY = `WITH
  entry AS (
    INSERT INTO folio_entry (hotel_id, stay_id, type, amount_minor, channel, refunds_entry_id, note, destination, operator_id, created_at, quantity, unit_minor, service_date)
    VALUES ($1, $2::int, $3::folio_entry_type, $4::int, $5::payment_channel, $6::int, $7, $8, $9::int, $10::timestamptz, $14::int, $15::int, $16::date)
    RETURNING id
  ),
  line AS (
    INSERT INTO folio_entry_line (hotel_id, folio_entry_id, occupancy_id, kind, date, starts_at, ends_at, quantity, unit_minor, amount_minor, agreed_unit)
    SELECT $1, entry.id, l."occupancyId", l.kind, l.date, l."startsAt", l."endsAt", l.quantity, l."unitMinor", l."amountMinor", l."agreedUnit"
    FROM entry, jsonb_to_recordset($11::jsonb) AS l ("occupancyId" int, kind line_kind, date date, "startsAt" timestamptz,
      "endsAt" timestamptz, quantity int, "unitMinor" int, "amountMinor" int, "agreedUnit" stay_unit)
  ),
  draft AS (
    SELECT account, "amountMinor" AS amount_minor FROM jsonb_to_recordset($12::jsonb) AS d (account ledger_account, "amountMinor" int)
  ),
  ledger AS (
    INSERT INTO ledger_entry (hotel_id, folio_entry_id, account, amount_minor, created_at)
    SELECT $1, entry.id, draft.account, draft.amount_minor, $10::timestamptz FROM entry, draft
  )
  SELECT entry.id, $2::int IS NOT NULL AND EXISTS (
    SELECT FROM (
      SELECT e.account, e.amount_minor FROM folio_entry o JOIN ledger_entry e ON e.folio_entry_id = o.id AND e.hotel_id = o.hotel_id
       WHERE o.hotel_id = $1 AND o.stay_id = $2::int
      UNION ALL SELECT account, amount_minor FROM draft) all_entries
     WHERE account IN ('receivable', 'revenue', 'deposits')
     GROUP BY account HAVING abs(sum(amount_minor)) > $13::bigint) AS "tooLarge"
  FROM entry`;

/**
 * Writes one entry with its lines and ledger entries. All writes to the ledger go through here, so that every payout is
 * checked.
 * @throws payout_not_allowed; invalid_input if the stay's folio would exceed what it can store; Error if the entries
 * don't sum to zero
 */
export async function postEntry(scope: Scope, tx: Transaction, draft: EntryDraft): Promise<number> {
  const ledger = draft.entries.filter((entry) => entry.amountMinor !== 0);
  if (totalOf(ledger) !== 0) throw new Error(`The ledger entries of a ${draft.type} do not sum to zero`);
  await checkPayout(scope, tx, draft);
  const [entry] = await tx.sql.prepared<{ id: number; tooLarge: boolean }>(
    "insert-entry",
    INSERT_ENTRY,
    draft.stayId,
    draft.type,
    draft.amountMinor,
    draft.channel ?? null,
    draft.refundsEntryId ?? null,
    draft.note ?? "",
    draft.destination ?? "",
    scope.operatorId,
    scope.now(),
    JSON.stringify(draft.lines ?? []),
    JSON.stringify(ledger),
    MAX_STAY_MINOR,
    draft.quantity ?? null,
    draft.unitMinor ?? null,
    draft.serviceDate ?? null,
  );
  if (!entry) throw new Error("an inserted entry returned no row");
  if (entry.tooLarge) throw new DomainError("invalid_input", {}, { amountMinor: { key: v.amount } });
  const { stayId, type, amountMinor, channel = null, destination, quantity, unitMinor, serviceDate } = draft;
  const about = {
    ...(stayId !== null && { stayId }),
    amountMinor,
    channel,
    ...(destination && { destination }),
    ...(quantity !== undefined && { quantity, unitMinor }),
    ...(serviceDate && { serviceDate }),
    ...((type === "cancellation" || type === "withdrawal_undone") && { cancelledEntryId: draft.refundsEntryId }),
  };
  tx.audit({ action: `folio.${type}`, entity: "folio_entry", entityId: entry.id, after: about });
  return entry.id;
}

/** Returns the newest entry of a stay; null if there is none. */
export async function lastEntryOf(tx: Transaction, stayId: number, type?: FolioEntryType): Promise<number | null> {
  const [newest] = await tx.sql.prepared<{ id: number | null }>(
    "last-entry",
    `SELECT max(id) AS id FROM folio_entry
      WHERE hotel_id = $1 AND stay_id = $2::int AND ($3::folio_entry_type IS NULL OR type = $3::folio_entry_type)`,
    stayId,
    type ?? null,
  );
  return newest?.id ?? null;
}

/** Charges an amount; it is owed at once, and paid together with the charge if a channel is given. */
export function chargeEntries(totalMinor: number, channel: PaymentChannel | null): LedgerEntry[] {
  return [
    { account: "receivable", amountMinor: totalMinor },
    { account: "revenue", amountMinor: -totalMinor },
    ...(channel ? paymentEntries(totalMinor, channel) : []),
  ];
}

/** Payment for what is owed; a negative amount refunds it. */
export function paymentEntries(amountMinor: number, channel: PaymentChannel): LedgerEntry[] {
  return [
    { account: channel, amountMinor },
    { account: "receivable", amountMinor: -amountMinor },
  ];
}

/** Payment of a deposit; a negative amount refunds it. */
export function depositEntries(amountMinor: number, channel: PaymentChannel): LedgerEntry[] {
  return [
    { account: channel, amountMinor },
    { account: "deposits", amountMinor: -amountMinor },
  ];
}

/** Uses a deposit to settle what is owed, or keeps it as revenue. No money moves, but it now belongs to the hotel. */
export function depositSpentEntries(amountMinor: number, account: "receivable" | "revenue"): LedgerEntry[] {
  return [
    { account: "deposits", amountMinor },
    { account, amountMinor: -amountMinor },
  ];
}

/** Deposit of the hotel's own money; a negative amount withdraws it. */
export function fundsEntries(amountMinor: number, channel: PaymentChannel): LedgerEntry[] {
  return [
    { account: channel, amountMinor },
    { account: "owner_funds", amountMinor: -amountMinor },
  ];
}

interface Exchange {
  stayId: number;
  differenceMinor: number;
  /** What the stay owes before the exchange. */
  owedMinor: number;
  channel: PaymentChannel | null;
  lines: EntryDraft["lines"];
}

/**
 * Posts a change of room or period and returns the id of its entry. A higher price is charged, and paid if a channel is
 * given. For a lower price, only what was already paid is refunded; if that differs from the price difference, it is a
 * separate entry, because an entry with a channel moves exactly its amount.
 */
export async function postExchange(
  scope: Scope,
  tx: Transaction,
  { stayId, differenceMinor, owedMinor, channel, lines }: Exchange,
): Promise<number> {
  const moved = channel ? movedMinor(differenceMinor, owedMinor) : 0;
  const entryChannel = moved === differenceMinor && moved !== 0 ? channel : null;
  const entryId = await postEntry(scope, tx, {
    stayId,
    type: "exchange",
    amountMinor: differenceMinor,
    channel: entryChannel,
    lines,
    entries: chargeEntries(differenceMinor, entryChannel),
  });
  if (channel && moved !== 0 && !entryChannel) {
    const entries = paymentEntries(moved, channel);
    await postEntry(scope, tx, { stayId, type: "payment", amountMinor: moved, channel, entries });
  }
  return entryId;
}
