import * as s from "@innkey/shared/schemas/stays/breakfast";
import * as queries from "../../../domain/stays/breakfast/breakfast.queries.ts";
import * as breakfast from "../../../domain/stays/breakfast/breakfast.service.ts";
import { router, signedIn } from "../trpc.ts";

export const breakfastRouter = router({
  list: signedIn
    .input(s.breakfastInput)
    .output(s.breakfastDay)
    .query(({ ctx, input }) => queries.list(ctx.scope, input.date)),
  tick: signedIn
    .input(s.breakfastTick)
    .output(s.breakfastTicked)
    .mutation(({ ctx, input }) => breakfast.tick(ctx.scope, input)),
  tickByCard: signedIn
    .input(s.breakfastCard)
    .output(s.breakfastOfCard)
    .mutation(({ ctx, input }) => breakfast.tickByCard(ctx.scope, input.number)),
});
