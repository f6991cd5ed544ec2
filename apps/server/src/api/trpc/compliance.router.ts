import * as complianceSchemas from "@innkey/shared/schemas/compliance";
import * as systemSchemas from "@innkey/shared/schemas/overview/system";
import * as rosterSchemas from "@innkey/shared/schemas/rosters";
import { z } from "zod";
import * as auditQueries from "../../domain/compliance/audit/audit-list.queries.ts";
import * as erasing from "../../domain/compliance/privacy/erase.service.ts";
import * as retention from "../../domain/compliance/privacy/retention.ts";
import { readCardEndings, readSheet } from "../../domain/compliance/rosters/roster-sheet.queries.ts";
import * as rosters from "../../domain/compliance/rosters/rosters.service.ts";
import { inSession, router, withPermission } from "./trpc.ts";

export const auditRouter = router({
  list: withPermission("audit.view")
    .input(complianceSchemas.auditListInput)
    .output(complianceSchemas.auditListOutput)
    .query(({ ctx, input }) => auditQueries.list(ctx.scope, input)),
});

export const privacyRouter = router({
  overview: withPermission("privacy.manage")
    .output(complianceSchemas.privacyOverview)
    .query(({ ctx }) => retention.overview(ctx.scope)),
  preview: withPermission("privacy.manage")
    .input(complianceSchemas.retentionInput)
    .output(complianceSchemas.retentionTake)
    .query(({ ctx, input }) => retention.preview(ctx.scope, input.days)),
  setRetention: withPermission("privacy.manage", "setRetention")
    .input(complianceSchemas.retentionInput)
    .output(complianceSchemas.privacyOverview)
    .mutation(({ ctx, input }) => retention.setRetention(ctx.scope, ctx.services.retention, input.days)),
  // The query names a person, so it is a POST: names must not appear in URLs and their logs.
  find: withPermission("privacy.manage", "findPerson")
    .input(complianceSchemas.personSearchInput)
    .output(complianceSchemas.personSearchOutput)
    .mutation(({ ctx, input }) => erasing.find(ctx.scope, input.query)),
  person: withPermission("privacy.manage")
    .input(complianceSchemas.personRef)
    .output(complianceSchemas.personRecords)
    .query(({ ctx, input }) => erasing.readPersonRecords(ctx.scope, input.guestId)),
  erase: withPermission("privacy.manage", "erasePerson")
    .input(complianceSchemas.personRef)
    .output(complianceSchemas.personErased)
    .mutation(({ ctx, input }) => erasing.erase(ctx.scope, ctx.services.files, input.guestId)),
});

export const rostersRouter = router({
  sheet: withPermission("stays.view")
    .output(rosterSchemas.rosterSheet)
    .query(({ ctx }) => readSheet(ctx.scope)),
  cardEndings: withPermission("cards.view")
    .output(z.array(rosterSchemas.cardEnding))
    .query(({ ctx }) => readCardEndings(ctx.scope)),
  overview: withPermission("hotel.manage")
    .output(rosterSchemas.rostersOverview)
    .query(({ ctx }) => rosters.overview(ctx.scope, ctx.services.rosters.folder)),
  saveSettings: withPermission("hotel.manage", "setRoster")
    .input(rosterSchemas.rosterSettings)
    .output(rosterSchemas.rostersOverview)
    .mutation(({ ctx, input }) => rosters.saveSettings(ctx.scope, ctx.services.rosters.folder, input)),
  make: withPermission("hotel.manage", "makeRoster")
    .output(z.object({ rosterId: z.int() }))
    .mutation(({ ctx }) => rosters.make(ctx.scope, ctx.services.rosters.folder)),
});

export const systemRouter = router({
  condition: inSession.output(systemSchemas.condition).query(({ ctx }) => ctx.services.system.condition(ctx.scope)),
  status: withPermission("system.view")
    .output(systemSchemas.systemStatus)
    .query(({ ctx }) => ctx.services.system.status(ctx.scope)),
});
