import { counter } from "../../../adapters/telemetry/metrics.ts";

/** Includes repeated events: a lock sends an event again until it is acknowledged. */
export const eventsStored = counter({ name: "unlock_events_total", help: "Events of locks that were committed" });
