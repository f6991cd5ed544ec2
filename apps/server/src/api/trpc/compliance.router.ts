import * as auditSchemas from "@innkey/shared/schemas/compliance/audit";
import * as privacySchemas from "@innkey/shared/schemas/compliance/privacy";
import * as systemSchemas from "@innkey/shared/schemas/overview/system";
import * as auditQueries from "../../domain/compliance/audit/audit.queries.ts";
import * as erasing from "../../domain/compliance/privacy/erase.service.ts";
import * as privacyQueries from "../../domain/compliance/privacy/privacy.queries.ts";
import * as retention from "../../domain/compliance/privacy/retention.ts";
import { inSession, router, withPermission } from "./trpc.ts";

export const auditRouter = router({
  list: withPermission("audit.view")
    .input(auditSchemas.auditListInput)
    .output(auditSchemas.auditListOutput)
    .query(({ ctx, input }) => auditQueries.list(ctx.scope, input)),
});

export const privacyRouter = router({
  overview: withPermission("privacy.manage")
    .output(privacySchemas.privacyOverview)
    .query(({ ctx }) => retention.overview(ctx.scope)),
  preview: withPermission("privacy.manage")
    .input(privacySchemas.retentionInput)
    .output(privacySchemas.retentionTake)
    .query(({ ctx, input }) => retention.preview(ctx.scope, input.days)),
  setRetention: withPermission("privacy.manage", "setRetention")
    .input(privacySchemas.retentionInput)
    .output(privacySchemas.privacyOverview)
    .mutation(({ ctx, input }) => retention.setRetention(ctx.scope, ctx.services.retention, input.days)),
  // The query names a person, so it is a POST: names must not appear in URLs and their logs.
  find: withPermission("privacy.manage", "findPerson")
    .input(privacySchemas.personSearchInput)
    .output(privacySchemas.personSearchOutput)
    .mutation(({ ctx, input }) => privacyQueries.find(ctx.scope, input.query)),
  person: withPermission("privacy.manage")
    .input(privacySchemas.personRef)
    .output(privacySchemas.personRecords)
    .query(({ ctx, input }) => privacyQueries.readPersonRecords(ctx.scope, input.guestId)),
  erase: withPermission("privacy.manage", "erasePerson")
    .input(privacySchemas.personRef)
    .output(privacySchemas.personErased)
    .mutation(({ ctx, input }) => erasing.erase(ctx.scope, ctx.services.files, input.guestId)),
});

export const systemRouter = router({
  condition: inSession.output(systemSchemas.condition).query(({ ctx }) => ctx.services.system.condition(ctx.scope)),
  status: withPermission("system.view")
    .output(systemSchemas.systemStatus)
    .query(({ ctx }) => ctx.services.system.status(ctx.scope)),
});
