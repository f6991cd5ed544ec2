import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { SystemScopes } from "../../../kernel/scope.ts";
import { fitKeysToZones, hasMisfits } from "./stay-zones.ts";

/**
 * Makes keys follow what changed outside of this domain, such as a room that was moved to another group, and codes that
 * were taken at a common door and are free now.
 */
export const fitZoneKeysJob: Job<Record<string, never>> = { name: "zones.fitKeys", payload: z.strictObject({}) };

const SWEEP_EVERY_SECONDS = 60;

export function defineZoneJobs(queue: JobQueue, deps: { database: Database; scopes: SystemScopes }): void {
  queue.define(fitZoneKeysJob, () => fitZoneKeysOfAllHotels(deps.database, deps.scopes), {
    concurrency: 1,
    attempts: 1,
  });
  queue.every(fitZoneKeysJob, SWEEP_EVERY_SECONDS, {});
}

/** Fits the keys of every hotel with zones, each in its own transaction. */
export async function fitZoneKeysOfAllHotels({ pool }: Pick<Database, "pool">, scopes: SystemScopes): Promise<void> {
  const { rows } = await pool.query<{ hotelId: number }>(`SELECT DISTINCT hotel_id AS "hotelId" FROM zone ORDER BY 1`);
  for (const { hotelId } of rows) {
    const scope = await scopes(hotelId);
    if (scope && (await hasMisfits(scope))) await scope.write((tx) => fitKeysToZones(scope, tx, null));
  }
}
