import * as s from "@innkey/shared/schemas/property/rooms";
import { z } from "zod";
import * as groups from "../../../domain/property/rooms/groups.service.ts";
import { router, withPermission } from "../trpc.ts";

export const groupsRouter = router({
  list: withPermission("rooms.view")
    .output(z.array(s.groupOutput))
    .query(({ ctx }) => groups.list(ctx.scope)),
  save: withPermission("rooms.manage", "groupRooms")
    .input(s.groupInput)
    .output(s.groupRef)
    .mutation(({ ctx, input }) => groups.save(ctx.scope, input)),
  remove: withPermission("rooms.manage", "groupRooms")
    .input(s.groupRef)
    .output(s.groupRef)
    .mutation(({ ctx, input }) => groups.remove(ctx.scope, input.id)),
});
