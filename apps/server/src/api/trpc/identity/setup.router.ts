import * as s from "@innkey/shared/schemas/identity/auth";
import * as queries from "../../../domain/identity/login/auth.service.ts";
import { open, router } from "../trpc.ts";

export const setupRouter = router({
  create: open
    .input(s.setupInput)
    .output(s.me)
    .mutation(async ({ ctx, input }) => {
      const { token, scope, deviceToken } = await ctx.services.auth.setup.create(ctx.visitor, input);
      ctx.cookie.write(token);
      if (deviceToken !== null) ctx.cookie.writeDevice(deviceToken);
      return queries.me(scope);
    }),
});
