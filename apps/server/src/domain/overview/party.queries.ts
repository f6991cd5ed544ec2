import { MAX_PAGE_SIZE } from "@innkey/shared/limits";
import { passcodesInput } from "@innkey/shared/schemas/access/passcodes";
import type { Scope } from "../../kernel/scope.ts";
import { listPasscodes, listStayCards } from "../access/public.ts";
import { guestWithCards } from "../stays/public.ts";
import { detail } from "./stays.queries.ts";

/**
 * Returns a guest and the whole stay: the party, its cards (revoked ones too), its live codes without their digits, and
 * its folio entries, oldest first. What the caller may not see is an empty list. @throws no_permission, not_found
 */
export async function readParty(scope: Scope, stayGuestId: number) {
  scope.require("stays.view");
  const guest = await guestWithCards(scope, stayGuestId);
  const { stayId } = guest;
  const stay = await detail(scope, stayId);
  const cards = scope.can("cards.view") ? await listStayCards(scope, stayId) : [];
  const { rows: passcodes } = scope.can("passcodes.view")
    ? await listPasscodes(scope, passcodesInput.parse({ stayId, pageSize: MAX_PAGE_SIZE }))
    : { rows: [] };
  return {
    guest,
    guests: stay.guests,
    roomName: stay.room.name,
    /** the party's main guest, whose account the entries are on */
    payerStayGuestId: stay.guests.find(({ primary }) => primary)?.stayGuestId ?? null,
    cards,
    passcodes,
    entries: stay.entries,
  };
}

export type Party = Awaited<ReturnType<typeof readParty>>;
