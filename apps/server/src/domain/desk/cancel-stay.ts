import type * as schema from "@innkey/shared/schemas/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { endAccess } from "../access/public.ts";
import { payoutChannel, readAccount, refundCharges, returnCredit } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import { cancelStay, lockStay } from "../stays/public.ts";

/**
 * Cancels a reservation: the room is free at once and its charges are cancelled. Payments are refunded if the caller
 * may pay out; otherwise they remain as the guest's credit.
 */
export async function cancel(scope: Scope, input: z.infer<typeof schema.cancelInput>): Promise<{ stayId: number }> {
  scope.require("stays.manage");
  const refundChannel = payoutChannel(scope, input.refundChannel);
  return scope.write(async (unit) => {
    const stay = await lockStay(scope, unit, input.stayId, "reserved");
    const { chargedMinor } = await readAccount(unit.sql, stay.id);
    let refundMinor = await refundCharges(scope, unit, stay.id, chargedMinor, refundChannel);
    if (refundChannel) refundMinor += await returnCredit(scope, unit, stay.id, refundChannel);
    await cancelStay(scope, unit, stay);
    await endAccess(scope, unit, stay, "checked_out");
    unit.journal({
      action: "stay.cancel",
      entity: "stay",
      entityId: stay.id,
      before: { roomId: stay.roomId, startsAt: stay.startsAt },
      after: { refundMinor },
    });
    await announceStay(scope, unit, "stay.cancelled", stay.id);
    unit.boardChanged();
    return { stayId: stay.id };
  });
}
