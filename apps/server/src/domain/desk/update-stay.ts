import type * as schema from "@innkey/shared/schemas/stays";
import type { z } from "zod";
import { changesOf } from "../../kernel/changes.ts";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { checkCustomer, type LiveStay, selectStayForUpdate, updateStay } from "../stays/public.ts";

/** Details of a stay besides its period, room and folio. */
export interface StayFlags {
  breakfast: boolean;
  otherInformation: string;
  idCardMatch: boolean;
  disableOldCards: boolean;
  customerId: number | null;
}

/**
 * Changes some details of a stay that the caller has locked. @throws customer_frozen; invalid_input for an unknown
 * customer
 */
export async function setFlags(scope: Scope, tx: Transaction, stay: LiveStay, data: Partial<StayFlags>): Promise<void> {
  const { customerId } = data;
  if (customerId !== undefined && customerId !== stay.customerId) await checkCustomer(scope, tx, customerId);
  const before = await tx.db.stay.findFirstOrThrow({ where: { id: stay.id } });
  // Notes about guests can be erased on request, so the audit entry records only that they changed.
  const changes = changesOf(before, data, ["otherInformation"]);
  if (!changes) return;
  await updateStay(tx, stay.id, data);
  tx.audit({ action: "stay.update", entity: "stay", entityId: stay.id, ...changes });
  tx.boardChanged();
}

/** Changes details of a stay other than its period, room and folio. */
export async function update(scope: Scope, input: z.infer<typeof schema.updateStayInput>): Promise<{ stayId: number }> {
  scope.require("stays.manage");
  const { stayId, ...flags } = input;
  return scope.write(async (tx) => {
    await setFlags(scope, tx, await selectStayForUpdate(scope, tx, stayId, "reserved", "checked_in"), flags);
    return { stayId };
  });
}
