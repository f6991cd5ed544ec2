import * as s from "@innkey/shared/schemas/cards";
import { stayRef } from "@innkey/shared/schemas/stays";
import * as queries from "../../modules/cards/cards.queries.ts";
import * as cards from "../../modules/cards/cards.service.ts";
import { router, signedIn } from "./trpc.ts";

export const cardsRouter = router({
  ofStay: signedIn
    .input(stayRef)
    .output(s.cardsOfStay)
    .query(({ ctx, input }) => queries.ofStay(ctx.scope, input.stayId)),
  lookUp: signedIn
    .input(s.lookUpInput)
    .output(s.cardGuests)
    .query(({ ctx, input }) => queries.lookUp(ctx.scope, input.number)),
  prepare: signedIn
    .input(s.prepareCardInput)
    .output(s.preparedCard)
    .mutation(({ ctx, input }) => cards.prepare(ctx.scope, input)),
  confirm: signedIn
    .input(s.confirmCardInput)
    .output(s.cardOutcome)
    .mutation(({ ctx, input }) => cards.confirm(ctx.scope, input)),
  revoke: signedIn
    .input(s.cardRef)
    .output(s.cardOutcome)
    .mutation(({ ctx, input }) => cards.revoke(ctx.scope, input.cardId)),
});
