import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { endAccess } from "../access/public.ts";
import { entriesSince, lastEntryOf, payoutChannel, refundAll, returnCredit } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import { endReservation, selectStayForUpdate } from "../stays/public.ts";

/**
 * Cancels a reservation: the room is free at once, its charges are cancelled and its keys are revoked. Payments are
 * refunded through `refundChannel`; null leaves them as the guest's credit. If it is left out, they are refunded in
 * cash, or left as credit if the caller may not pay out.
 */
export async function cancelReservation(
  scope: Scope,
  input: z.infer<typeof schema.cancelInput>,
): Promise<{ stayId: number }> {
  scope.require("stays.manage");
  const refundChannel = payoutChannel(scope, input.refundChannel);
  return scope.write(async (tx) => {
    const stay = await selectStayForUpdate(scope, tx, input.stayId, "reserved");
    const last = await lastEntryOf(tx, stay.id);
    let refundMinor = await refundAll(scope, tx, stay.id, refundChannel);
    if (refundChannel) refundMinor += await returnCredit(scope, tx, stay.id, refundChannel);
    const entryIds = await entriesSince(tx, stay.id, last);
    await endReservation(scope, tx, stay, { state: "cancelled", entryIds });
    await endAccess(scope, tx, stay, "cancelled");
    tx.audit({
      action: "stay.cancel",
      entity: "stay",
      entityId: stay.id,
      before: { roomId: stay.roomId, startsAt: stay.startsAt },
      after: { refundMinor },
    });
    await announceStay(scope, tx, "stay.cancelled", stay.id);
    tx.boardChanged([stay.roomId]);
    return { stayId: stay.id };
  });
}
