import { auditRouter } from "./audit.router.ts";
import { authRouter } from "./auth.router.ts";
import { balanceRouter } from "./balance.router.ts";
import { breakfastRouter } from "./breakfast.router.ts";
import { cardsRouter } from "./cards.router.ts";
import { customersRouter } from "./customers.router.ts";
import { encodersRouter } from "./encoders.router.ts";
import { exportsRouter } from "./exports.router.ts";
import { facesRouter } from "./faces.router.ts";
import { groupsRouter } from "./groups.router.ts";
import { guestsRouter } from "./guests.router.ts";
import { homeRouter } from "./home.router.ts";
import { hotelRouter } from "./hotel.router.ts";
import { importsRouter } from "./imports.router.ts";
import { integrationsRouter } from "./integrations.router.ts";
import { locksRouter } from "./locks.router.ts";
import { messagesRouter } from "./messages.router.ts";
import { nightAuditRouter } from "./night-audit.router.ts";
import { ordersRouter } from "./orders.router.ts";
import { outboxRouter } from "./outbox.router.ts";
import { passcodesRouter } from "./passcodes.router.ts";
import { priceTemplatesRouter } from "./price-templates.router.ts";
import { privacyRouter } from "./privacy.router.ts";
import { roomsRouter } from "./rooms.router.ts";
import { searchRouter } from "./search.router.ts";
import { setupRouter } from "./setup.router.ts";
import { staffRouter } from "./staff.router.ts";
import { staysRouter } from "./stays.router.ts";
import { systemRouter } from "./system.router.ts";
import { timelineRouter } from "./timeline.router.ts";
import { router } from "./trpc.ts";
import { twoStepRouter } from "./two-step.router.ts";
import { unlocksRouter } from "./unlocks.router.ts";

/** The console's API: thin procedures, one router per domain. */
export const appRouter = router({
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
  messages: messagesRouter,
  customers: customersRouter,
  encoders: encodersRouter,
  orders: ordersRouter,
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
});

export type AppRouter = typeof appRouter;
