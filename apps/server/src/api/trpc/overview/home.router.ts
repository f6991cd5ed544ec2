import { homeOverview } from "@innkey/shared/schemas/overview/home";
import * as queries from "../../../domain/overview/home/home.queries.ts";
import { router, withPermission } from "../trpc.ts";

export const homeRouter = router({
  overview: withPermission("rooms.view")
    .output(homeOverview)
    .query(({ ctx }) => queries.overview(ctx.scope)),
});
