import * as s from "@innkey/shared/schemas/encoders";
import * as queries from "../../../domain/access/encoders/encoders.queries.ts";
import * as encoders from "../../../domain/access/encoders/encoders.service.ts";
import { inSession, router, signedIn } from "../trpc.ts";

export const encodersRouter = router({
  list: signedIn
    .input(s.encoderListInput)
    .output(s.encoderListOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  detail: signedIn
    .input(s.encoderIdInput)
    .output(s.encoderRow)
    .query(({ ctx, input }) => queries.detail(ctx.scope, input.id)),
  checkStatus: signedIn
    .input(s.encoderNumberInput)
    .output(s.encoderStatus)
    .query(({ ctx, input }) => queries.checkStatus(ctx.scope, input.deviceNo)),
  seen: inSession
    .input(s.encoderPresenceInput)
    .output(s.encoderPresence)
    .mutation(({ ctx, input }) => encoders.reportPresence(ctx.scope, input)),
  save: signedIn
    .input(s.encoderInput)
    .output(s.encoderRef)
    .mutation(({ ctx, input }) => encoders.save(ctx.scope, input)),
  bind: signedIn
    .input(s.bindEncoderInput)
    .output(s.encoderRef)
    .mutation(({ ctx, input }) => encoders.bind(ctx.scope, input)),
  unbind: signedIn
    .input(s.encoderIdInput)
    .output(s.encoderRef)
    .mutation(({ ctx, input }) => encoders.unbind(ctx.scope, input.id)),
  remove: signedIn
    .input(s.encoderIdInput)
    .output(s.encoderRef)
    .mutation(({ ctx, input }) => encoders.remove(ctx.scope, input.id)),
});
