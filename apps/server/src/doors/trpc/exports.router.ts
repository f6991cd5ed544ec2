import * as s from "@innkey/shared/schemas/exports";
import { router, signedIn } from "./trpc.ts";

/** Files that were asked for; they are made and fetched through doors/http/exports.routes.ts. */
export const exportsRouter = router({
  list: signedIn.output(s.exportRows).query(({ ctx }) => ctx.services.exports.list(ctx.scope)),
  cancel: signedIn
    .input(s.exportRef)
    .output(s.exportRow)
    .mutation(({ ctx, input }) => ctx.services.exports.cancel(ctx.scope, input.exportId)),
  remove: signedIn
    .input(s.exportRef)
    .output(s.exportRef)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.exports.remove(ctx.scope, input.exportId);
      return input;
    }),
});
