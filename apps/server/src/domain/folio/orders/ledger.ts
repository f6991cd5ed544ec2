import type { OrderType, PaymentChannel } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { MAX_STAY_MINOR, movedMinor } from "@innkey/shared/money";
import { totalOf } from "@innkey/shared/quote";
import { v } from "@innkey/shared/schemas/fields";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { Entry, OrderDraft } from "./order-draft.ts";
import { checkPayout } from "./payout.ts";

/**
 * Writes one order with its lines and entries. All writes to the ledger go through here, so that every payout is
 * checked.
 * @throws payout_not_allowed; invalid_input if the stay's folio would exceed what it can store; Error if the entries
 * don't sum to zero
 */
export async function postOrder(scope: Scope, tx: Transaction, draft: OrderDraft): Promise<number> {
  const { hotelId } = scope;
  const entries = draft.entries.filter((entry) => entry.amountMinor !== 0);
  if (totalOf(entries) !== 0) throw new Error(`entries of a ${draft.type} order do not sum to zero`);
  await checkPayout(scope, tx, draft);
  const order = await tx.db.order.create({
    data: {
      hotelId,
      stayId: draft.stayId,
      type: draft.type,
      amountMinor: draft.amountMinor,
      channel: draft.channel ?? null,
      refundsOrderId: draft.refundsOrderId ?? null,
      note: draft.note ?? "",
      destination: draft.destination ?? "",
      operatorId: scope.operatorId,
      createdAt: scope.now(),
    },
    select: { id: true },
  });
  if (draft.lines?.length) {
    await tx.db.orderLine.createMany({
      data: draft.lines.map((line) => ({ ...line, hotelId, orderId: order.id, date: new Date(line.date) })),
    });
  }
  if (entries.length > 0) {
    await tx.db.ledgerEntry.createMany({
      data: entries.map((entry) => ({ ...entry, hotelId, orderId: order.id, createdAt: scope.now() })),
    });
  }
  if (draft.stayId !== null) await checkSums(tx, draft.stayId);
  const { stayId, type, amountMinor, channel = null, destination } = draft;
  const about = { ...(stayId !== null && { stayId }), amountMinor, channel, ...(destination && { destination }) };
  tx.audit({ action: `order.${type}`, entity: "order", entityId: order.id, after: about });
  return order.id;
}

/**
 * Checks that one order can settle what a stay owes, was charged or has as a deposit. Otherwise repeated payments and
 * refunds could add up to a credit too large for one order to pay out. @throws invalid_input
 */
async function checkSums(tx: Transaction, stayId: number): Promise<void> {
  const rows = await tx.sql.rows(
    `SELECT e.account FROM orders o JOIN ledger_entry e ON e.order_id = o.id AND e.hotel_id = o.hotel_id
      WHERE o.hotel_id = $1 AND o.stay_id = $2::int AND e.account IN ('receivable', 'revenue', 'deposits')
      GROUP BY e.account HAVING abs(sum(e.amount_minor)) > $3::bigint`,
    stayId,
    MAX_STAY_MINOR,
  );
  if (rows.length > 0) throw new DomainError("invalid_input", {}, { amountMinor: { key: v.amount } });
}

/** Returns the newest order of a stay; null if there is none. */
export async function lastOrderOf(tx: Transaction, stayId: number, type?: OrderType): Promise<number | null> {
  const where = { stayId, ...(type && { type }) };
  const order = await tx.db.order.findFirst({ where, orderBy: { id: "desc" }, select: { id: true } });
  return order?.id ?? null;
}

/** Charges an amount; it is owed at once, and paid together with the charge if a channel is given. */
export function chargeEntries(totalMinor: number, channel: PaymentChannel | null): Entry[] {
  return [
    { account: "receivable", amountMinor: totalMinor },
    { account: "revenue", amountMinor: -totalMinor },
    ...(channel ? paymentEntries(totalMinor, channel) : []),
  ];
}

/** Payment for what is owed; a negative amount refunds it. */
export function paymentEntries(amountMinor: number, channel: PaymentChannel): Entry[] {
  return [
    { account: channel, amountMinor },
    { account: "receivable", amountMinor: -amountMinor },
  ];
}

/** Payment of a deposit; a negative amount refunds it. */
export function depositEntries(amountMinor: number, channel: PaymentChannel): Entry[] {
  return [
    { account: channel, amountMinor },
    { account: "deposits", amountMinor: -amountMinor },
  ];
}

/** Uses a deposit to settle what is owed, or keeps it as revenue. No money moves, but it now belongs to the hotel. */
export function depositSpentEntries(amountMinor: number, on: "receivable" | "revenue"): Entry[] {
  return [
    { account: "deposits", amountMinor },
    { account: on, amountMinor: -amountMinor },
  ];
}

/** Deposit of the hotel's own money; a negative amount withdraws it. */
export function fundsEntries(amountMinor: number, channel: PaymentChannel): Entry[] {
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
  lines: OrderDraft["lines"];
}

/**
 * Posts a change of room or period and returns the id of its order. A higher price is charged, and paid if a channel is
 * given. For a lower price, only what was already paid is refunded; where that is another amount than the difference, it
 * is an order of its own, because an order with a channel moves exactly its amount.
 */
export async function postExchange(
  scope: Scope,
  tx: Transaction,
  { stayId, differenceMinor, owedMinor, channel, lines }: Exchange,
): Promise<number> {
  const moved = channel ? movedMinor(differenceMinor, owedMinor) : 0;
  const paidWith = moved === differenceMinor && moved !== 0 ? channel : null;
  const orderId = await postOrder(scope, tx, {
    stayId,
    type: "exchange",
    amountMinor: differenceMinor,
    channel: paidWith,
    lines,
    entries: chargeEntries(differenceMinor, paidWith),
  });
  if (channel && moved !== 0 && !paidWith) {
    const entries = paymentEntries(moved, channel);
    await postOrder(scope, tx, { stayId, type: "payment", amountMinor: moved, channel, entries });
  }
  return orderId;
}
