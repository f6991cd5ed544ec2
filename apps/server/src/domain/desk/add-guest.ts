import type { addGuestInput } from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { withdrawOpeningsOf } from "../access/public.ts";
import { addToStay, type OfStay, withStayId } from "../stays/public.ts";

/**
 * Adds a guest to a stay. @throws no_permission, not_found; state_conflict for a stay that is over or has as many guests as
 * it may; guest_already_in until confirmed
 */
export async function addGuest(
  scope: Scope,
  input: OfStay<z.infer<typeof addGuestInput>>,
): Promise<{ stayGuestId: number }> {
  scope.require("stays.manage");
  const { stayId } = await withStayId(scope, input);
  return scope.write(async (tx) => {
    const { stayGuestId, stayIdsOfEndedLinks } = await addToStay(scope, tx, { ...input, stayId });
    await withdrawOpeningsOf(scope, tx, stayIdsOfEndedLinks);
    return { stayGuestId };
  });
}
