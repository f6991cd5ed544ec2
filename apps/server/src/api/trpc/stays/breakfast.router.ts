import * as s from "@innkey/shared/schemas/stays/breakfast";
import * as queries from "../../../domain/stays/breakfast/breakfast.queries.ts";
import * as breakfast from "../../../domain/stays/breakfast/breakfast.service.ts";
import { router, withPermission } from "../trpc.ts";

export const breakfastRouter = router({
  list: withPermission("breakfast.manage")
    .input(s.breakfastInput)
    .output(s.breakfastDay)
    .query(({ ctx, input }) => queries.list(ctx.scope, input.date)),
  tick: withPermission("breakfast.manage", "tickBreakfast")
    .input(s.breakfastTick)
    .output(s.breakfastTicked)
    .mutation(({ ctx, input }) => breakfast.tick(ctx.scope, input)),
  tickByCard: withPermission("breakfast.manage", "tickBreakfast")
    .input(s.breakfastCard)
    .output(s.breakfastOfCard)
    .mutation(({ ctx, input }) => breakfast.tickByCard(ctx.scope, input.number)),
});
