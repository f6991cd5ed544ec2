import * as s from "@innkey/shared/schemas/rooms";
import * as queries from "../../modules/unlocks/unlocks.queries.ts";
import { router, signedIn } from "./trpc.ts";

export const unlocksRouter = router({
  list: signedIn
    .input(s.unlockRecordsInput)
    .output(s.unlockRecordsOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
});
