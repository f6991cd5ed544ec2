import * as s from "@innkey/shared/schemas/access/card-readers";
import * as queries from "../../../domain/access/card-readers/card-readers.queries.ts";
import * as cardReaders from "../../../domain/access/card-readers/card-readers.service.ts";
import { inSession, router, withPermission } from "../trpc.ts";

export const cardReadersRouter = router({
  list: withPermission("cardReaders.view")
    .input(s.cardReaderListInput)
    .output(s.cardReaderListOutput)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  detail: withPermission("cardReaders.view")
    .input(s.cardReaderIdInput)
    .output(s.cardReaderRow)
    .query(({ ctx, input }) => queries.detail(ctx.scope, input.id)),
  checkStatus: withPermission("cardReaders.view")
    .input(s.cardReaderNumberInput)
    .output(s.cardReaderStatus)
    .query(({ ctx, input }) => queries.checkStatus(ctx.scope, input.deviceNo)),
  seen: inSession
    .input(s.cardReaderPresenceInput)
    .output(s.cardReaderPresence)
    .mutation(({ ctx, input }) => cardReaders.reportPresence(ctx.scope, input)),
  save: withPermission("cardReaders.manage", "saveReader")
    .input(s.cardReaderInput)
    .output(s.cardReaderRef)
    .mutation(({ ctx, input }) => cardReaders.save(ctx.scope, input)),
  bind: withPermission("cardReaders.manage", "bindReader")
    .input(s.bindCardReaderInput)
    .output(s.cardReaderRef)
    .mutation(({ ctx, input }) => cardReaders.bind(ctx.scope, input)),
  unbind: withPermission("cardReaders.manage", "bindReader")
    .input(s.cardReaderIdInput)
    .output(s.cardReaderRef)
    .mutation(({ ctx, input }) => cardReaders.unbind(ctx.scope, input.id)),
  remove: withPermission("cardReaders.manage", "removeReader")
    .input(s.cardReaderIdInput)
    .output(s.cardReaderRef)
    .mutation(({ ctx, input }) => cardReaders.remove(ctx.scope, input.id)),
});
