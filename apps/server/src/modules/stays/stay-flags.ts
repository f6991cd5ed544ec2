import { changesOf } from "../../core/changes.ts";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { checkCustomer } from "./booking.ts";
import type { LiveStay } from "./live-stay.ts";

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
export async function setFlags(scope: Scope, unit: Unit, stay: LiveStay, data: Partial<StayFlags>): Promise<void> {
  const { customerId } = data;
  if (customerId !== undefined && customerId !== stay.customerId) await checkCustomer(scope, unit, customerId);
  const before = await unit.db.stay.findFirstOrThrow({ where: { id: stay.id } });
  // Notes about guests can be erased on request, so the audit entry records only that they changed.
  const changes = changesOf(before, data, ["otherInformation"]);
  if (!changes) return;
  await unit.db.stay.update({ where: { id: stay.id }, data });
  unit.journal({ action: "stay.update", entity: "stay", entityId: stay.id, ...changes });
  unit.boardChanged();
}
