import { PaymentChannel } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { EntryDraft, LedgerEntry } from "./entry-draft.ts";

const isMoney = ({ account }: LedgerEntry): boolean => PaymentChannel.safeParse(account).success;

/**
 * Checks for every entry whether money may be paid out; postOrder, the only writer of the ledger, calls it. Only people
 * pay out, never a program with an API key. Everyone at the desk may return a deposit: through the channel it was paid
 * with, at most what is left of it, and only if nothing is owed. Everything else requires `entries.refund`.
 * @throws payout_not_allowed
 */
export async function checkPayout(scope: Scope, tx: Transaction, draft: EntryDraft): Promise<void> {
  const leaving = draft.entries.filter((entry) => isMoney(entry) && entry.amountMinor < 0);
  if (leaving.length === 0) return;
  if (mayPayOut(scope)) return;
  if (mayReturnDeposits(scope) && (await isDepositGoingBack(tx, draft))) return;
  throw new DomainError("payout_not_allowed");
}

/** Checks whether the caller may pay out more than deposits. */
export function mayPayOut(scope: Scope): boolean {
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

async function isDepositGoingBack(tx: Transaction, { stayId, refundsEntryId, entries }: EntryDraft): Promise<boolean> {
  const moved = entries.filter(({ amountMinor }) => amountMinor !== 0);
  const [money, deposit] = [moved.find(isMoney), moved.find(({ account }) => account === "deposits")];
  if (stayId === null || refundsEntryId === undefined || moved.length !== 2 || !money || !deposit) return false;
  const [previous] = await tx.sql.rows<{ channel: string | null; leftMinor: number; owedMinor: number }>(
    `SELECT d.channel::text AS channel,
            (d.amount_minor - coalesce((SELECT sum(r.amount_minor) FROM folio_entry r
                                         WHERE r.hotel_id = $1 AND r.refunds_entry_id = d.id), 0))::int AS "leftMinor",
            coalesce((SELECT sum(e.amount_minor) FROM folio_entry o JOIN ledger_entry e ON e.folio_entry_id = o.id
                       WHERE o.hotel_id = $1 AND o.stay_id = d.stay_id AND e.account = 'receivable'), 0)::int AS "owedMinor"
       FROM folio_entry d WHERE d.hotel_id = $1 AND d.id = $2::int AND d.stay_id = $3::int AND d.type = 'deposit'`,
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
