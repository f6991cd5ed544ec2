import {
  cardReadersRouter,
  cardsRouter,
  doorsRouter,
  facesRouter,
  keysRouter,
  locksRouter,
  passcodesRouter,
  unlocksRouter,
  zonesRouter,
} from "./access.router.ts";
import { auditRouter, privacyRouter, rostersRouter, systemRouter } from "./compliance.router.ts";
import { exportsRouter, importsRouter } from "./data.router.ts";
import { balanceRouter, folioRouter } from "./folio.router.ts";
import { authRouter, permissionsRouter, setupRouter, staffRouter, twoStepRouter } from "./identity.router.ts";
import { alertsRouter, guestMessagesRouter, integrationsRouter, outboxRouter } from "./messaging.router.ts";
import {
  boardRouter,
  homeRouter,
  nightAuditRouter,
  reportsRouter,
  searchRouter,
  timelineRouter,
} from "./overview.router.ts";
import { groupsRouter, hotelRouter, priceTemplatesRouter, roomsRouter } from "./property.router.ts";
import {
  afterOutageRouter,
  availabilityRouter,
  breakfastRouter,
  calendarFeedsRouter,
  customersRouter,
  guestLinksRouter,
  guestsRouter,
  handOverRouter,
  preCheckInsRouter,
  staysRouter,
} from "./stays.router.ts";
import { router } from "./trpc.ts";

const routers = {
  auth: authRouter,
  twoStep: twoStepRouter,
  setup: setupRouter,
  board: boardRouter,
  home: homeRouter,
  hotel: hotelRouter,
  groups: groupsRouter,
  rooms: roomsRouter,
  unlocks: unlocksRouter,
  priceTemplates: priceTemplatesRouter,
  stays: staysRouter,
  afterOutage: afterOutageRouter,
  timeline: timelineRouter,
  availability: availabilityRouter,
  breakfast: breakfastRouter,
  handOver: handOverRouter,
  guests: guestsRouter,
  guestLinks: guestLinksRouter,
  preCheckIns: preCheckInsRouter,
  calendarFeeds: calendarFeedsRouter,
  keys: keysRouter,
  cards: cardsRouter,
  locks: locksRouter,
  doors: doorsRouter,
  zones: zonesRouter,
  passcodes: passcodesRouter,
  faces: facesRouter,
  alerts: alertsRouter,
  customers: customersRouter,
  cardReaders: cardReadersRouter,
  folio: folioRouter,
  exports: exportsRouter,
  balance: balanceRouter,
  nightAudit: nightAuditRouter,
  reports: reportsRouter,
  staff: staffRouter,
  privacy: privacyRouter,
  rosters: rostersRouter,
  search: searchRouter,
  imports: importsRouter,
  integrations: integrationsRouter,
  audit: auditRouter,
  outbox: outboxRouter,
  guestMessages: guestMessagesRouter,
  system: systemRouter,
};

/** The console's API: thin procedures, one router per domain. */
export const appRouter = router({
  ...routers,
  permissions: permissionsRouter(router(routers)._def.procedures),
});

export type AppRouter = typeof appRouter;
