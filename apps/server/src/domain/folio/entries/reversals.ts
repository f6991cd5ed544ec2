import { totalOf } from "@innkey/shared/price-rules";
import type { FolioEntryType, PaymentChannel } from "../../../adapters/postgres/generated/enums.ts";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { chargeEntries, depositEntries, depositSpentEntries, paymentEntries, postEntry } from "./ledger.ts";
import { readAccount } from "./stay-account.ts";

/** An entry that the end of a stay wrote; `of` is the type of the entry that it refers to. */
interface EndEntry {
  id: number;
  type: FolioEntryType;
  amountMinor: number;
  channel: PaymentChannel | null;
  refundsEntryId: number | null;
  of: FolioEntryType | null;
  /** what of it was not refunded since */
  leftMinor: number;
}

/** Returns the ids of a stay's entries after the one with id `lastId` (null: all). */
export async function entriesSince(tx: Transaction, stayId: number, lastId: number | null): Promise<number[]> {
  const rows = await tx.sql.rows<{ id: number }>(
    "SELECT id FROM folio_entry WHERE hotel_id = $1 AND stay_id = $2::int AND id > $3::int ORDER BY id",
    stayId,
    lastId ?? 0,
  );
  return rows.map(({ id }) => id);
}

/**
 * Takes back what the end of a stay did to its folio, by counter-entries: refunded charges are charged again, and
 * deposits that were spent are held again. With `isMoneyBack`, all money is again where it was: what was paid out is
 * taken through the same channel, and what was paid is given back through it. Otherwise both stay, and what was paid out
 * is owed again. The caller has locked the stay. @throws payout_not_allowed if money must be given back
 */
export async function reverseEnd(
  scope: Scope,
  tx: Transaction,
  { stayId, entryIds, isMoneyBack }: { stayId: number; entryIds: readonly number[]; isMoneyBack: boolean },
): Promise<void> {
  for (const entry of await readEndEntries(tx.sql, stayId, entryIds))
    await reverse(scope, tx, stayId, entry, isMoneyBack);
}

function readEndEntries(sql: HotelSql, stayId: number, entryIds: readonly number[]): Promise<EndEntry[]> {
  return sql.rows<EndEntry>(
    `SELECT o.id, o.type::text AS type, o.amount_minor AS "amountMinor", o.channel::text AS channel,
            o.refunds_entry_id AS "refundsEntryId", r.type::text AS of, o.refundable_minor AS "leftMinor"
       FROM folio_entry_now o LEFT JOIN folio_entry r ON r.id = o.refunds_entry_id
      WHERE o.hotel_id = $1 AND o.stay_id = $2::int AND o.id = ANY ($3::int[]) ORDER BY o.id DESC`,
    stayId,
    [...entryIds],
  );
}

/** Money in minor units that `reverseEnd` with `isMoneyBack` takes from the guest, and gives back. */
export interface MoneyMoved {
  takenBackMinor: number;
  givenBackMinor: number;
}

/**
 * Returns what `reverseEnd` with `isMoneyBack` would move: of a payment only what was not refunded since, and no more than
 * the guest has paid by then.
 */
export async function previewReversal(sql: HotelSql, stayId: number, entryIds: readonly number[]): Promise<MoneyMoved> {
  const { chargedMinor, owedMinor } = await readAccount(sql, stayId);
  const moved: MoneyMoved = { takenBackMinor: 0, givenBackMinor: 0 };
  let paidMinor = chargedMinor - owedMinor;
  for (const { type, amountMinor, channel, of, leftMinor } of await readEndEntries(sql, stayId, entryIds)) {
    if (type === "payment" && channel && amountMinor > 0) {
      const minor = Math.max(0, Math.min(leftMinor, paidMinor));
      moved.givenBackMinor += minor;
      paidMinor -= minor;
    } else if (type === "payment" && channel) {
      moved.takenBackMinor -= amountMinor;
      paidMinor -= amountMinor;
    } else if (type === "refund" && channel) {
      moved.takenBackMinor += amountMinor;
      if (of !== "deposit") paidMinor += amountMinor;
    } else if (type === "deposit_used") paidMinor -= amountMinor;
    else if (type === "deposit_kept") paidMinor -= Math.max(0, leftMinor);
  }
  return moved;
}

/**
 * Gives back what was paid and deposited at a check-in, by counter-entries through the channels it came by; what the stay
 * was charged remains. The caller has locked the stay and checked that nothing was posted since. Returns what was given
 * back. @throws payout_not_allowed
 */
export async function reverseCheckIn(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  entryIds: readonly number[],
): Promise<number> {
  let givenBackMinor = 0;
  for (const { id, type, amountMinor, channel } of await readEndEntries(tx.sql, stayId, entryIds)) {
    if (!channel || amountMinor <= 0) continue;
    if (type === "deposit") {
      const entries = depositEntries(-amountMinor, channel);
      await postEntry(scope, tx, { stayId, type: "refund", amountMinor, channel, refundsEntryId: id, entries });
    } else if (type === "payment") {
      const entries = paymentEntries(-amountMinor, channel);
      await postEntry(scope, tx, { stayId, type: "refund", amountMinor, channel, refundsEntryId: id, entries });
    } else {
      // The price that was paid at once is one entry with its charge, and the charge stays.
      const entries = paymentEntries(-amountMinor, channel);
      await postEntry(scope, tx, { stayId, type: "payment", amountMinor: -amountMinor, channel, entries });
    }
    givenBackMinor += amountMinor;
  }
  return givenBackMinor;
}

/** Returns what `reverseCheckIn` would give back, in minor units. */
export async function previewCheckInReversal(
  sql: HotelSql,
  stayId: number,
  entryIds: readonly number[],
): Promise<number> {
  const entries = await readEndEntries(sql, stayId, entryIds);
  return totalOf(entries.filter(({ channel, amountMinor }) => channel !== null && amountMinor > 0));
}

async function reverse(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  { id, type, amountMinor, channel, refundsEntryId, of, leftMinor }: EndEntry,
  isMoneyBack: boolean,
): Promise<void> {
  const takeBack = async (minor: number, by: PaymentChannel): Promise<void> => {
    const entries = paymentEntries(minor, by);
    await postEntry(scope, tx, { stayId, type: "payment", amountMinor: minor, channel: by, entries });
  };
  const reversal = { stayId, type: "reversal" as const, amountMinor: -amountMinor };
  if (type === "payment" && channel && isMoneyBack) {
    // A credit that was paid out is a payment in the other direction.
    if (amountMinor < 0) await takeBack(-amountMinor, channel);
    else await giveBack(scope, tx, { id, stayId, channel, leftMinor });
  }
  if (refundsEntryId === null) return;
  if (type === "refund" && of === "deposit" && channel) {
    const entries = depositEntries(amountMinor, channel);
    if (isMoneyBack) await postEntry(scope, tx, { stayId, type: "deposit", amountMinor, channel, entries });
  } else if (type === "refund") {
    await postEntry(scope, tx, { ...reversal, refundsEntryId, entries: chargeEntries(amountMinor, null) });
    if (channel && isMoneyBack) await takeBack(amountMinor, channel);
  } else if (type === "deposit_used") {
    const entries = depositSpentEntries(-amountMinor, "receivable");
    await postEntry(scope, tx, { ...reversal, refundsEntryId, entries });
  } else if (type === "deposit_kept") await holdAgain(scope, tx, { id, stayId, depositId: refundsEntryId, leftMinor });
}

interface Payment {
  id: number;
  stayId: number;
  channel: PaymentChannel;
  leftMinor: number;
}

/** Gives a payment back through its channel, as far as it was not given back since. */
async function giveBack(scope: Scope, tx: Transaction, { id, stayId, channel, leftMinor }: Payment): Promise<void> {
  const { chargedMinor, owedMinor } = await readAccount(tx.sql, stayId);
  const amountMinor = Math.min(leftMinor, chargedMinor - owedMinor);
  if (amountMinor <= 0) return;
  const entries = paymentEntries(-amountMinor, channel);
  await postEntry(scope, tx, { stayId, type: "refund", amountMinor, channel, refundsEntryId: id, entries });
}

interface KeptDeposit {
  id: number;
  stayId: number;
  depositId: number;
  leftMinor: number;
}

/**
 * Holds a deposit again that was kept as income, as far as that was not refunded since. One entry cancels the income, so
 * that it can't be refunded any more, and another one brings back the deposit.
 */
async function holdAgain(
  scope: Scope,
  tx: Transaction,
  { id, stayId, depositId, leftMinor }: KeptDeposit,
): Promise<void> {
  if (leftMinor <= 0) return;
  const cancellation = { type: "cancellation" as const, amountMinor: leftMinor, refundsEntryId: id };
  await postEntry(scope, tx, { stayId, ...cancellation, entries: chargeEntries(-leftMinor, null) });
  const reversal = { type: "reversal" as const, amountMinor: -leftMinor, refundsEntryId: depositId };
  await postEntry(scope, tx, { stayId, ...reversal, entries: depositSpentEntries(-leftMinor, "receivable") });
}
