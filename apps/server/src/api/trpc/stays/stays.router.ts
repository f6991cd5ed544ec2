import { historyInput, historyOutput } from "@innkey/shared/schemas/stays/history";
import * as s from "@innkey/shared/schemas/stays/stays";
import * as stays from "../../../domain/desk/public.ts";
import * as quotes from "../../../domain/desk/quotes.ts";
import { detail, detailByGuest } from "../../../domain/overview/stay-detail.queries.ts";
import { history } from "../../../domain/overview/stay-history.queries.ts";
import { stayChanges } from "../overview/timeline.router.ts";
import { router, withPermission } from "../trpc.ts";

export const staysRouter = router({
  quote: withPermission("stays.view")
    .input(s.quoteInput)
    .output(s.quoteOutput)
    .query(({ ctx, input }) => quotes.quote(ctx.scope, input)),
  reserve: withPermission("stays.manage", "reserve")
    .input(s.reserveInput)
    .output(s.stayCreated)
    .mutation(({ ctx, input }) => stays.reserve(ctx.scope, input)),
  checkIn: withPermission("stays.manage", "checkIn")
    .input(s.checkInInput)
    .output(s.stayCreated)
    .mutation(({ ctx, input }) => stays.checkIn(ctx.scope, input)),
  arrive: withPermission("stays.manage", "checkIn")
    .input(s.arriveInput)
    .output(s.stayCreated)
    .mutation(({ ctx, input }) => stays.arrive(ctx.scope, input)),
  renewQuote: withPermission("stays.view")
    .input(s.renewQuoteInput)
    .output(s.quoteOutput)
    .query(({ ctx, input }) => quotes.renewQuote(ctx.scope, input)),
  renew: withPermission("stays.manage", "renew")
    .input(s.renewInput)
    .output(s.renewed)
    .mutation(({ ctx, input }) => stays.renew(ctx.scope, input)),
  changeRoomQuote: withPermission("stays.view")
    .input(s.changeRoomQuoteInput)
    .output(s.changeRoomQuote)
    .query(({ ctx, input }) => quotes.changeRoomQuote(ctx.scope, input)),
  changeRoom: withPermission("stays.manage", "changeRoom")
    .input(s.changeRoomInput)
    .output(s.roomChanged)
    .mutation(({ ctx, input }) => stays.changeRoom(ctx.scope, input)),
  checkOut: withPermission("stays.manage", "checkOut")
    .input(s.checkOutInput)
    .output(s.checkedOut)
    .mutation(({ ctx, input }) => stays.checkOut(ctx.scope, input)),
  cancel: withPermission("stays.manage", "cancelReservation")
    .input(s.cancelInput)
    .output(s.stayRef)
    .mutation(({ ctx, input }) => stays.cancel(ctx.scope, input)),
  update: withPermission("stays.manage", "editStay")
    .input(s.updateStayInput)
    .output(s.stayRef)
    .mutation(({ ctx, input }) => stays.update(ctx.scope, input)),
  detail: withPermission("stays.view")
    .input(s.stayRef)
    .output(s.stayDetail)
    .query(({ ctx, input }) => detail(ctx.scope, input.stayId)),
  byGuest: withPermission("stays.view")
    .input(s.stayGuestRef)
    .output(s.stayDetail)
    .query(({ ctx, input }) => detailByGuest(ctx.scope, input.stayGuestId)),
  history: withPermission("stays.view")
    .input(historyInput)
    .output(historyOutput)
    .query(({ ctx, input }) => history(ctx.scope, input)),
  ...stayChanges,
});
