import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../kernel/transaction.ts";
import { moveFaces, renameCodes, withdrawOpeningsOf } from "../access/public.ts";
import { checkCustomer, type LiveStay, selectStayForUpdate, updateGuest, updateStay } from "../stays/public.ts";

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
  tx.boardChanged([stay.roomId]);
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

type Correction = z.infer<typeof schema.updateGuestInput>;

/**
 * Corrects a guest within an existing transaction; the caller must have checked stays.manage. `sentByGuest`: the guest
 * wrote it on their page
 */
export async function correctGuestIn(
  scope: Scope,
  tx: Transaction,
  input: Correction,
  options: { sentByGuest?: boolean } = {},
): Promise<void> {
  const { guestId, before, split, stayIdsOfEndedLinks } = await updateGuest(scope, tx, input, options);
  if (split) await moveFaces(tx, split);
  await renameCodes(tx, { guestId, from: before, to: input.guest });
  await withdrawOpeningsOf(scope, tx, stayIdsOfEndedLinks);
}

/**
 * Corrects a guest's identity until the stay ends. If the same person is also in a room that the caller can't see, the
 * guest of this stay becomes a person of their own, with the faces that open only this stay's doors, and the other one
 * stays unchanged. @throws state_conflict for a stay that is over, and for an erased guest
 */
export async function correctGuest(scope: Scope, input: Correction): Promise<{ stayGuestId: number }> {
  scope.require("stays.manage");
  await scope.write((tx) => correctGuestIn(scope, tx, input));
  return { stayGuestId: input.stayGuestId };
}
