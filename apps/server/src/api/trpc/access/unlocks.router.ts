import * as s from "@innkey/shared/schemas/access/unlocks";
import { traffic } from "../../../domain/access/unlocks/traffic.queries.ts";
import * as queries from "../../../domain/access/unlocks/unlocks.queries.ts";
import { whoEntered } from "../../../domain/access/unlocks/who-entered.queries.ts";
import { router, signedIn } from "../trpc.ts";

export const unlocksRouter = router({
  list: signedIn
    .input(s.unlockRecordsInput)
    .output(s.unlockRecordsOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  ofPerson: signedIn
    .input(s.personRecordsInput)
    .output(s.unlockRecordsOutput)
    .query(({ ctx, input }) => queries.listPersonRecords(ctx.scope, input)),
  ofLock: signedIn
    .input(s.lockRecordsInput)
    .output(s.unlockRecordsOutput)
    .query(({ ctx, input }) => queries.listLockRecords(ctx.scope, input)),
  ofHouse: signedIn
    .input(s.hotelRecordsInput)
    .output(s.unlockRecordsOutput)
    .query(({ ctx, input }) => queries.listHotelRecords(ctx.scope, input)),
  whoEntered: signedIn
    .input(s.whoEnteredInput)
    .output(s.whoEntered)
    .query(({ ctx, input }) => whoEntered(ctx.scope, input.stayId)),
  traffic: signedIn
    .input(s.trafficInput)
    .output(s.traffic)
    .query(({ ctx, input }) => traffic(ctx.scope, input)),
});
