import * as s from "@innkey/shared/schemas/access/unlocks";
import { traffic } from "../../../domain/access/unlocks/traffic.queries.ts";
import * as queries from "../../../domain/access/unlocks/unlocks.queries.ts";
import { whoEntered } from "../../../domain/access/unlocks/who-entered.queries.ts";
import { router, withPermission } from "../trpc.ts";

export const unlocksRouter = router({
  list: withPermission("unlocks.view")
    .input(s.unlockRecordsInput)
    .output(s.unlockRecordsOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  ofPerson: withPermission("unlocks.view")
    .input(s.personRecordsInput)
    .output(s.unlockRecordsOutput)
    .query(({ ctx, input }) => queries.listPersonRecords(ctx.scope, input)),
  ofLock: withPermission("unlocks.view")
    .input(s.lockRecordsInput)
    .output(s.unlockRecordsOutput)
    .query(({ ctx, input }) => queries.listLockRecords(ctx.scope, input)),
  ofHouse: withPermission("unlocks.view")
    .input(s.hotelRecordsInput)
    .output(s.unlockRecordsOutput)
    .query(({ ctx, input }) => queries.listHotelRecords(ctx.scope, input)),
  whoEntered: withPermission("unlocks.view")
    .input(s.whoEnteredInput)
    .output(s.whoEntered)
    .query(({ ctx, input }) => whoEntered(ctx.scope, input.stayId)),
  traffic: withPermission("unlocks.view")
    .input(s.trafficInput)
    .output(s.traffic)
    .query(({ ctx, input }) => traffic(ctx.scope, input)),
});
