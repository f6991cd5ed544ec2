import * as s from "@innkey/shared/schemas/data/imports";
import * as imports from "../../../domain/data/imports/imports.service.ts";
import { router, withPermission } from "../trpc.ts";

export const importsRouter = router({
  /** A mutation only because a table is too long for a URL */
  preview: withPermission(["rooms.manage", "stays.manage", "customers.manage"], "importTable")
    .input(s.importInput)
    .output(s.importOutput)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.takeImportPreview(ctx.scope);
      return imports.preview(ctx.scope, input);
    }),
  run: withPermission(["rooms.manage", "stays.manage", "customers.manage"], "importTable")
    .input(s.importRunInput)
    .output(s.importOutput)
    .mutation(({ ctx, input }) => imports.run(ctx.scope, input)),
});
