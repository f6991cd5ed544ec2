import * as s from "@innkey/shared/schemas/access/faces";
import * as queries from "../../../domain/access/faces/faces.queries.ts";
import * as faces from "../../../domain/access/faces/faces.service.ts";
import * as grants from "../../../domain/access/faces/grants.service.ts";
import { router, withPermission } from "../trpc.ts";

export const facesRouter = router({
  list: withPermission("faces.view")
    .input(s.facesInput)
    .output(s.facePage)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  grants: withPermission("faces.view")
    .input(s.faceGrantsInput)
    .output(s.faceGrants)
    .query(({ ctx, input }) => queries.grants(ctx.scope, input)),
  enrol: withPermission("faces.manage", "enrolFace")
    .input(s.enrolFaceInput)
    .output(s.faceRef)
    .mutation(({ ctx, input }) => faces.enrol(ctx.scope, input)),
  rename: withPermission("faces.manage", "enrolFace")
    .input(s.faceNoteInput)
    .output(s.faceRef)
    .mutation(({ ctx, input }) => faces.rename(ctx.scope, input)),
  remove: withPermission("faces.manage", "removeFace")
    .input(s.faceRef)
    .output(s.faceRef)
    .mutation(({ ctx, input }) => faces.remove(ctx.scope, ctx.services.files, input)),
  grant: withPermission("faces.manage", "letFaceOpen")
    .input(s.grantFaceInput)
    .output(s.faceGranted)
    .mutation(({ ctx, input }) => grants.grant(ctx.scope, input)),
  withdrawGrant: withPermission("faces.manage", "letFaceOpen")
    .input(s.credentialRef)
    .output(s.credentialRef)
    .mutation(({ ctx, input }) => grants.withdrawGrant(ctx.scope, input)),
});
