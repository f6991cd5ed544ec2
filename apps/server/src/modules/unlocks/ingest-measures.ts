import { counter } from "../../infra/metrics.ts";

/** Includes repeated events: a lock sends an event again until it is acknowledged. */
export const eventsStored = counter({ name: "unlock_events_total", help: "Events of locks that were committed" });
