import { DAY_MS } from "@innkey/shared/durations";
import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Clock } from "../../../kernel/clock.ts";

/** A check-out or cancellation may still be undone on the same day. */
const AFTER_END_MS = DAY_MS;
const DAY_SECONDS = 86_400;

/** Deletes what guests of every hotel wrote before stays that are over. */
export const deleteOldPreCheckIns: Job<Record<string, never>> = {
  name: "preCheckIn.drop",
  payload: z.strictObject({}),
};

interface PreCheckInDeps {
  database: Pick<Database, "pool">;
  clock: Clock;
}

export function definePreCheckInJobs(queue: JobQueue, deps: PreCheckInDeps): void {
  queue.define(deleteOldPreCheckIns, () => deletePreCheckIns(deps), { concurrency: 1, attempts: 1 });
  queue.every(deleteOldPreCheckIns, DAY_SECONDS, {});
}

const OF_ENDED_STAYS = `USING stay_guest sg, stay s WHERE sg.id = p.stay_guest_id AND s.id = sg.stay_id
  AND (s.state NOT IN ('reserved', 'checked_in') OR s.state = 'reserved' AND s.ends_at < $1)
  AND coalesce(s.checked_out_at, s.cancelled_at, s.ends_at) < $1`;

export async function deletePreCheckIns({ database, clock }: PreCheckInDeps): Promise<void> {
  const before = new Date(clock.now().getTime() - AFTER_END_MS);
  await database.pool.query(`DELETE FROM pre_check_in p ${OF_ENDED_STAYS}`, [before]);
  // What the desk has taken over stays as long as the guest's documents.
  await database.pool.query(`DELETE FROM guest_picture p ${OF_ENDED_STAYS} AND p.taken_at IS NULL`, [before]);
}
