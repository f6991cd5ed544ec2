import { DomainError } from "@innkey/shared/errors";
import type { entryDone, refundInput } from "@innkey/shared/schemas/folio/entries";
import type { z } from "zod";
import type { FolioEntryType } from "../../../adapters/postgres/generated/enums.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { fundsEntries, postEntry } from "../entries/ledger.ts";
import { readHotelMoney, takeTurn } from "./hotel-money.ts";

/**
 * Withdraws part of an earlier deposit of the hotel's own money, limited by its remainder and the available amount.
 * @throws refund_too_large; not_found for a withdrawal, and for callers who may not manage the hotel's money
 */
export async function refundRecharge(
  scope: Scope,
  tx: Transaction,
  entry: { id: number; type: FolioEntryType; amountMinor: number },
  { amountMinor, channel, note }: z.infer<typeof refundInput>,
): Promise<z.infer<typeof entryDone>> {
  if (!scope.can("balance.manage") || entry.type !== "recharge") throw new DomainError("not_found");
  if (!channel) throw new DomainError("invalid_input", {}, { channel: { key: "validation.required" } });
  await takeTurn(tx);
  const returned = await tx.db.folioEntry.aggregate({
    where: { refundsEntryId: entry.id },
    _sum: { amountMinor: true },
  });
  const { availableMinor } = await readHotelMoney(tx.sql);
  const leftMinor = Math.max(0, Math.min(entry.amountMinor - (returned._sum.amountMinor ?? 0), availableMinor));
  if (amountMinor > leftMinor) throw new DomainError("refund_too_large", { leftMinor });
  const entryId = await postEntry(scope, tx, {
    stayId: null,
    type: "refund",
    amountMinor,
    channel,
    refundsEntryId: entry.id,
    note,
    entries: fundsEntries(-amountMinor, channel),
  });
  return { entryId, owedMinor: 0, depositHeldMinor: 0 };
}
