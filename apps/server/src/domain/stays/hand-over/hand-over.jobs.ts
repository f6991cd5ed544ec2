import { DAY_MS } from "@innkey/shared/durations";
import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Clock } from "../../../kernel/clock.ts";

/** Notes are about guests, too, and nobody needs one that was done a month ago. */
const DONE_NOTES_DAYS = 30;
const DAY_SECONDS = 86_400;

/** Deletes the notes of every hotel that were done long ago. */
export const deleteDoneNotes: Job<Record<string, never>> = { name: "handOver.drop", payload: z.strictObject({}) };

export interface NoteDeps {
  database: Pick<Database, "pool">;
  clock: Clock;
}

export function defineHandOverJobs(queue: JobQueue, deps: NoteDeps): void {
  queue.define(deleteDoneNotes, () => deleteOldNotes(deps), { concurrency: 1, attempts: 1 });
  queue.every(deleteDoneNotes, DAY_SECONDS, {});
}

export async function deleteOldNotes({ database, clock }: NoteDeps): Promise<void> {
  const before = new Date(clock.now().getTime() - DONE_NOTES_DAYS * DAY_MS);
  await database.pool.query("DELETE FROM hand_over_note WHERE done_at < $1", [before]);
}
