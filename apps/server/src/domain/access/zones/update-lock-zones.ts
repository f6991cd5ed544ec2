import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { configureLocks } from "../locks/configure.ts";

/**
 * Which locks have the keys of which zones (table lock_zone). A lock of our own protocol gets the key of a zone as soon as
 * its door is in it. A lock whose door left, or that is reached in another way since, may open for the zone's cards until it
 * has confirmed its keys without it.
 */

/** The zones that each lock is to have. */
const WANTED = `SELECT l.id AS lock_id, z.id AS zone_id FROM zone z
    JOIN zone_door zd ON zd.zone_id = z.id
    JOIN door d ON d.id = zd.door_id AND d.deleted_at IS NULL
    JOIN lock l ON l.hotel_id = $1 AND l.door_id = d.id AND l.driver = 'mqtt' AND l.deleted_at IS NULL
   WHERE z.hotel_id = $1 AND z.deleted_at IS NULL`;

const ADD = `INSERT INTO lock_zone (hotel_id, lock_id, zone_id) SELECT $1::int, w.lock_id, w.zone_id FROM (${WANTED}) w
  ON CONFLICT (lock_id, zone_id) DO UPDATE SET left_at = NULL WHERE lock_zone.left_at IS NOT NULL
  RETURNING lock_id AS "lockId"`;

const LEAVE = `UPDATE lock_zone x SET left_at = $2::timestamptz
   WHERE x.hotel_id = $1 AND x.left_at IS NULL
     AND NOT EXISTS (SELECT FROM (${WANTED}) w WHERE w.lock_id = x.lock_id AND w.zone_id = x.zone_id)
  RETURNING x.lock_id AS "lockId"`;

/** Locks that never got keys have none to lose. */
const FORGET = `DELETE FROM lock_zone x USING lock l
   WHERE x.hotel_id = $1 AND x.left_at IS NOT NULL AND l.id = x.lock_id AND x.confirmed_at IS NULL
     AND l.driver = 'mqtt' AND l.access_hash IS NULL AND l.deleted_at IS NULL
  RETURNING x.lock_id AS "lockId"`;

/** Makes the keys of all locks follow the doors of the zones, after doors, zones or locks changed. */
export async function updateLockZones(scope: Scope, tx: Transaction): Promise<void> {
  const added = await tx.sql.rows<{ lockId: number }>(ADD);
  const left = await tx.sql.rows<{ lockId: number }>(LEAVE, scope.now().toISOString());
  await tx.sql.rows<{ lockId: number }>(FORGET);
  const lockIds = [...new Set([...added, ...left].map(({ lockId }) => lockId))].sort((a, b) => a - b);
  if (lockIds.length === 0) return;
  const connected = await tx.db.lock.findMany({
    where: { id: { in: lockIds }, accessHash: { not: null }, deletedAt: null },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  await configureLocks(
    scope,
    tx,
    connected.map(({ id }) => id),
  );
}

/** A lock that was removed opens for the zone's cards that were made before, until the last of them has ended. $2: now. */
const REMOVED = `SELECT x.lock_id AS "lockId", x.zone_id AS "zoneId" FROM lock_zone x JOIN lock l ON l.id = x.lock_id
   WHERE x.hotel_id = $1 AND l.deleted_at IS NOT NULL
     AND NOT EXISTS (SELECT FROM card c WHERE c.hotel_id = $1 AND c.kind = 'guest' AND NOT c.over_the_air
       AND x.zone_id = ANY (c.zones) AND c.state IN ('pending', 'active', 'revoking') AND c.created_at <= l.deleted_at
       AND coalesce(end_at_lock(c.valid_to, 'mqtt', l.drift_seconds, l.last_seen_at), 'infinity') > $2::timestamptz)`;

/** Forgets the zones of removed locks that no card opens by them any more. */
export async function forgetRemovedLocks(scope: Scope): Promise<void> {
  const rows = await scope.sql.rows<{ lockId: number; zoneId: number }>(REMOVED, scope.now().toISOString());
  if (rows.length === 0) return;
  await scope.write(async (tx) => {
    for (const { lockId, zoneId } of rows)
      await tx.db.lockZone.deleteMany({ where: { lockId, zoneId, lock: { deletedAt: { not: null } } } });
  });
}

/** Forgets the zones of a lock that opens no door any more. */
export async function forgetLock(tx: Transaction, lockId: number): Promise<void> {
  await tx.db.lockZone.deleteMany({ where: { lockId } });
}
