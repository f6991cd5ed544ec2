import * as dataSchemas from "@innkey/shared/schemas/data";
import * as imports from "../../domain/data/imports/imports.service.ts";
import { router, withPermission } from "./trpc.ts";

/** Requested export files; api/http/routes/exports.routes.ts creates and serves them. */
export const exportsRouter = router({
  list: withPermission("exports.make")
    .output(dataSchemas.exportRows)
    .query(({ ctx }) => ctx.services.exports.list(ctx.scope)),
  cancel: withPermission("exports.make", "exportList")
    .input(dataSchemas.exportRef)
    .output(dataSchemas.exportRow)
    .mutation(({ ctx, input }) => ctx.services.exports.cancel(ctx.scope, input.exportId)),
  remove: withPermission("exports.make", "exportList")
    .input(dataSchemas.exportRef)
    .output(dataSchemas.exportRef)
    .mutation(async ({ ctx, input }) => {
      await ctx.services.exports.remove(ctx.scope, input.exportId);
      return input;
    }),
});

export const importsRouter = router({
  /** A mutation only because a table is too long for a URL */
  preview: withPermission(["rooms.manage", "stays.manage", "customers.manage"], "importTable")
    .input(dataSchemas.importInput)
    .output(dataSchemas.importOutput)
    .mutation(({ ctx, input }) => ctx.services.previewImport(ctx.scope, input)),
  run: withPermission(["rooms.manage", "stays.manage", "customers.manage"], "importTable")
    .input(dataSchemas.importRunInput)
    .output(dataSchemas.importOutput)
    .mutation(({ ctx, input }) => imports.run(ctx.scope, input)),
});
