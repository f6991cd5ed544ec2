import * as s from "@innkey/shared/schemas/hotel";
import * as n from "@innkey/shared/schemas/notices";
import * as queries from "../../modules/hotels/hotels.queries.ts";
import * as hotels from "../../modules/hotels/hotels.service.ts";
import * as notices from "../../modules/locks/notices.ts";
import { router, signedIn } from "./trpc.ts";

export const hotelRouter = router({
  get: signedIn.output(s.hotelOutput).query(({ ctx }) => queries.get(ctx.scope)),
  update: signedIn
    .input(s.hotelInput)
    .output(s.hotelOutput)
    .mutation(async ({ ctx, input }) => {
      const hotel = await hotels.update(ctx.scope, input);
      if (typeof (input.retentionDays ?? input.recordMonths) === "number")
        await ctx.services.retention.soon(ctx.scope.hotelId);
      return hotel;
    }),
  notices: signedIn.output(n.noticeStates).query(({ ctx }) => notices.noticeStates(ctx.scope)),
  sendNotice: signedIn
    .input(n.hotelNoticeInput)
    .output(n.hotelNoticeResult)
    .mutation(({ ctx, input }) => notices.sendNotice(ctx.scope, input)),
});
