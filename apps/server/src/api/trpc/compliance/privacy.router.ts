import * as s from "@innkey/shared/schemas/compliance/privacy";
import * as erasing from "../../../domain/compliance/privacy/erase.service.ts";
import * as queries from "../../../domain/compliance/privacy/privacy.queries.ts";
import * as retention from "../../../domain/compliance/privacy/retention.ts";
import { router, withPermission } from "../trpc.ts";

export const privacyRouter = router({
  overview: withPermission("privacy.manage")
    .output(s.privacyOverview)
    .query(({ ctx }) => retention.overview(ctx.scope)),
  preview: withPermission("privacy.manage")
    .input(s.retentionInput)
    .output(s.retentionTake)
    .query(({ ctx, input }) => retention.preview(ctx.scope, input.days)),
  setRetention: withPermission("privacy.manage", "setRetention")
    .input(s.retentionInput)
    .output(s.privacyOverview)
    .mutation(({ ctx, input }) => retention.setRetention(ctx.scope, ctx.services.retention, input.days)),
  // The query names a person, so it is a POST: names must not appear in URLs and their logs.
  find: withPermission("privacy.manage", "findPerson")
    .input(s.personSearchInput)
    .output(s.personSearchOutput)
    .mutation(({ ctx, input }) => queries.find(ctx.scope, input.query)),
  person: withPermission("privacy.manage")
    .input(s.personRef)
    .output(s.personRecords)
    .query(({ ctx, input }) => queries.readPersonRecords(ctx.scope, input.guestId)),
  erase: withPermission("privacy.manage", "erasePerson")
    .input(s.personRef)
    .output(s.personErased)
    .mutation(({ ctx, input }) => erasing.erase(ctx.scope, ctx.services.files, input.guestId)),
});
