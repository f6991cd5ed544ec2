import { counter } from "../../infra/metrics.ts";

/** Repeats among them: a lock says again what it was not answered for. */
export const eventsStored = counter({ name: "unlock_events_total", help: "Events of locks that were committed" });
