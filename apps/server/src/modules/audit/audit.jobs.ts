import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../infra/database/client.ts";
import type { Logger } from "../../infra/logger.ts";
import type { Job, JobQueue } from "../../infra/queue.ts";
import { verifyChains } from "./verification.ts";

/** The journal's chain is recomputed, so that somebody notices when it was tampered with. */
export const checkJournal: Job<Record<string, never>> = { name: "audit.check", payload: z.strictObject({}) };

const DAY_SECONDS = 86_400;

export interface AuditCheckNeeds {
  database: Pick<Database, "pool">;
  clock: Clock;
  log: Logger;
}

/** When the chains were last recomputed, and whether all of them were whole. */
export interface AuditCheckResult {
  checkedAt: Date;
  whole: boolean;
}

export function defineAuditJobs(queue: JobQueue, needs: AuditCheckNeeds): void {
  queue.define(checkJournal, (_payload, log) => checkChains({ ...needs, log }), { concurrency: 1, attempts: 1 });
  queue.every(checkJournal, DAY_SECONDS, {});
}

/** Recomputes every hotel's chain and writes down what it found; earlier findings are forgotten. */
export async function checkChains({ database, clock, log }: AuditCheckNeeds): Promise<void> {
  const reports = await verifyChains(database);
  const broken = reports.filter(({ brokenAt, endMissing }) => brokenAt !== null || endMissing);
  for (const { hotelId, brokenAt, endMissing } of broken) {
    log.error({ hotelId, brokenAt, endMissing }, "the journal's chain is broken");
  }
  const entries = reports.reduce((sum, report) => sum + report.entries, 0);
  await database.pool.query(
    `WITH earlier AS (DELETE FROM audit_check)
      INSERT INTO audit_check (checked_at, entries, whole) VALUES ($1::timestamptz, $2::int, $3::boolean)`,
    [clock.now(), entries, broken.length === 0],
  );
}

/** Null where it was never looked at. */
export async function lastAuditCheck({ pool }: Pick<Database, "pool">): Promise<AuditCheckResult | null> {
  const { rows } = await pool.query<AuditCheckResult>(
    `SELECT checked_at AS "checkedAt", whole FROM audit_check ORDER BY id DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}
