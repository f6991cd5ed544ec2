import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/stays/guest-links";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { withdrawOpeningsOf } from "../access/public.ts";
import { makeLink, partyOfGuest, revokeLink } from "../stays/public.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/**
 * Makes a guest's link to their page, and ends the one before, with openings of the door that were asked for there. Only
 * this answer contains the address. @throws no_permission, not_found; guest_page_off; state_conflict for a stay that is over
 */
export async function makeGuestLink(
  scope: Scope,
  { stayGuestId }: Input<typeof schema.guestLinkInput>,
  guestUrl: string | null,
): Promise<Input<typeof schema.guestLinkMade>> {
  scope.require("passcodes.issue");
  // The page tells and does more than the scopes of a program.
  if (scope.actor.kind === "key") throw new DomainError("no_permission");
  const { stayId } = await partyOfGuest(scope, stayGuestId);
  if (guestUrl === null) throw new DomainError("guest_page_off");
  return scope.write(async (tx) => {
    const { url, replaced } = await makeLink(scope, tx, { stayId, stayGuestId }, guestUrl);
    if (replaced) await withdrawOpeningsOf(scope, tx, [stayId]);
    return { url };
  });
}

/**
 * Ends a guest's link at once, in every browser, with openings of the door that were asked for there; nothing happens if
 * there is none. @throws no_permission, not_found
 */
export async function revokeGuestLink(
  scope: Scope,
  { stayGuestId }: Input<typeof schema.guestLinkInput>,
): Promise<Input<typeof schema.guestLinkRevoked>> {
  scope.require("passcodes.issue");
  const { stayId } = await partyOfGuest(scope, stayGuestId);
  return scope.write(async (tx) => {
    const outcome = await revokeLink(scope, tx, stayGuestId);
    if (outcome.revoked) await withdrawOpeningsOf(scope, tx, [stayId]);
    return outcome;
  });
}
