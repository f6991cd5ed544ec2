import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { HotelQuery } from "../../../kernel/hotel-database.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import {
  type AuditHead,
  entryExists,
  HEAD_MESSAGE,
  isWhole,
  readHeads,
  verifyChains,
  writeHeads,
} from "./audit-chain.ts";

/** Recomputes the hash chains of the audit, so that tampering is noticed. */
export const checkAudit: Job<Record<string, never>> = { name: "audit.check", payload: z.strictObject({}) };

/** Records the newest entry of every hotel's audit, so that a rewritten but consistent chain is noticed. */
export const recordAuditHeads: Job<Record<string, never>> = { name: "audit.heads", payload: z.strictObject({}) };

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;

export interface AuditCheckDeps {
  database: Pick<Database, "pool">;
  clock: Clock;
  log: Logger;
  secrets: { audit: SecretBox };
}

/** When the chains were last recomputed, and whether all of them were intact. */
export interface AuditCheckResult {
  checkedAt: Date;
  whole: boolean;
}

export function defineAuditJobs(queue: JobQueue, deps: AuditCheckDeps): void {
  queue.define(checkAudit, (_payload, log) => checkChains({ ...deps, log }), { concurrency: 1, attempts: 1 });
  queue.every(checkAudit, DAY_SECONDS, {});
  queue.define(recordAuditHeads, (_payload, log) => recordHeads({ ...deps, log }), { concurrency: 1, attempts: 1 });
  queue.every(recordAuditHeads, HOUR_SECONDS, {});
}

/** Recomputes every hotel's chain and stores the result; earlier results are deleted. */
export async function checkChains({ database, clock, log, secrets }: AuditCheckDeps): Promise<void> {
  const reports = await verifyChains(database, secrets.audit);
  const broken = reports.filter((report) => !isWhole(report));
  for (const { hotelId, brokenAt, endMissing, rewritten } of broken) {
    log.error({ hotelId, brokenAt, endMissing, rewritten }, "the audit chain is broken");
  }
  const entries = reports.reduce((sum, report) => sum + report.entries, 0);
  await database.pool.query(
    `WITH earlier AS (DELETE FROM audit_check)
      INSERT INTO audit_check (checked_at, entries, whole) VALUES ($1::timestamptz, $2::int, $3::boolean)`,
    [clock.now(), entries, broken.length === 0],
  );
  if (broken.length > 0) return;
  await storeHeads({ database, clock, log, secrets }, new Map(reports.map(({ hotelId, head }) => [hotelId, head])));
}

const CURRENT_HEADS = `SELECT hotel_id AS "hotelId", audit_seq::text AS seq, encode(audit_hash, 'hex') AS hash FROM hotel_state`;

/**
 * Runs between two full checks: verifies that the last recorded heads still exist, then records the current ones. If
 * something is wrong it runs the full check and records nothing, so that the next run finds the fault too.
 */
export async function recordHeads(deps: AuditCheckDeps): Promise<void> {
  const { pool } = deps.database;
  const before = await readHeads(pool, deps.secrets.audit);
  const { rows } = await pool.query<AuditHead & { hotelId: number }>(CURRENT_HEADS);
  const now = new Map(rows.map(({ hotelId, seq, hash }) => [hotelId, { seq, hash }]));
  const isUnchanged = before !== "unreadable" && (await doEntriesExist(pool, before ?? new Map(), now));
  if (isUnchanged) await storeHeads(deps, now, before ?? new Map());
  else await checkChains(deps);
}

/** Checks whether every hotel of `before` still exists, with the entry of its head. */
async function doEntriesExist(
  pool: Database["pool"],
  before: ReadonlyMap<number, AuditHead>,
  now: ReadonlyMap<number, AuditHead>,
): Promise<boolean> {
  for (const [hotelId, head] of before) {
    if (!now.has(hotelId) || !(await entryExists(pool, hotelId, head))) return false;
  }
  return true;
}

/**
 * Stores the heads, and logs a line for each hotel whose newest entry is not the one in `lastStored`. Where logs are shipped
 * elsewhere, an attacker who controls the database and this machine cannot undo these lines.
 */
async function storeHeads(
  { database, clock, log, secrets }: AuditCheckDeps,
  heads: ReadonlyMap<number, AuditHead>,
  lastStored: ReadonlyMap<number, AuditHead> = new Map(),
): Promise<void> {
  await writeHeads(database.pool, secrets.audit, heads, clock.now());
  // Written whatever the configured level, because a line that is not written protects nothing.
  const infoLog = log.child({}, { level: "info" });
  for (const [hotelId, { seq, hash }] of heads)
    if (lastStored.get(hotelId)?.seq !== seq) infoLog.info({ hotelId, seq, hash }, HEAD_MESSAGE);
}

/** Returns the latest check, or null if the audit was never checked. */
export async function lastAuditCheck({ pool }: Pick<Database, "pool">): Promise<AuditCheckResult | null> {
  const { rows } = await pool.query<AuditCheckResult>(
    `SELECT checked_at AS "checkedAt", whole FROM audit_check ORDER BY id DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

/** Returns the statement of the hotel's whole audit, newest first. */
export const auditListQuery = (): HotelQuery => ({
  text: `SELECT seq, at, actor_name AS "actorName", door, address, action, entity, entity_id AS "entityId", before, after
  FROM audit_entry WHERE hotel_id = $1 ORDER BY seq DESC`,
  values: [],
});
