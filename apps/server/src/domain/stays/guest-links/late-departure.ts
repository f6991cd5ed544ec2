import { DomainError } from "@innkey/shared/errors";
import { atLocal, localDate } from "@innkey/shared/hotel-time";
import type * as schema from "@innkey/shared/schemas/stays/guest-links";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { partyOfGuest, selectStayForUpdate } from "../stays/live-stay.ts";
import type { GuestVisit } from "./guest-entrance.ts";
import { auditAtIntervals } from "./spaced-audit.ts";

/**
 * Records that a guest would like to leave later on the day of departure; the desk decides. The caller has checked that
 * the hotel lets guests ask and that the guest has shown who they are. @throws invalid_input for a time that is not
 * later than the departure; not_found for a stay that is over
 */
export async function askLateDeparture(
  { scope, linkId, stayId, stayGuestId }: GuestVisit,
  time: string,
): Promise<void> {
  await scope.write(async (tx) => {
    const { endsAt } = await selectStayForUpdate(scope, tx, stayId, "checked_in");
    const { timeZone } = scope.hotel;
    const lateUntil = new Date(atLocal(localDate(endsAt, timeZone), time, timeZone));
    if (lateUntil.getTime() <= Date.parse(endsAt)) {
      throw new DomainError("invalid_input", {}, { time: { key: "validation.endBeforeStart" } });
    }
    const { count } = await tx.db.guestLink.updateMany({
      where: { id: linkId, revokedAt: null },
      data: { lateUntil, lateDeclinedAt: null },
    });
    if (count === 0) throw new DomainError("not_found");
    const after = { lateUntil: lateUntil.toISOString() };
    const entry = { action: "guestLink.askLate", entity: "stayGuest", entityId: stayGuestId, after };
    await auditAtIntervals(scope, tx, linkId, "late", entry);
  });
}

/** Tells the guest on their page that they can't leave later; nothing happens if they didn't ask. @throws no_permission, not_found */
export async function declineLateDeparture(
  scope: Scope,
  { stayGuestId }: z.infer<typeof schema.guestLinkInput>,
): Promise<z.infer<typeof schema.lateDeclined>> {
  scope.require("stays.manage");
  await partyOfGuest(scope, stayGuestId);
  return scope.write(async (tx) => {
    const { count } = await tx.db.guestLink.updateMany({
      where: { stayGuestId, revokedAt: null, lateUntil: { not: null }, lateDeclinedAt: null },
      data: { lateDeclinedAt: scope.now() },
    });
    if (count > 0) tx.audit({ action: "guestLink.declineLate", entity: "stayGuest", entityId: stayGuestId });
    return { declined: count > 0 };
  });
}
