import { auditRouter } from "./audit.router.ts";
import { authRouter } from "./auth.router.ts";
import { cardsRouter } from "./cards.router.ts";
import { customersRouter } from "./customers.router.ts";
import { groupsRouter } from "./groups.router.ts";
import { guestsRouter } from "./guests.router.ts";
import { hotelRouter } from "./hotel.router.ts";
import { ordersRouter } from "./orders.router.ts";
import { outboxRouter } from "./outbox.router.ts";
import { roomsRouter } from "./rooms.router.ts";
import { setupRouter } from "./setup.router.ts";
import { staffRouter } from "./staff.router.ts";
import { staysRouter } from "./stays.router.ts";
import { router } from "./trpc.ts";
import { unlocksRouter } from "./unlocks.router.ts";

/** The console's door: thin procedures, one router per domain. */
export const appRouter = router({
  auth: authRouter,
  setup: setupRouter,
  hotel: hotelRouter,
  groups: groupsRouter,
  rooms: roomsRouter,
  unlocks: unlocksRouter,
  stays: staysRouter,
  guests: guestsRouter,
  cards: cardsRouter,
  customers: customersRouter,
  orders: ordersRouter,
  staff: staffRouter,
  audit: auditRouter,
  outbox: outboxRouter,
});

export type AppRouter = typeof appRouter;
