import * as s from "@innkey/shared/schemas/access/cards";
import { stayRef } from "@innkey/shared/schemas/stays/stays";
import * as air from "../../../domain/access/cards/air-cards.service.ts";
import * as queries from "../../../domain/access/cards/cards.queries.ts";
import * as cards from "../../../domain/access/cards/cards.service.ts";
import * as master from "../../../domain/access/cards/master.service.ts";
import * as profiles from "../../../domain/access/cards/profiles.service.ts";
import { router, signedIn } from "../trpc.ts";

export const cardsRouter = router({
  ofStay: signedIn
    .input(stayRef)
    .output(s.cardsOfStay)
    .query(({ ctx, input }) => queries.listStayCards(ctx.scope, input.stayId)),
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
    .input(s.revokeCardInput)
    .output(s.cardOutcome)
    .mutation(({ ctx, input }) => cards.revoke(ctx.scope, input)),
  list: signedIn
    .input(s.cardsInput)
    .output(s.cardPage)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  prepareMaster: signedIn
    .input(s.prepareMasterInput)
    .output(s.preparedCard)
    .mutation(({ ctx, input }) => master.prepareMaster(ctx.scope, input)),
  setRooms: signedIn
    .input(s.cardRoomsInput)
    .output(s.cardOutcome)
    .mutation(({ ctx, input }) => master.setRooms(ctx.scope, input)),
  addOverTheAir: signedIn
    .input(s.airCardInput)
    .output(s.cardOutcome)
    .mutation(({ ctx, input }) => air.addOverTheAir(ctx.scope, input)),
  profiles: signedIn.output(s.profileRows).query(({ ctx }) => profiles.list(ctx.scope)),
  newProfile: signedIn
    .input(s.newProfileInput)
    .output(s.profileCreated)
    .mutation(({ ctx, input }) => profiles.create(ctx.scope, input)),
});
