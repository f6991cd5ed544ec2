import { z } from "zod";
import { boardDifference } from "../property/rooms.ts";

/**
 * What a write can change, so that consoles read again what they show of it. The migration `change_notices` names the
 * topic of each table.
 */
export const TOPICS = [
  "rooms",
  "prices",
  "stays",
  "breakfast",
  "handOver",
  "guestLinks",
  "guestMessages",
  "guests",
  "customers",
  "money",
  "keys",
  "readers",
  "locks",
  "staff",
  "settings",
  "integrations",
  "exports",
  "outbox",
  "audit",
] as const;
export const topic = z.enum(TOPICS);
export type Topic = z.infer<typeof topic>;

/** Events of /api/events. null: some may have been missed, so the reader reads everything of this kind again. */
export const consoleEvent = z.discriminatedUnion("event", [
  /** `difference` is null if only the whole board says what changed. */
  z.object({
    event: z.literal("board"),
    data: z.object({ version: z.string().nullable(), difference: boardDifference.nullable() }),
  }),
  /** Rooms with new door records */
  z.object({ event: z.literal("unlocks"), data: z.object({ roomIds: z.array(z.int()).nullable() }) }),
  /** The hotel's alerts changed */
  z.object({ event: z.literal("alerts"), data: z.object({}) }),
  z.object({ event: z.literal("changes"), data: z.object({ topics: z.array(topic).nullable() }) }),
]);
export type ConsoleEvent = z.infer<typeof consoleEvent>;
