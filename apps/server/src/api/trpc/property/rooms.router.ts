import * as s from "@innkey/shared/schemas/property/rooms";
import { deleteRoom, save as saveRoom } from "../../../domain/desk/save-room.ts";

import * as status from "../../../domain/desk/set-room-status.ts";
import * as prices from "../../../domain/property/prices/write-prices.ts";
import { assignGroup } from "../../../domain/property/rooms/groups.service.ts";
import * as queries from "../../../domain/property/rooms/rooms.queries.ts";
import { router, withPermission } from "../trpc.ts";

export const roomsRouter = router({
  detail: withPermission("rooms.view")
    .input(s.roomRef)
    .output(s.roomDetail)
    .query(({ ctx, input }) => queries.detail(ctx.scope, input.roomId)),
  page: withPermission("rooms.view")
    .input(s.roomPageInput)
    .output(s.roomPage)
    .query(({ ctx, input }) => queries.page(ctx.scope, input)),
  save: withPermission("rooms.manage", "saveRoom")
    .input(s.roomInput)
    .output(s.roomRef)
    .mutation(({ ctx, input }) => saveRoom(ctx.scope, input)),
  delete: withPermission("rooms.manage", "removeRoom")
    .input(s.roomRef)
    .output(s.roomRef)
    .mutation(({ ctx, input }) => deleteRoom(ctx.scope, input.roomId)),
  assignGroup: withPermission("rooms.manage", "groupRooms")
    .input(s.assignGroupInput)
    .output(s.roomsUpdated)
    .mutation(({ ctx, input }) => assignGroup(ctx.scope, input)),
  setStatus: withPermission("rooms.status", "setRoomStatus")
    .input(s.setStatusInput)
    .output(s.setStatusOutput)
    .mutation(({ ctx, input }) => status.setStatus(ctx.scope, input)),
  setPrices: withPermission("prices.manage", "setPrices")
    .input(s.setPricesInput)
    .output(s.roomsUpdated)
    .mutation(({ ctx, input }) => prices.setPrices(ctx.scope, input)),
});
