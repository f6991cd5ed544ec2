import * as messagingSchemas from "@innkey/shared/schemas/messaging";
import { firstStepsClosed } from "@innkey/shared/schemas/overview/first-steps";
import * as hotelSchemas from "@innkey/shared/schemas/property/hotel";
import * as priceTemplateSchemas from "@innkey/shared/schemas/property/price-templates";
import * as roomSeriesSchemas from "@innkey/shared/schemas/property/room-series";
import * as roomSchemas from "@innkey/shared/schemas/property/rooms";
import { roomRef } from "@innkey/shared/schemas/property/rooms";
import { z } from "zod";
import * as lockDisplayTexts from "../../domain/access/locks/lock-display-texts.ts";
import { createSeries } from "../../domain/desk/create-room-series.ts";
import { deleteRoom, save as saveRoom } from "../../domain/desk/save-room.ts";
import * as status from "../../domain/desk/set-room-status.ts";
import * as hotels from "../../domain/desk/update-hotel.ts";
import * as hotelQueries from "../../domain/property/hotels.service.ts";
import * as prices from "../../domain/property/prices/prices.service.ts";
import * as templateQueries from "../../domain/property/prices/templates.service.ts";
import * as groups from "../../domain/property/rooms/groups.service.ts";
import { assignGroup } from "../../domain/property/rooms/groups.service.ts";
import * as roomQueries from "../../domain/property/rooms/rooms.queries.ts";
import { router, withPermission } from "./trpc.ts";

export const groupsRouter = router({
  list: withPermission("rooms.view")
    .output(z.array(roomSchemas.groupOutput))
    .query(({ ctx }) => groups.list(ctx.scope)),
  save: withPermission("rooms.manage", "groupRooms")
    .input(roomSchemas.groupInput)
    .output(roomSchemas.groupRef)
    .mutation(({ ctx, input }) => groups.save(ctx.scope, input)),
  remove: withPermission("rooms.manage", "groupRooms")
    .input(roomSchemas.groupRef)
    .output(roomSchemas.groupRef)
    .mutation(({ ctx, input }) => groups.remove(ctx.scope, input.id)),
});

export const hotelRouter = router({
  get: withPermission("hotel.view")
    .output(hotelSchemas.hotelOutput)
    .query(({ ctx }) => hotelQueries.get(ctx.scope)),
  update: withPermission("hotel.manage", "editHotel")
    .input(hotelSchemas.hotelInput)
    .output(hotelSchemas.hotelOutput)
    .mutation(({ ctx, input }) => hotels.update(ctx.scope, ctx.services, input)),
  closeFirstSteps: withPermission("hotel.manage", "editHotel")
    .output(firstStepsClosed)
    .mutation(({ ctx }) => hotelQueries.closeFirstSteps(ctx.scope)),
  notices: withPermission("locks.view")
    .output(messagingSchemas.lockDisplayTextStates)
    .query(({ ctx }) => lockDisplayTexts.listLockDisplayTexts(ctx.scope)),
  sendNotice: withPermission("locks.open", "sendLockText")
    .input(messagingSchemas.lockDisplayTextInput)
    .output(messagingSchemas.lockDisplayTextResult)
    .mutation(({ ctx, input }) => lockDisplayTexts.sendLockDisplayText(ctx.scope, input)),
});

export const priceTemplatesRouter = router({
  list: withPermission("prices.manage")
    .output(priceTemplateSchemas.templateRows)
    .query(({ ctx }) => templateQueries.list(ctx.scope)),
  info: withPermission("prices.manage")
    .input(priceTemplateSchemas.templateRef)
    .output(priceTemplateSchemas.templateInfo)
    .query(({ ctx, input }) => templateQueries.info(ctx.scope, input.templateId)),
  ofRoom: withPermission("rooms.view")
    .input(roomRef)
    .output(priceTemplateSchemas.templateOfRoom)
    .query(({ ctx, input }) => templateQueries.findRoomTemplate(ctx.scope, input.roomId)),
  save: withPermission("prices.manage", "priceTemplates")
    .input(priceTemplateSchemas.templateInput)
    .output(priceTemplateSchemas.templateRef)
    .mutation(({ ctx, input }) => templateQueries.save(ctx.scope, input)),
  remove: withPermission("prices.manage", "priceTemplates")
    .input(priceTemplateSchemas.templateRef)
    .output(priceTemplateSchemas.templateRef)
    .mutation(({ ctx, input }) => templateQueries.remove(ctx.scope, input.templateId)),
  preview: withPermission("prices.manage")
    .input(priceTemplateSchemas.templateRooms)
    .output(priceTemplateSchemas.templatePreview)
    .query(({ ctx, input }) => templateQueries.preview(ctx.scope, input)),
  // tRPC doesn't allow a procedure named "apply".
  putOn: withPermission("prices.manage", "priceTemplates")
    .input(priceTemplateSchemas.templateRooms)
    .output(priceTemplateSchemas.templateApplied)
    .mutation(({ ctx, input }) => templateQueries.apply(ctx.scope, input)),
});

export const roomsRouter = router({
  detail: withPermission("rooms.view")
    .input(roomSchemas.roomRef)
    .output(roomSchemas.roomDetail)
    .query(({ ctx, input }) => roomQueries.detail(ctx.scope, input.roomId)),
  page: withPermission("rooms.view")
    .input(roomSchemas.roomPageInput)
    .output(roomSchemas.roomPage)
    .query(({ ctx, input }) => roomQueries.page(ctx.scope, input)),
  save: withPermission("rooms.manage", "saveRoom")
    .input(roomSchemas.roomInput)
    .output(roomSchemas.roomRef)
    .mutation(({ ctx, input }) => saveRoom(ctx.scope, input)),
  createSeries: withPermission("rooms.manage", "saveRoom")
    .input(roomSeriesSchemas.roomSeriesInput)
    .output(roomSeriesSchemas.roomSeriesCreated)
    .mutation(({ ctx, input }) => createSeries(ctx.scope, input)),
  delete: withPermission("rooms.manage", "removeRoom")
    .input(roomSchemas.roomRef)
    .output(roomSchemas.roomRef)
    .mutation(({ ctx, input }) => deleteRoom(ctx.scope, input.roomId)),
  assignGroup: withPermission("rooms.manage", "groupRooms")
    .input(roomSchemas.assignGroupInput)
    .output(roomSchemas.roomsUpdated)
    .mutation(({ ctx, input }) => assignGroup(ctx.scope, input)),
  restoreStatus: withPermission("rooms.status", "setRoomStatus")
    .input(roomSchemas.restoreStatusInput)
    .output(roomSchemas.setStatusOutput.omit({ changed: true }))
    .mutation(({ ctx, input }) => status.restoreStatus(ctx.scope, input)),
  setStatus: withPermission("rooms.status", "setRoomStatus")
    .input(roomSchemas.setStatusInput)
    .output(roomSchemas.setStatusOutput)
    .mutation(({ ctx, input }) => status.setStatus(ctx.scope, input)),
  setPrices: withPermission("prices.manage", "setPrices")
    .input(roomSchemas.setPricesInput)
    .output(roomSchemas.roomsUpdated)
    .mutation(({ ctx, input }) => prices.setPrices(ctx.scope, input)),
});
