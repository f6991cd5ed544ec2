import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import { fitStaffCards, haveStaffCardsMisfits } from "../cards/card-doors.ts";
import { roomsWithStaleMarks, updateRewriteMarks } from "../cards/rewrites.ts";
import { revokeEnded } from "../credentials/pending-revocations.ts";
import { alertTakenCodes, fitKeysToZones, hasMisfits } from "./stay-zones.ts";
import { forgetRemovedLocks } from "./update-lock-zones.ts";

/**
 * Makes keys and staff cards follow what changed outside of this domain, such as a room that was moved to another group, codes that were
 * taken at a common door and are free now, and what was too much for one transaction.
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

/**
 * Revokes the keys of what has ended, and fits those of every hotel with zones, or with staff cards, so many in one transaction, and brings the alerts about them up to date. What was
 * done before an error stays done, and the next run goes on from there.
 */
export async function fitZoneKeysOfAllHotels(
  { pool }: Pick<Database, "pool">,
  scopes: SystemScopes,
  keysPerTransaction?: number,
): Promise<void> {
  await revokeEnded(pool, scopes);
  const { rows } = await pool.query<{ hotelId: number }>(`SELECT hotel_id AS "hotelId" FROM zone
     UNION SELECT hotel_id FROM card WHERE kind NOT IN ('guest', 'universal') AND state = 'active' ORDER BY 1`);
  for (const { hotelId } of rows) {
    const scope = await scopes(hotelId);
    if (scope) await fitZoneKeysOfHotel(scope, keysPerTransaction);
  }
}

async function fitZoneKeysOfHotel(scope: Scope, keysPerTransaction?: number): Promise<void> {
  let isMoreLeft = await hasMisfits(scope);
  while (isMoreLeft) isMoreLeft = await scope.write((tx) => fitKeysToZones(scope, tx, null, keysPerTransaction));
  let haveMoreCards = await haveStaffCardsMisfits(scope);
  while (haveMoreCards) haveMoreCards = await scope.write((tx) => fitStaffCards(scope, tx, keysPerTransaction));
  await alertTakenCodes(scope);
  const roomIds = await roomsWithStaleMarks(scope, scope.sql);
  if (roomIds.length > 0) await scope.write((tx) => updateRewriteMarks(scope, tx, roomIds));
  await forgetRemovedLocks(scope);
}
