import * as s from "@innkey/shared/schemas/property/price-templates";
import { roomRef } from "@innkey/shared/schemas/property/rooms";
import * as queries from "../../../domain/property/prices/templates.queries.ts";
import * as templates from "../../../domain/property/prices/templates.service.ts";
import { router, signedIn } from "../trpc.ts";

export const priceTemplatesRouter = router({
  list: signedIn.output(s.templateRows).query(({ ctx }) => queries.list(ctx.scope)),
  info: signedIn
    .input(s.templateRef)
    .output(s.templateInfo)
    .query(({ ctx, input }) => queries.info(ctx.scope, input.templateId)),
  ofRoom: signedIn
    .input(roomRef)
    .output(s.templateOfRoom)
    .query(({ ctx, input }) => queries.findRoomTemplate(ctx.scope, input.roomId)),
  save: signedIn
    .input(s.templateInput)
    .output(s.templateRef)
    .mutation(({ ctx, input }) => templates.save(ctx.scope, input)),
  remove: signedIn
    .input(s.templateRef)
    .output(s.templateRef)
    .mutation(({ ctx, input }) => templates.remove(ctx.scope, input.templateId)),
  preview: signedIn
    .input(s.templateRooms)
    .output(s.templatePreview)
    .query(({ ctx, input }) => queries.preview(ctx.scope, input)),
  // tRPC doesn't allow a procedure named "apply".
  putOn: signedIn
    .input(s.templateRooms)
    .output(s.templateApplied)
    .mutation(({ ctx, input }) => templates.apply(ctx.scope, input)),
});
