import * as s from "@innkey/shared/schemas/access/passcodes";
import * as queries from "../../../domain/access/passcodes/passcodes.queries.ts";
import * as passcodes from "../../../domain/access/passcodes/passcodes.service.ts";
import { router, withPermission } from "../trpc.ts";

export const passcodesRouter = router({
  list: withPermission("passcodes.view")
    .input(s.passcodesInput)
    .output(s.passcodePage)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  create: withPermission("passcodes.issue", "giveCode")
    .input(s.createPasscodeInput)
    .output(s.passcodeCreated)
    .mutation(({ ctx, input }) => passcodes.create(ctx.scope, input)),
  reveal: withPermission("passcodes.issue", "showCode")
    .input(s.passcodeRef)
    .output(s.passcodeRevealed)
    .mutation(({ ctx, input }) => passcodes.reveal(ctx.scope, input)),
  remove: withPermission("passcodes.issue", "endCode")
    .input(s.passcodeRef)
    .output(s.passcodeRef)
    .mutation(({ ctx, input }) => passcodes.remove(ctx.scope, input)),
});
