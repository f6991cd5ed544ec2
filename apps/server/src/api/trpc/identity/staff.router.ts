import * as s from "@innkey/shared/schemas/identity/staff";
import { removeStaff } from "../../../domain/desk/public.ts";
import * as permits from "../../../domain/identity/staff/permit.service.ts";
import * as queries from "../../../domain/identity/staff/staff.queries.ts";
import * as staff from "../../../domain/identity/staff/staff.service.ts";
import { resetTwoStepOf } from "../../../domain/identity/staff/two-step.service.ts";
import { inSession, router, withPermission } from "../trpc.ts";

export const staffRouter = router({
  list: withPermission("staff.view")
    .output(s.operatorListOutput)
    .query(({ ctx }) => queries.list(ctx.scope)),
  save: withPermission("staff.manage", "saveStaff")
    .input(s.operatorInput)
    .output(s.operatorRef)
    .mutation(({ ctx, input }) => staff.save(ctx.scope, ctx.services, input)),
  freeze: withPermission("staff.manage", "freezeStaff")
    .input(s.freezeOperatorInput)
    .output(s.operatorRef)
    .mutation(({ ctx, input }) => staff.setFrozen(ctx.scope, input)),
  setRole: withPermission("staff.manage", "grantPermissions")
    .input(s.operatorRoleInput)
    .output(s.operatorRef)
    .mutation(({ ctx, input }) => permits.setRole(ctx.scope, input)),
  permit: withPermission("staff.manage", "grantPermissions")
    .input(s.permitInput)
    .output(s.permitted)
    .mutation(({ ctx, input }) => permits.permitStaff(ctx.scope, input)),
  remove: withPermission("staff.manage", "removeStaff")
    .input(s.removeOperatorInput)
    .output(s.operatorRef)
    .mutation(({ ctx, input }) => removeStaff(ctx.scope, ctx.services.files, input.operatorId)),
  resetTwoStep: withPermission("staff.manage", "resetTwoStep")
    .input(s.resetTwoStepInput)
    .output(s.operatorRef)
    .mutation(({ ctx, input }) => resetTwoStepOf(ctx.scope, ctx.services.notifier, input.operatorId)),
  own: inSession.output(s.ownRooms).query(({ ctx }) => queries.own(ctx.scope)),
});
