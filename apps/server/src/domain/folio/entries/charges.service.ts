import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/folio";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { announceStay } from "../../messaging/public.ts";
import { selectStayForUpdate } from "../../stays/public.ts";
import { ANY_STATE, readEntryDone } from "./entries.service.ts";
import { chargeEntries, postEntry } from "./ledger.ts";
import { readAccount, readRefundable } from "./stay-account.ts";

/**
 * Charges for something else than the room, and what takes them back: extras by hand, and the breakfasts that were
 * served.
 */

type EntryDone = z.infer<typeof schema.entryDone>;

/** Charges an extra, which is owed at once, or paid with it through a channel. @throws state_conflict if cancelled */
export async function chargeExtra(scope: Scope, input: z.infer<typeof schema.chargeExtraInput>): Promise<EntryDone> {
  scope.require("stays.manage");
  return scope.write(async (tx) => {
    const stay = await selectStayForUpdate(scope, tx, input.stayId, "reserved", "checked_in", "checked_out");
    const { text, quantity, unitMinor, channel } = input;
    const amountMinor = quantity * unitMinor;
    const entryId = await postEntry(scope, tx, {
      stayId: stay.id,
      type: "extra",
      amountMinor,
      channel,
      note: text,
      quantity,
      unitMinor,
      entries: chargeEntries(amountMinor, channel),
    });
    const about = { entryId, kind: "extra", text, quantity, unitMinor, amountMinor };
    await announceStay(scope, tx, "stay.charged", stay.id, about);
    return readEntryDone(tx, stay.id, entryId);
  });
}

/**
 * Takes back what is left of an extra. It needs the permission for refunds, because it lowers what the hotel earned, but
 * no money moves: what was paid for it becomes the guest's credit. @throws not_found; state_conflict if nothing is left
 */
export async function cancelCharge(scope: Scope, input: z.infer<typeof schema.cancelChargeInput>): Promise<EntryDone> {
  scope.require("folio.refund");
  return scope.write(async (tx) => {
    const entry = await tx.db.folioEntry.findFirst({ where: { id: input.entryId, type: "extra" } });
    if (!entry?.stayId) throw new DomainError("not_found");
    const { id: stayId } = await selectStayForUpdate(scope, tx, entry.stayId, ...ANY_STATE);
    const charge = { id: entry.id, stayId, kind: "extra" as const };
    const entryId = await takeBack(scope, tx, charge, entry.amountMinor, input.reason);
    if (entryId === null) throw new DomainError("state_conflict");
    return readEntryDone(tx, stayId, entryId);
  });
}

interface Charge {
  id: number;
  stayId: number;
  kind: "extra" | "breakfast";
}

/** Writes the counter-entry of a charge, of at most what is left of it; returns its id, or null if nothing is left. */
async function takeBack(
  scope: Scope,
  tx: Transaction,
  { id, stayId, kind }: Charge,
  requestedMinor: number,
  reason: string,
): Promise<number | null> {
  const leftMinor = (await readRefundable(tx.sql, stayId)).find((entry) => entry.id === id)?.leftMinor ?? 0;
  const { chargedMinor } = await readAccount(tx.sql, stayId);
  const amountMinor = Math.min(requestedMinor, leftMinor, chargedMinor);
  if (amountMinor <= 0) return null;
  const entryId = await postEntry(scope, tx, {
    stayId,
    type: "cancellation",
    amountMinor,
    refundsEntryId: id,
    note: reason,
    entries: chargeEntries(-amountMinor, null),
  });
  const about = { entryId, kind, amountMinor, cancelledEntryId: id };
  await announceStay(scope, tx, "stay.charge_cancelled", stayId, about);
  return entryId;
}

/** What breakfasts of a party cost on a date. */
interface Breakfasts {
  stayId: number;
  date: string;
  quantity: number;
  unitMinor: number;
}

/**
 * Charges breakfasts that were served. The caller has checked the permission and locked the stay. Returns the id of the
 * entry.
 */
export async function chargeBreakfasts(
  scope: Scope,
  tx: Transaction,
  { stayId, date, quantity, unitMinor }: Breakfasts,
): Promise<number> {
  const amountMinor = quantity * unitMinor;
  const entryId = await postEntry(scope, tx, {
    stayId,
    type: "breakfast",
    amountMinor,
    quantity,
    unitMinor,
    serviceDate: date,
    entries: chargeEntries(amountMinor, null),
  });
  const about = { entryId, kind: "breakfast", quantity, unitMinor, amountMinor, serviceDate: date };
  await announceStay(scope, tx, "stay.charged", stayId, about);
  return entryId;
}

/**
 * Takes back some breakfasts of a charge, at the price that was charged and as far as it was not refunded. The caller
 * has checked the permission and locked the stay.
 */
export async function cancelBreakfasts(
  scope: Scope,
  tx: Transaction,
  { entryId, quantity }: { entryId: number; quantity: number },
): Promise<void> {
  const entry = await tx.db.folioEntry.findFirst({ where: { id: entryId, type: "breakfast" } });
  if (!entry?.stayId) throw new Error(`The entry ${entryId} doesn't charge breakfast`);
  const charge = { id: entry.id, stayId: entry.stayId, kind: "breakfast" as const };
  await takeBack(scope, tx, charge, quantity * (entry.unitMinor ?? 0), "");
}
