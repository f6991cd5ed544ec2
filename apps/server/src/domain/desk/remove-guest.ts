import type { Scope } from "../../kernel/scope.ts";
import { endGuestAccess } from "../access/public.ts";
import { deleteMessagesOfStay } from "../messaging/public.ts";
import { findOnStay, removeFromStay, selectStayForUpdate } from "../stays/public.ts";

/**
 * Removes a guest from a stay, ends what they open its doors with, and deletes every message to them about it; what still
 * waits isn't sent. The next guest becomes primary if the primary one leaves. @throws no_permission, not_found, last_guest;
 * state_conflict for a stay that is over
 */
export async function removeGuest(scope: Scope, stayGuestId: number): Promise<{ stayGuestId: number }> {
  scope.require("stays.manage");
  await scope.write(async (tx) => {
    const { stayId } = await findOnStay(scope, tx, stayGuestId);
    // Before the stay is locked, as the job does that prepares messages.
    await deleteMessagesOfStay(scope, tx, stayGuestId);
    const stay = await selectStayForUpdate(scope, tx, stayId, "reserved", "checked_in");
    // The keys are found by their guest, so they end before the guest is gone.
    const endedKeys = await endGuestAccess(scope, tx, stay, stayGuestId);
    await removeFromStay(scope, tx, stay, { stayGuestId, endedKeys });
  });
  return { stayGuestId };
}
