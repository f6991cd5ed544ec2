import * as s from "@innkey/shared/schemas/overview/search";
import * as search from "../../../domain/overview/search/search.queries.ts";
import { router, signedIn } from "../trpc.ts";

export const searchRouter = router({
  find: signedIn
    .input(s.searchInput)
    .output(s.searchOutput)
    .query(({ ctx, input }) => search.find(ctx.scope, input.query)),
});
