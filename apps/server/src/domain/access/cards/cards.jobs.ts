import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { SystemScopes } from "../../../kernel/system-scope.ts";
import { settleCards } from "../credentials/min-sequences.ts";

/** Settles revoked cards whose period has ended since: no lock needs to confirm them any more. */
export const settleCardsJob: Job<Record<string, never>> = { name: "cards.settle", payload: z.strictObject({}) };

const SWEEP_SECONDS = 60;

export function defineCardJobs(queue: JobQueue, deps: { database: Database; scopes: SystemScopes }): void {
  queue.define(settleCardsJob, () => settleAll(deps.database, deps.scopes), { concurrency: 1, attempts: 1 });
  queue.every(settleCardsJob, SWEEP_SECONDS, {});
}

/** Settles every hotel that has such cards, each in its own transaction. */
export async function settleAll({ pool }: Pick<Database, "pool">, scopes: SystemScopes): Promise<void> {
  const { rows } = await pool.query<{ hotelId: number }>(
    `SELECT DISTINCT hotel_id AS "hotelId" FROM card WHERE state = 'revoking' ORDER BY 1`,
  );
  for (const { hotelId } of rows) {
    const scope = await scopes(hotelId);
    await scope?.write((tx) => settleCards(scope, tx));
  }
}
