import * as s from "@innkey/shared/schemas/access/cards";
import { stayRef } from "@innkey/shared/schemas/stays/stays";
import * as air from "../../../domain/access/cards/air-cards.service.ts";
import * as queries from "../../../domain/access/cards/cards.queries.ts";
import * as cards from "../../../domain/access/cards/cards.service.ts";
import * as master from "../../../domain/access/cards/master.service.ts";
import * as profiles from "../../../domain/access/cards/profiles.service.ts";
import { router, withPermission } from "../trpc.ts";

export const cardsRouter = router({
  ofStay: withPermission("cards.view")
    .input(stayRef)
    .output(s.cardsOfStay)
    .query(({ ctx, input }) => queries.listStayCards(ctx.scope, input.stayId)),
  lookUp: withPermission("stays.view")
    .input(s.lookUpInput)
    .output(s.cardGuests)
    .query(({ ctx, input }) => queries.lookUp(ctx.scope, input.number)),
  prepare: withPermission("cards.issue", "writeCard")
    .input(s.prepareCardInput)
    .output(s.preparedCard)
    .mutation(({ ctx, input }) => cards.prepare(ctx.scope, input)),
  confirm: withPermission("cards.issue", "writeCard")
    .input(s.confirmCardInput)
    .output(s.cardOutcome)
    .mutation(({ ctx, input }) => cards.confirm(ctx.scope, input)),
  revoke: withPermission("cards.issue", "takeCardBack")
    .input(s.revokeCardInput)
    .output(s.cardOutcome)
    .mutation(({ ctx, input }) => cards.revoke(ctx.scope, input)),
  list: withPermission("cards.view")
    .input(s.cardsInput)
    .output(s.cardPage)
    .query(({ ctx, input }) => queries.list(ctx.scope, input)),
  prepareMaster: withPermission("cards.master", "writeStaffCard")
    .input(s.prepareMasterInput)
    .output(s.preparedCard)
    .mutation(({ ctx, input }) => master.prepareMaster(ctx.scope, input)),
  setRooms: withPermission("cards.master", "writeStaffCard")
    .input(s.cardRoomsInput)
    .output(s.cardOutcome)
    .mutation(({ ctx, input }) => master.setRooms(ctx.scope, input)),
  addOverTheAir: withPermission("cards.issue", "addCardByNumber")
    .input(s.airCardInput)
    .output(s.cardOutcome)
    .mutation(({ ctx, input }) => air.addOverTheAir(ctx.scope, input)),
  profiles: withPermission("encryption.manage")
    .output(s.profileRows)
    .query(({ ctx }) => profiles.list(ctx.scope)),
  newProfile: withPermission("encryption.manage", "newCardKeys")
    .input(s.newProfileInput)
    .output(s.profileCreated)
    .mutation(({ ctx, input }) => profiles.create(ctx.scope, input)),
});
