import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { MEMBER } from "../two-step/factors.ts";

/** How long a browser stays known after the last login in it, in seconds. Its cookie lives as long. */
export const DEVICE_SECONDS = 180 * 86_400;
/** Limit per operator; a new browser replaces the one used longest ago. */
const MAX_DEVICES = 20;

const hashOf = (token: string): Buffer<ArrayBuffer> => createHash("sha256").update(`device:${token}`).digest();

/** Returns 256 random bits that identify a browser, whoever logs in with it. */
export const newDeviceToken = (): string => randomBytes(32).toString("base64url");

/** Returns the id of a browser in which the operator logged in before; null if unknown, expired or forgotten. */
export async function findKnownDevice(
  { pool }: Pick<Database, "pool">,
  clock: Clock,
  operatorId: number,
  token: string,
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id::text FROM known_device WHERE operator_id = $1 AND token_hash = $2 AND expires_at > $3",
    [operatorId, hashOf(token), clock.now()],
  );
  return rows[0]?.id ?? null;
}

/** Records that the operator logged in with this browser. Returns the browser's id. */
export async function rememberDevice(
  tx: Transaction,
  operatorId: number,
  token: string,
  now: Date,
): Promise<string | null> {
  const [device] = await tx.sql.rows<{ id: string }>(
    `INSERT INTO known_device (id, operator_id, token_hash, created_at, last_used_at, expires_at)
      SELECT $3::uuid, $2::int, $4, $5, $5, $6 WHERE ${MEMBER}
      ON CONFLICT (operator_id, token_hash) DO UPDATE SET last_used_at = $5, expires_at = $6 RETURNING id::text`,
    operatorId,
    randomUUID(),
    hashOf(token),
    now,
    new Date(now.getTime() + DEVICE_SECONDS * 1000),
  );
  await tx.sql.rows(
    `DELETE FROM known_device WHERE operator_id = $2::int AND ${MEMBER} AND (expires_at <= $4 OR id NOT IN (
        SELECT id FROM known_device WHERE operator_id = $2::int ORDER BY (id = $5::uuid) DESC, last_used_at DESC
          LIMIT $3::int)) RETURNING id::text`,
    operatorId,
    MAX_DEVICES,
    now,
    device?.id ?? null,
  );
  return device?.id ?? null;
}

/** Forgets the browser of a session that its operator ended by hand. */
export async function forgetDeviceOf(tx: Transaction, operatorId: number | null, sessionId: string): Promise<void> {
  await tx.sql.rows(
    `DELETE FROM known_device WHERE operator_id = $2::int AND ${MEMBER}
      AND id = (SELECT device_id FROM session WHERE id = $3::uuid AND operator_id = $2::int) RETURNING id::text`,
    operatorId,
    sessionId,
  );
}
