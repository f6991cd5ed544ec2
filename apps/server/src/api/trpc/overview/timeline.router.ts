import * as s from "@innkey/shared/schemas/overview/timeline";
import { previewChange } from "../../../domain/desk/change-preview.ts";
import * as changes from "../../../domain/desk/public.ts";
import { read } from "../../../domain/overview/timeline.queries.ts";
import { router, withPermission } from "../trpc.ts";

export const timelineRouter = router({
  read: withPermission("stays.view")
    .input(s.timelineInput)
    .output(s.timelineOutput)
    .query(({ ctx, input }) => read(ctx.scope, input)),
});

/** Procedures of `stays` that change a stay's room and dates. */
export const stayChanges = {
  previewChange: withPermission("stays.manage")
    .input(s.changeTarget)
    .output(s.changePreview)
    .query(({ ctx, input }) => previewChange(ctx.scope, input)),
  moveReservation: withPermission("stays.manage", "moveReservation")
    .input(s.moveReservationInput)
    .output(s.reservationMoved)
    .mutation(({ ctx, input }) => changes.moveReservation(ctx.scope, input)),
  shorten: withPermission("stays.manage", "shorten")
    .input(s.shortenInput)
    .output(s.stayShortened)
    .mutation(({ ctx, input }) => changes.shorten(ctx.scope, input)),
};
