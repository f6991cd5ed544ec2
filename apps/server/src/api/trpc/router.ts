import { cardReadersRouter } from "./access/card-readers.router.ts";
import { cardsRouter } from "./access/cards.router.ts";
import { facesRouter } from "./access/faces.router.ts";
import { locksRouter } from "./access/locks.router.ts";
import { passcodesRouter } from "./access/passcodes.router.ts";
import { unlocksRouter } from "./access/unlocks.router.ts";
import { auditRouter } from "./compliance/audit.router.ts";
import { privacyRouter } from "./compliance/privacy.router.ts";
import { systemRouter } from "./compliance/system.router.ts";
import { exportsRouter } from "./data/exports.router.ts";
import { importsRouter } from "./data/imports.router.ts";
import { balanceRouter } from "./folio/balance.router.ts";
import { folioRouter } from "./folio/folio.router.ts";
import { authRouter } from "./identity/auth.router.ts";
import { permissionsRouter } from "./identity/permissions.router.ts";
import { setupRouter } from "./identity/setup.router.ts";
import { staffRouter } from "./identity/staff.router.ts";
import { twoStepRouter } from "./identity/two-step.router.ts";
import { alertsRouter } from "./messaging/alerts.router.ts";
import { integrationsRouter } from "./messaging/integrations.router.ts";
import { outboxRouter } from "./messaging/outbox.router.ts";
import { homeRouter } from "./overview/home.router.ts";
import { nightAuditRouter } from "./overview/night-audit.router.ts";
import { searchRouter } from "./overview/search.router.ts";
import { timelineRouter } from "./overview/timeline.router.ts";
import { groupsRouter } from "./property/groups.router.ts";
import { hotelRouter } from "./property/hotel.router.ts";
import { priceTemplatesRouter } from "./property/price-templates.router.ts";
import { roomsRouter } from "./property/rooms.router.ts";
import { breakfastRouter } from "./stays/breakfast.router.ts";
import { customersRouter } from "./stays/customers.router.ts";
import { guestsRouter } from "./stays/guests.router.ts";
import { staysRouter } from "./stays/stays.router.ts";
import { router } from "./trpc.ts";

const routers = {
  auth: authRouter,
  twoStep: twoStepRouter,
  setup: setupRouter,
  home: homeRouter,
  hotel: hotelRouter,
  groups: groupsRouter,
  rooms: roomsRouter,
  unlocks: unlocksRouter,
  priceTemplates: priceTemplatesRouter,
  stays: staysRouter,
  timeline: timelineRouter,
  breakfast: breakfastRouter,
  guests: guestsRouter,
  cards: cardsRouter,
  locks: locksRouter,
  passcodes: passcodesRouter,
  faces: facesRouter,
  alerts: alertsRouter,
  customers: customersRouter,
  cardReaders: cardReadersRouter,
  folio: folioRouter,
  exports: exportsRouter,
  balance: balanceRouter,
  nightAudit: nightAuditRouter,
  staff: staffRouter,
  privacy: privacyRouter,
  search: searchRouter,
  imports: importsRouter,
  integrations: integrationsRouter,
  audit: auditRouter,
  outbox: outboxRouter,
  system: systemRouter,
};

/** The console's API: thin procedures, one router per domain. */
export const appRouter = router({
  ...routers,
  permissions: permissionsRouter(router(routers)._def.procedures),
});

export type AppRouter = typeof appRouter;
