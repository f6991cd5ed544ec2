import * as s from "@innkey/shared/schemas/stays/stays";
import { z } from "zod";
import { correctGuest } from "../../../domain/desk/public.ts";
import * as queries from "../../../domain/stays/guests/guests.queries.ts";
import * as guests from "../../../domain/stays/guests/guests.service.ts";
import { router, withPermission } from "../trpc.ts";

export const guestsRouter = router({
  list: withPermission("stays.view")
    .input(s.guestListInput)
    .output(s.guestListOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  search: withPermission("stays.manage")
    .input(s.guestSearchInput)
    .output(z.array(s.matchingGuest))
    .query(({ ctx, input }) => queries.search(ctx.scope, input.query)),
  add: withPermission("stays.manage", "editGuests")
    .input(s.addGuestInput)
    .output(s.stayGuestRef)
    .mutation(({ ctx, input }) => guests.add(ctx.scope, input)),
  update: withPermission("stays.manage", "editGuests")
    .input(s.updateGuestInput)
    .output(s.stayGuestRef)
    .mutation(({ ctx, input }) => correctGuest(ctx.scope, input)),
  remove: withPermission("stays.manage", "editGuests")
    .input(s.stayGuestRef)
    .output(s.stayGuestRef)
    .mutation(({ ctx, input }) => guests.remove(ctx.scope, input.stayGuestId)),
});
