import * as s from "@innkey/shared/schemas/data/exports";
import { router, withPermission } from "../trpc.ts";

/** Requested export files; api/http/routes/exports.routes.ts creates and serves them. */
export const exportsRouter = router({
  list: withPermission("exports.make")
    .output(s.exportRows)
    .query(({ ctx }) => ctx.services.exports.list(ctx.scope)),
  cancel: withPermission("exports.make", "exportList")
    .input(s.exportRef)
    .output(s.exportRow)
    .mutation(({ ctx, input }) => ctx.services.exports.cancel(ctx.scope, input.exportId)),
  remove: withPermission("exports.make", "exportList")
    .input(s.exportRef)
    .output(s.exportRef)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.exports.remove(ctx.scope, input.exportId);
      return input;
    }),
});
