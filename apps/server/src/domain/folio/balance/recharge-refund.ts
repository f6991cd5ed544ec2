import { DomainError } from "@innkey/shared/errors";
import type { orderDone, refundInput } from "@innkey/shared/schemas/folio/orders";
import type { z } from "zod";
import type { OrderType } from "../../../adapters/postgres/generated/enums.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { fundsEntries, postOrder } from "../orders/ledger.ts";
import { readHotelMoney, takeTurn } from "./hotel-money.ts";

/**
 * Withdraws part of an earlier deposit of the hotel's own money, limited by its remainder and the available amount.
 * @throws refund_too_large; not_found for a withdrawal, and for callers who may not manage the hotel's money
 */
export async function refundRecharge(
  scope: Scope,
  tx: Transaction,
  order: { id: number; type: OrderType; amountMinor: number },
  { amountMinor, channel, note }: z.infer<typeof refundInput>,
): Promise<z.infer<typeof orderDone>> {
  if (!scope.can("balance.manage") || order.type !== "recharge") throw new DomainError("not_found");
  if (!channel) throw new DomainError("invalid_input", {}, { channel: { key: "validation.required" } });
  await takeTurn(tx);
  const returned = await tx.db.order.aggregate({ where: { refundsOrderId: order.id }, _sum: { amountMinor: true } });
  const { availableMinor } = await readHotelMoney(tx.sql);
  const leftMinor = Math.max(0, Math.min(order.amountMinor - (returned._sum.amountMinor ?? 0), availableMinor));
  if (amountMinor > leftMinor) throw new DomainError("refund_too_large", { leftMinor });
  const orderId = await postOrder(scope, tx, {
    stayId: null,
    type: "refund",
    amountMinor,
    channel,
    refundsOrderId: order.id,
    note,
    entries: fundsEntries(-amountMinor, channel),
  });
  return { orderId, owedMinor: 0, depositHeldMinor: 0 };
}
