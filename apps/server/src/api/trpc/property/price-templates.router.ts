import * as s from "@innkey/shared/schemas/property/price-templates";
import { roomRef } from "@innkey/shared/schemas/property/rooms";
import * as queries from "../../../domain/property/prices/templates.queries.ts";
import * as templates from "../../../domain/property/prices/templates.service.ts";
import { router, withPermission } from "../trpc.ts";

export const priceTemplatesRouter = router({
  list: withPermission("prices.manage")
    .output(s.templateRows)
    .query(({ ctx }) => queries.list(ctx.scope)),
  info: withPermission("prices.manage")
    .input(s.templateRef)
    .output(s.templateInfo)
    .query(({ ctx, input }) => queries.info(ctx.scope, input.templateId)),
  ofRoom: withPermission("rooms.view")
    .input(roomRef)
    .output(s.templateOfRoom)
    .query(({ ctx, input }) => queries.findRoomTemplate(ctx.scope, input.roomId)),
  save: withPermission("prices.manage", "priceTemplates")
    .input(s.templateInput)
    .output(s.templateRef)
    .mutation(({ ctx, input }) => templates.save(ctx.scope, input)),
  remove: withPermission("prices.manage", "priceTemplates")
    .input(s.templateRef)
    .output(s.templateRef)
    .mutation(({ ctx, input }) => templates.remove(ctx.scope, input.templateId)),
  preview: withPermission("prices.manage")
    .input(s.templateRooms)
    .output(s.templatePreview)
    .query(({ ctx, input }) => queries.preview(ctx.scope, input)),
  // tRPC doesn't allow a procedure named "apply".
  putOn: withPermission("prices.manage", "priceTemplates")
    .input(s.templateRooms)
    .output(s.templateApplied)
    .mutation(({ ctx, input }) => templates.apply(ctx.scope, input)),
});
