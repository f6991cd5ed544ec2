import * as s from "@innkey/shared/schemas/compliance/privacy";
import * as erasing from "../../../domain/compliance/privacy/erase.service.ts";
import * as queries from "../../../domain/compliance/privacy/privacy.queries.ts";
import * as retention from "../../../domain/compliance/privacy/retention.ts";
import { router, signedIn } from "../trpc.ts";

export const privacyRouter = router({
  overview: signedIn.output(s.privacyOverview).query(({ ctx }) => retention.overview(ctx.scope)),
  preview: signedIn
    .input(s.retentionInput)
    .output(s.retentionTake)
    .query(({ ctx, input }) => retention.preview(ctx.scope, input.days)),
  setRetention: signedIn
    .input(s.retentionInput)
    .output(s.privacyOverview)
    .mutation(async ({ ctx, input }) => {
      await retention.setRetention(ctx.scope, input.days);
      if (input.days !== null) await ctx.services.retention.soon(ctx.scope.hotelId);
      return retention.overview(ctx.scope);
    }),
  // The query names a person, so it is a POST: names must not appear in URLs and their logs.
  find: signedIn
    .input(s.personSearchInput)
    .output(s.personSearchOutput)
    .mutation(({ ctx, input }) => queries.find(ctx.scope, input.query)),
  person: signedIn
    .input(s.personRef)
    .output(s.personRecords)
    .query(({ ctx, input }) => queries.readPersonRecords(ctx.scope, input.guestId)),
  erase: signedIn
    .input(s.personRef)
    .output(s.personErased)
    .mutation(({ ctx, input }) => erasing.erase(ctx.scope, ctx.services.files, input.guestId)),
});
