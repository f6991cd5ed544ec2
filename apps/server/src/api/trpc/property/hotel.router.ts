import * as n from "@innkey/shared/schemas/messaging/messages";
import * as s from "@innkey/shared/schemas/property/hotel";
import * as notices from "../../../domain/access/locks/notices.ts";
import * as hotels from "../../../domain/desk/update-hotel.ts";
import * as queries from "../../../domain/property/hotels.service.ts";
import { router, withPermission } from "../trpc.ts";

export const hotelRouter = router({
  get: withPermission("hotel.view")
    .output(s.hotelOutput)
    .query(({ ctx }) => queries.get(ctx.scope)),
  update: withPermission("hotel.manage", "editHotel")
    .input(s.hotelInput)
    .output(s.hotelOutput)
    .mutation(({ ctx, input }) => hotels.update(ctx.scope, ctx.services, input)),
  notices: withPermission("locks.view")
    .output(n.noticeStates)
    .query(({ ctx }) => notices.noticeStates(ctx.scope)),
  sendNotice: withPermission("locks.open", "sendLockText")
    .input(n.hotelNoticeInput)
    .output(n.hotelNoticeResult)
    .mutation(({ ctx, input }) => notices.sendNotice(ctx.scope, input)),
});
