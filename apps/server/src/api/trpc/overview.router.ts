import { boardMarks as boardMarksOutput } from "@innkey/shared/schemas/overview/board-marks";
import { firstSteps } from "@innkey/shared/schemas/overview/first-steps";
import { homeOverview } from "@innkey/shared/schemas/overview/home";
import * as nightAuditSchemas from "@innkey/shared/schemas/overview/night-audit";
import { occupancyInput, occupancyOutput } from "@innkey/shared/schemas/overview/occupancy";
import * as searchSchemas from "@innkey/shared/schemas/overview/search";
import * as timelineSchemas from "@innkey/shared/schemas/overview/timeline";
import { todayStays } from "@innkey/shared/schemas/overview/today";
import { boardMarks } from "../../domain/overview/board-marks.queries.ts";
import { readFirstSteps } from "../../domain/overview/first-steps.ts";
import * as homeQueries from "../../domain/overview/home.queries.ts";
import * as nightAudit from "../../domain/overview/night-audit.ts";
import { close } from "../../domain/overview/night-audit.ts";
import { occupancy } from "../../domain/overview/occupancy.queries.ts";
import * as search from "../../domain/overview/search.queries.ts";
import { read } from "../../domain/overview/timeline.queries.ts";
import { today } from "../../domain/overview/today.queries.ts";
import { jsonOutput, keptRead, router, signedIn, withPermission } from "./trpc.ts";

export const boardRouter = router({
  marks: keptRead("stays.view")
    .output(jsonOutput(boardMarksOutput))
    .query(({ ctx }) => boardMarks(ctx.scope)),
});

export const homeRouter = router({
  overview: keptRead("rooms.view")
    .output(jsonOutput(homeOverview))
    .query(({ ctx }) =>
      homeQueries.overview(ctx.scope, ctx.services.board, ctx.boardVersion, ctx.services.guestUrl !== null),
    ),
  firstSteps: withPermission("hotel.manage")
    .output(firstSteps)
    .query(({ ctx }) => readFirstSteps(ctx.scope)),
  today: withPermission("stays.view")
    .output(todayStays)
    .query(({ ctx }) => today(ctx.scope)),
});

export const nightAuditRouter = router({
  read: withPermission("reports.view")
    .input(nightAuditSchemas.nightAuditInput)
    .output(nightAuditSchemas.nightAuditOutput)
    .query(({ ctx, input }) => nightAudit.read(ctx.scope, input)),
  closedDays: withPermission("reports.view")
    .output(nightAuditSchemas.closedDaysOutput)
    .query(({ ctx }) => nightAudit.closedDays(ctx.scope)),
  close: withPermission("reports.close", "closeDay")
    .input(nightAuditSchemas.closeDayInput)
    .output(nightAuditSchemas.nightAuditOutput)
    .mutation(({ ctx, input }) => close(ctx.scope, input)),
});

export const reportsRouter = router({
  occupancy: withPermission("reports.view")
    .input(occupancyInput)
    .output(occupancyOutput)
    .query(({ ctx, input }) => occupancy(ctx.scope, input)),
});

export const searchRouter = router({
  find: signedIn
    .input(searchSchemas.searchInput)
    .output(searchSchemas.searchOutput)
    .query(({ ctx, input }) => search.find(ctx.scope, input.query)),
});

export const timelineRouter = router({
  read: keptRead("stays.view")
    .input(timelineSchemas.timelineInput)
    .output(jsonOutput(timelineSchemas.timelineOutput))
    .query(({ ctx, input }) => read(ctx.scope, ctx.services.board, ctx.boardVersion, input)),
});
