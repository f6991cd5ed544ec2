import type { Credential } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { type AccessWindow, accessWindow } from "./key-period.ts";

/**
 * What happened last with each code, face and card by number at a room's door ($2) decides whether it waits for the next
 * lock: its lock left, and nothing ended it since. A key of a stay waits only while the stay is live and in the room; at
 * an additional door, in which the stay never was, while it is live. A code whose stay moved into the room while there was
 * no lock to accept it waits too.
 */
const WAITING = `WITH last AS (
    SELECT DISTINCT ON (t.card_id, t.passcode_id, t.face_id) t.* FROM credential t
     WHERE t.hotel_id = $1 AND t.room_id = $2::int
     ORDER BY t.card_id, t.passcode_id, t.face_id, t.state NOT IN ('revoking', 'revoked') DESC, t.revoked_at DESC NULLS LAST, t.id DESC)
  SELECT t.id FROM last t
  LEFT JOIN passcode p ON p.id = t.passcode_id
  LEFT JOIN face f ON f.id = t.face_id
  LEFT JOIN card c ON c.id = t.card_id
  LEFT JOIN stay_now s ON s.hotel_id = $1 AND s.id = t.stay_id
  WHERE t.state IN ('revoking', 'revoked') AND t.revoke_reason = 'lock_moved'
    AND p.deleted_at IS NULL AND f.deleted_at IS NULL AND p.type IS DISTINCT FROM 'one_time'
    AND (c.id IS NULL OR c.over_the_air AND c.state = 'active')
    AND (t.stay_id IS NULL OR s.state IN ('reserved', 'checked_in') AND (s.room_id = $2::int OR t.stay_id = $3::int
      OR NOT EXISTS (SELECT FROM occupancy o WHERE o.stay_id = t.stay_id AND o.room_id = $2::int)))
  UNION
  SELECT moved.id FROM (
    SELECT DISTINCT ON (t.passcode_id) t.id, t.passcode_id FROM stay_now s
      JOIN passcode p ON p.hotel_id = $1 AND p.stay_id = s.id AND p.deleted_at IS NULL AND p.type <> 'one_time' AND p.room_id <> $2::int
      JOIN credential t ON t.passcode_id = p.id AND t.room_id = p.room_id AND t.revoke_reason = 'room_changed'
     WHERE s.hotel_id = $1 AND s.state IN ('reserved', 'checked_in') AND s.room_id = $2::int
       AND s.id IN (SELECT o.stay_id FROM occupancy o WHERE o.hotel_id = $1 AND o.room_id = $2::int AND o.state IN ('held', 'in_house'))
       AND EXISTS (SELECT FROM occupancy o WHERE o.stay_id = s.id AND o.room_id = p.room_id)
     ORDER BY t.passcode_id, t.id DESC) moved
   WHERE NOT EXISTS (SELECT FROM credential x WHERE x.passcode_id = moved.passcode_id AND x.room_id = $2::int
     AND x.state NOT IN ('revoking', 'revoked'))`;

/**
 * Locks the rows of live stays that are to be in a room, or have or had keys of it, so that their keys don't change until
 * the transaction ends. Stays are locked before rooms and locks.
 */
export async function selectStaysWithKeys(tx: Transaction, roomId: number): Promise<void> {
  await tx.sql.rows(
    `SELECT s.id FROM stay s WHERE s.hotel_id = $1 AND s.state IN ('reserved', 'checked_in')
        AND (EXISTS (SELECT FROM credential t WHERE t.stay_id = s.id AND t.room_id = $2::int)
          OR EXISTS (SELECT FROM occupancy o WHERE o.stay_id = s.id AND o.room_id = $2::int AND o.state IN ('held', 'in_house')))
      ORDER BY s.id FOR NO KEY UPDATE OF s`,
    roomId,
  );
}

/**
 * Returns the keys of a room that wait for its next lock: codes, faces and cards by number, the newest first. Their
 * stays are locked, so that none of them leaves before the transaction ends. `leavingStayId`: a stay that has its next
 * room already.
 */
export async function selectWaitingKeys(
  tx: Transaction,
  roomId: number,
  leavingStayId: number | null = null,
): Promise<Credential[]> {
  await selectStaysWithKeys(tx, roomId);
  const waiting = await tx.sql.rows<{ id: number }>(WAITING, roomId, leavingStayId);
  return tx.db.credential.findMany({ where: { id: { in: waiting.map(({ id }) => id) } }, orderBy: { id: "desc" } });
}

/**
 * Changes the period of a stay's keys that wait for a lock, as `adjustAccess` does at locks. A code's period is that of its
 * passcode, because its rows belong to the lock that left.
 */
export async function changeWaitingPeriods(
  tx: Transaction,
  stayId: number,
  periodOf: (key: { validFrom: Date; validTo: Date }) => { validFrom: Date; validTo: Date },
): Promise<void> {
  const waiting = {
    stayId,
    state: { in: ["revoking" as const, "revoked" as const] },
    revokeReason: "lock_moved" as const,
  };
  const period = { id: true, validFrom: true, validTo: true };
  const credentials = await tx.db.credential.findMany({
    where: { ...waiting, validTo: { not: null }, codeHash: null },
    select: period,
  });
  for (const { id, validFrom, validTo } of credentials) {
    if (validTo) await tx.db.credential.update({ where: { id }, data: periodOf({ validFrom, validTo }) });
  }
  const passcodes = await tx.db.passcode.findMany({
    where: {
      ...{ stayId, deletedAt: null, validTo: { not: null }, type: { not: "one_time" } },
      AND: [{ credentials: { some: waiting } }, { credentials: { none: { state: { notIn: waiting.state.in } } } }],
    },
    select: period,
  });
  for (const { id, validFrom, validTo } of passcodes) {
    if (validTo) await tx.db.passcode.update({ where: { id }, data: periodOf({ validFrom, validTo }) });
  }
}

/** Returns the period in which a key that waited opens its door now; null: it is over. */
export async function periodNow(
  scope: Scope,
  tx: Transaction,
  { stayId, passcodeId, validFrom, validTo }: Credential,
): Promise<AccessWindow | null> {
  const passcode = passcodeId === null ? null : await tx.db.passcode.findFirstOrThrow({ where: { id: passcodeId } });
  const own: AccessWindow = passcode ?? { validFrom, validTo };
  const stay = stayId === null ? null : await tx.db.stay.findFirstOrThrow({ where: { id: stayId } });
  const period = stay ? periodInStay(scope, own, stay) : { validFrom: own.validFrom, validTo: own.validTo };
  return period.validTo !== null && period.validTo <= scope.now() ? null : period;
}

function periodInStay(
  scope: Scope,
  { validFrom, validTo }: AccessWindow,
  { state, startsAt, endsAt }: { state: string; startsAt: Date; endsAt: Date },
): AccessWindow {
  const stay = accessWindow(scope.hotel, { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() });
  const end = validTo && (validTo < stay.validTo ? validTo : stay.validTo);
  const now = scope.now();
  const isEarly = state === "checked_in" && now < stay.validFrom && validFrom <= stay.validFrom;
  if (isEarly) return { validFrom: validFrom < now ? validFrom : now, validTo: end };
  const start = state === "reserved" && validFrom < stay.validFrom ? stay.validFrom : validFrom;
  return { validFrom: start, validTo: end };
}
