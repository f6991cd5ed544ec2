import type { FolioEntryType, PaymentChannel } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { chargeEntries, depositEntries, depositSpentEntries, paymentEntries, postEntry } from "./ledger.ts";

/** Balances of a stay's folio in minor units; each is a sum of ledger entries. */
export interface StayAccount {
  /** Positive: the guest owes; negative: the hotel owes the guest. */
  owedMinor: number;
  chargedMinor: number;
  /** The part of the charges that is for the room itself. */
  roomChargedMinor: number;
  depositHeldMinor: number;
}

const ROOM_CHARGES: readonly FolioEntryType[] = ["room", "renewal", "exchange"];
const OTHER_CHARGES: readonly FolioEntryType[] = ["extra", "breakfast", "deposit_kept"];

export const isRoomCharge = (type: FolioEntryType): boolean => ROOM_CHARGES.includes(type);
export const isCharge = (type: FolioEntryType): boolean => isRoomCharge(type) || OTHER_CHARGES.includes(type);

export async function readAccount(sql: HotelSql, stayId: number): Promise<StayAccount> {
  const [row] = await sql.prepared<StayAccount>(
    "stay-account",
    `SELECT owed_minor::int AS "owedMinor", charged_minor::int AS "chargedMinor", deposit_held_minor::int AS "depositHeldMinor",
            room_charged_minor::int AS "roomChargedMinor"
       FROM stay_account WHERE hotel_id = $1 AND stay_id = $2`,
    stayId,
  );
  return row ?? { owedMinor: 0, chargedMinor: 0, roomChargedMinor: 0, depositHeldMinor: 0 };
}

export interface Refundable {
  id: number;
  type: FolioEntryType;
  leftMinor: number;
  channel: PaymentChannel | null;
}

/** Returns the entries of a stay that can still be refunded in part or whole, newest first. */
export function readRefundable(sql: HotelSql, stayId: number): Promise<Refundable[]> {
  return sql.prepared<Refundable>(
    "refundable-entries",
    `SELECT id, type::text AS type, channel::text AS channel, refundable_minor AS "leftMinor"
       FROM folio_entry_now WHERE hotel_id = $1 AND stay_id = $2 AND refundable_minor > 0
      ORDER BY id DESC`,
    stayId,
  );
}

/** Posts a payment of the amount owed and returns it; writes nothing if nothing is owed. */
export async function settle(scope: Scope, tx: Transaction, stayId: number, channel: PaymentChannel): Promise<number> {
  const { owedMinor } = await readAccount(tx.sql, stayId);
  if (owedMinor <= 0) return 0;
  const entries = paymentEntries(owedMinor, channel);
  await postEntry(scope, tx, { stayId, type: "payment", amountMinor: owedMinor, channel, entries });
  return owedMinor;
}

/**
 * Refunds `amountMinor` of what was charged for the room, newest charge first. The unpaid part reduces what is owed; the
 * rest is paid out through `channel`, or without one remains the guest's credit. Returns what was paid out.
 * @throws refund_too_large
 */
export async function refundRoom(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  amountMinor: number,
  channel: PaymentChannel | null,
): Promise<number> {
  const account = await readAccount(tx.sql, stayId);
  const limit = account.roomChargedMinor;
  // After a change to a cheaper room, the refundable amounts exceed what the stay is still charged.
  if (amountMinor > limit) throw new DomainError("refund_too_large", { leftMinor: Math.max(0, limit) });
  const charges = (await readRefundable(tx.sql, stayId)).filter(({ type }) => isRoomCharge(type));
  return refundEach(scope, tx, { stayId, charges, amountMinor, channel, owedMinor: account.owedMinor });
}

/** Like `refundRoom`, for everything that a stay was charged. */
export async function refundAll(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  channel: PaymentChannel | null,
): Promise<number> {
  const { chargedMinor: amountMinor, owedMinor } = await readAccount(tx.sql, stayId);
  const refundable = await readRefundable(tx.sql, stayId);
  // Of the room's charges more may be refundable than is still charged, of the others all of it is.
  const others = refundable.filter(({ type }) => OTHER_CHARGES.includes(type));
  const charges = [...others, ...refundable.filter(({ type }) => isRoomCharge(type))];
  return refundEach(scope, tx, { stayId, charges, amountMinor, channel, owedMinor });
}

interface ChargeRefund {
  stayId: number;
  charges: readonly Refundable[];
  amountMinor: number;
  channel: PaymentChannel | null;
  /** What the stay owes before. */
  owedMinor: number;
}

async function refundEach(
  scope: Scope,
  tx: Transaction,
  { stayId, charges, amountMinor, channel, owedMinor: owedBeforeMinor }: ChargeRefund,
): Promise<number> {
  let remaining = amountMinor;
  let paidOutMinor = 0;
  let owedMinor = owedBeforeMinor;
  for (const entry of charges) {
    const part = Math.min(remaining, entry.leftMinor);
    if (part === 0) break;
    owedMinor -= part;
    const payOut = channel ? Math.min(part, Math.max(0, -owedMinor)) : 0;
    const refund = { stayId, type: "refund" as const, refundsEntryId: entry.id };
    // The payout is a separate entry, because an entry with a channel moves exactly its amount.
    if (payOut < part) {
      const entries = chargeEntries(payOut - part, null);
      await postEntry(scope, tx, { ...refund, amountMinor: part - payOut, entries });
    }
    if (channel && payOut > 0) {
      const entries = chargeEntries(-payOut, channel);
      await postEntry(scope, tx, { ...refund, amountMinor: payOut, channel, entries });
    }
    owedMinor += payOut;
    paidOutMinor += payOut;
    remaining -= part;
  }
  if (remaining > 0) throw new DomainError("refund_too_large");
  return paidOutMinor;
}

/** Returns a stay's deposits that are not used up, newest first. */
async function readDeposits(sql: HotelSql, stayId: number): Promise<Refundable[]> {
  return (await readRefundable(sql, stayId)).filter(({ type }) => type === "deposit");
}

/** Refunds what is left of a stay's deposits, each through the channel it was paid with. Returns the amount. */
export async function returnDeposits(scope: Scope, tx: Transaction, stayId: number): Promise<number> {
  let returnedMinor = 0;
  for (const { id, leftMinor: amountMinor, channel } of await readDeposits(tx.sql, stayId)) {
    if (!channel) throw new Error("deposit without a payment channel");
    const entries = depositEntries(-amountMinor, channel);
    await postEntry(scope, tx, { stayId, type: "refund", amountMinor, channel, refundsEntryId: id, entries });
    returnedMinor += amountMinor;
  }
  return returnedMinor;
}

/** Settles part of what is owed from the deposits. */
export function settleFromDeposits(scope: Scope, tx: Transaction, stayId: number, amountMinor: number): Promise<void> {
  return spendDeposits(scope, tx, stayId, amountMinor, { type: "deposit_used" });
}

/** Keeps part of the deposits as revenue. */
export function keepDeposits(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  { amountMinor, reason }: { amountMinor: number; reason: string },
): Promise<void> {
  return spendDeposits(scope, tx, stayId, amountMinor, { type: "deposit_kept", note: reason });
}

/** @throws Error if the deposits don't suffice */
async function spendDeposits(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  spentMinor: number,
  entry: { type: "deposit_used" | "deposit_kept"; note?: string },
): Promise<void> {
  if (spentMinor === 0) return;
  let remaining = spentMinor;
  for (const deposit of await readDeposits(tx.sql, stayId)) {
    const amountMinor = Math.min(remaining, deposit.leftMinor);
    if (amountMinor === 0) break;
    const entries = depositSpentEntries(amountMinor, entry.type === "deposit_used" ? "receivable" : "revenue");
    await postEntry(scope, tx, { ...entry, stayId, amountMinor, refundsEntryId: deposit.id, entries });
    remaining -= amountMinor;
  }
  if (remaining > 0) throw new Error(`The deposits of stay ${stayId} don't suffice for a ${entry.type}`);
}

/** Pays out the guest's credit, for example after a change to a cheaper room. Returns the amount. */
export async function returnCredit(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  channel: PaymentChannel,
): Promise<number> {
  const { owedMinor } = await readAccount(tx.sql, stayId);
  if (owedMinor >= 0) return 0;
  const entries = paymentEntries(owedMinor, channel);
  await postEntry(scope, tx, { stayId, type: "payment", amountMinor: owedMinor, channel, entries });
  return -owedMinor;
}
