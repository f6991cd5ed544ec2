import * as s from "@innkey/shared/schemas/rooms";
import { z } from "zod";
import * as queries from "../../../domain/property/rooms/groups.queries.ts";
import * as groups from "../../../domain/property/rooms/groups.service.ts";
import { router, signedIn } from "../trpc.ts";

export const groupsRouter = router({
  list: signedIn.output(z.array(s.groupOutput)).query(({ ctx }) => queries.list(ctx.scope)),
  save: signedIn
    .input(s.groupInput)
    .output(s.groupRef)
    .mutation(({ ctx, input }) => groups.save(ctx.scope, input)),
  remove: signedIn
    .input(s.groupRef)
    .output(s.groupRef)
    .mutation(({ ctx, input }) => groups.remove(ctx.scope, input.id)),
});
