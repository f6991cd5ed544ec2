import { DomainError } from "@innkey/shared/errors";
import { checkOutInput } from "@innkey/shared/schemas/stays/stays";
import { readAccount } from "../folio/public.ts";
import { readGuestPage } from "../overview/public.ts";
import { askLateDeparture, type GuestVisit, isValidVisit } from "../stays/public.ts";
import { checkOutIn } from "./check-out.ts";

/**
 * Asks the desk for a later departure. @throws not_found unless the hotel lets guests ask and the guest has shown who
 * they are; invalid_input for a time that is not later
 */
export async function askLateCheckOut(visit: GuestVisit, time: string): Promise<void> {
  const { inside } = await readGuestPage(visit);
  if (!inside?.canAskLate) throw new DomainError("not_found");
  await askLateDeparture(visit, time);
}

/**
 * Checks the guest's party out, which moves no money. @throws not_found unless the hotel lets guests do so and the guest
 * has shown who they are; state_conflict if something is owed or held meanwhile
 */
export async function checkOutGuest(visit: GuestVisit): Promise<void> {
  const { scope, stayId } = visit;
  const { inside } = await readGuestPage(visit);
  if (!inside?.canCheckOut) throw new DomainError("not_found");
  const input = { stayId, useDeposit: false, refundDeposit: false, channel: null, refundChannel: null };
  await scope.write(async (tx) => {
    await checkOutIn(scope, tx, checkOutInput.parse(input));
    // The stay's row is locked by now, and an error rolls everything back.
    if (!(await isValidVisit(tx, visit))) throw new DomainError("not_found");
    const { owedMinor, depositHeldMinor } = await readAccount(tx.sql, stayId);
    if (owedMinor !== 0 || depositHeldMinor !== 0) throw new DomainError("state_conflict");
  });
}
