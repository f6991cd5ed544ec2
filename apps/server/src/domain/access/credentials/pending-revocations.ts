import { MAX_SEQUENCE } from "@innkey/shared/cards/record";
import type { RevokeReason } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/locks";
import type pg from "pg";
import type { z } from "zod";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseAlert, resolveAlerts } from "../../messaging/public.ts";
import { blockRevokedCards } from "../cards/refusals.ts";
import { selectLockForUpdate, tryNow } from "../lock-commands/commands.ts";
import { forgetLock } from "../zones/update-lock-zones.ts";
import { credentialContent, withVisibleLabel } from "./credential-content.ts";
import {
  END_AT_LOCK,
  enqueueRemoval,
  overrunningKeys,
  revokeCredentials,
  SAME_WINDOW_SECONDS,
  sendCredential,
} from "./credentials.ts";
import { settleCards } from "./min-sequences.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/**
 * Keys that should no longer open but still may, each with the lock that has not confirmed it. They are cards of view
 * card_risk, revoked credentials without a card in that view, credentials that have expired but not at their lock
 * (until `revokeOverrunning` revokes them), credentials that the lock has with too early a start, and those that it may have with hours that they no longer have. $2: the instant;
 * $3: rooms (null: all); $4 to $6: one lock, card or credential. Keys that expired by their lock's clock are excluded
 * (end_at_lock). Removed locks are included until then.
 */
const PENDING = `pending_revocation AS (
  SELECT 'card' AS of, c.id AS card_id, NULL::int AS credential_id, 'card'::credential_kind AS kind, shown_uid(c.uid, c.id_card) AS label, k.lock_id,
    coalesce(c.revoked_at, c.zones_revoked_at) AS revoked_at, coalesce(c.revoke_reason::text, 'zone_left') AS revoke_reason,
    CASE WHEN own.id IS NULL THEN c.valid_to ELSE furthest_end(own.valid_to, own.at_lock_from, own.at_lock_to) END AS valid_to,
    k.ends_at, own.id AS own_id,
    CASE c.kind WHEN 'guest' THEN 'floor:guest' ELSE 'floor:master' END AS floor
  FROM card_risk k
  JOIN card c ON c.id = k.card_id
  LEFT JOIN LATERAL (
    SELECT t.* FROM credential t WHERE t.card_id = c.id AND t.lock_id = k.lock_id AND t.state <> 'revoked' LIMIT 1
  ) own ON true
  WHERE k.hotel_id = $1
  UNION ALL
  SELECT 'credential', t.card_id, t.id, t.kind, coalesce(shown_uid(c.uid, c.id_card), p.person, f.note, ''), t.lock_id,
    t.revoked_at, t.revoke_reason::text, furthest_end(t.valid_to, t.at_lock_from, t.at_lock_to), ${END_AT_LOCK}, t.id, ''
  FROM credential t
  JOIN lock l ON l.id = t.lock_id
  LEFT JOIN card c ON c.id = t.card_id
  LEFT JOIN passcode p ON p.id = t.passcode_id
  LEFT JOIN face f ON f.id = t.face_id
  WHERE t.hotel_id = $1 AND t.state = 'revoking'
    AND NOT EXISTS (SELECT FROM card_risk k WHERE k.hotel_id = $1 AND k.card_id = t.card_id AND k.lock_id = t.lock_id)
  UNION ALL
  SELECT 'credential', t.card_id, t.id, t.kind, coalesce(shown_uid(c.uid, c.id_card), p.person, f.note, ''), t.lock_id,
    t.valid_to, 'period_over', furthest_end(t.valid_to, t.at_lock_from, t.at_lock_to), ${END_AT_LOCK}, t.id, ''
  FROM (${overrunningKeys("$2")}) o
  JOIN credential t ON t.id = o.id
  JOIN lock l ON l.id = t.lock_id
  LEFT JOIN card c ON c.id = t.card_id
  LEFT JOIN passcode p ON p.id = t.passcode_id
  LEFT JOIN face f ON f.id = t.face_id
  WHERE o."hotelId" = $1
  UNION ALL
  SELECT 'credential', t.card_id, t.id, t.kind, coalesce(shown_uid(c.uid, c.id_card), p.person, f.note, ''), t.lock_id,
    coalesce(n.created_at, t.created_at), 'moved_later', t.at_lock_to,
    end_at_lock(t.at_lock_to, l.driver, l.drift_seconds, l.last_seen_at), t.id, ''
  FROM credential t
  JOIN lock l ON l.id = t.lock_id
  LEFT JOIN card c ON c.id = t.card_id
  LEFT JOIN passcode p ON p.id = t.passcode_id
  LEFT JOIN face f ON f.id = t.face_id
  LEFT JOIN LATERAL (
    SELECT k.created_at FROM lock_command k WHERE k.lock_id = t.lock_id AND k.credential_id = t.id ORDER BY k.seq DESC LIMIT 1
  ) n ON true
  WHERE t.hotel_id = $1 AND t.state NOT IN ('revoking', 'revoked') AND t.valid_from > $2::timestamptz
    AND t.at_lock_from < t.valid_from - interval '${SAME_WINDOW_SECONDS} s'
  UNION ALL
  SELECT 'credential', t.card_id, t.id, t.kind, coalesce(shown_uid(c.uid, c.id_card), p.person, f.note, ''), t.lock_id,
    t.hours_changed_at, 'hours_changed', furthest_end(t.valid_to, t.at_lock_from, t.at_lock_to), ${END_AT_LOCK}, t.id, ''
  FROM credential t
  JOIN lock l ON l.id = t.lock_id
  LEFT JOIN card c ON c.id = t.card_id
  LEFT JOIN passcode p ON p.id = t.passcode_id
  LEFT JOIN face f ON f.id = t.face_id
  WHERE t.hotel_id = $1 AND t.hours_cut AND t.hours_changed_at IS NOT NULL AND t.state NOT IN ('revoking', 'revoked')
    AND (t.valid_to IS NULL OR t.valid_to > $2::timestamptz)
)`;

/** Keys that have not ended, at the doors of the caller's rooms $3 (null: all). */
const MAY_STILL_OPEN =
  "(g.ends_at IS NULL OR g.ends_at > $2::timestamptz) AND ($3::int[] IS NULL OR l.room_id = ANY ($3::int[]))";

const PENDING_REVOCATIONS = `WITH ${PENDING}
SELECT g.of || ':' || coalesce(g.credential_id, g.card_id) || ':' || g.lock_id AS key, g.kind::text AS kind, g.card_id AS "cardId",
  g.credential_id AS "credentialId", g.label, g.lock_id AS "lockId", l.room_id AS "roomId", coalesce(r.name, dr.name) AS "roomName",
  l.online, l.deleted_at IS NOT NULL AS "lockRemoved", iso(l.last_seen_at) AS "lastSeenAt", iso(g.revoked_at) AS since, g.revoke_reason AS reason,
  iso(g.valid_to) AS "validTo", o.name AS "overwrittenBy", iso(o.at) AS "overwrittenAt", CASE WHEN t.state IN ('queued', 'sent') THEN iso(t.next_try_at) END AS "nextTryAt",
  t.error::text AS error
FROM pending_revocation g
JOIN lock l ON l.id = g.lock_id
LEFT JOIN room r ON r.id = l.room_id
LEFT JOIN door dr ON dr.id = l.door_id
LEFT JOIN LATERAL (
  SELECT n.confirmed_at AS at, coalesce(p.name, '') AS name FROM card n LEFT JOIN operator p ON p.id = n.issued_by_id
  WHERE g.of = 'card' AND n.hotel_id = $1 AND n.uid = g.label AND n.id > g.card_id AND n.confirmed_at IS NOT NULL AND NOT n.over_the_air
  ORDER BY n.id DESC LIMIT 1
) o ON true
LEFT JOIN LATERAL (
  SELECT k.state, k.next_try_at, k.error FROM lock_command k
  WHERE k.lock_id = g.lock_id AND k.created_at >= g.revoked_at AND k.state NOT IN ('superseded', 'acknowledged')
    AND (k.credential_id = g.own_id OR (g.own_id IS NULL AND k.subject IN (g.floor, 'card:' || g.label)))
  ORDER BY k.state IN ('queued', 'sent') DESC, k.seq DESC LIMIT 1
) t ON true
WHERE ${MAY_STILL_OPEN}
  AND ($4::int IS NULL OR g.lock_id = $4) AND ($5::int IS NULL OR g.card_id = $5)
  AND ($6::int IS NULL OR g.own_id = $6)
ORDER BY r.sort NULLS LAST, r.name, dr.name, g.revoked_at, key`;

const COUNT_PENDING_REVOCATIONS = `WITH ${PENDING}
  SELECT count(*)::int AS keys FROM pending_revocation g JOIN lock l ON l.id = g.lock_id WHERE ${MAY_STILL_OPEN}`;

type PendingRevocationFilter = Partial<Input<typeof schema.pendingRevocationRef>>;

function selectPendingRevocations(
  scope: Scope,
  sql: HotelSql,
  filter: PendingRevocationFilter,
): Promise<schema.PendingRevocation[]> {
  const { lockId = null, cardId = null, credentialId = null } = filter;
  return sql.rows<schema.PendingRevocation>(
    PENDING_REVOCATIONS,
    scope.now().toISOString(),
    scope.roomIds,
    lockId,
    cardId,
    credentialId,
  );
}

/** Counts the keys that may still open, by lock. */
export async function countPendingRevocations(scope: Scope): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  for (const { lockId } of await selectPendingRevocations(scope, scope.sql, {}))
    counts.set(lockId, (counts.get(lockId) ?? 0) + 1);
  return counts;
}

/** Counts what `listPendingRevocations` lists. @throws no_permission */
export async function countAllPendingRevocations(scope: Scope): Promise<number> {
  scope.require("locks.view");
  const [count] = await scope.sql.prepared<{ keys: number }>(
    "pending-revocations",
    COUNT_PENDING_REVOCATIONS,
    scope.now().toISOString(),
    scope.roomIds,
  );
  return count?.keys ?? 0;
}

/**
 * Lists revoked keys that may still open a door, with the state of their revocation. Staff see the doors of their
 * rooms. A key has its label only for callers who may see keys of its kind. @throws no_permission
 */
export async function listPendingRevocations(scope: Scope): Promise<schema.PendingRevocation[]> {
  scope.require("locks.view");
  return (await selectPendingRevocations(scope, scope.sql, {})).map((row) => withVisibleLabel(scope, row));
}

/**
 * Returns the keys among these cards and credentials that may still open a door. The caller has checked the
 * permission.
 */
export async function pendingRevocationsAmong(
  scope: Scope,
  keys: { cardIds: ReadonlySet<number>; credentialIds: ReadonlySet<number> },
): Promise<schema.PendingRevocation[]> {
  if (keys.cardIds.size + keys.credentialIds.size === 0) return [];
  return (await selectPendingRevocations(scope, scope.sql, {})).filter(
    ({ cardId, credentialId }) =>
      (cardId !== null && keys.cardIds.has(cardId)) || (credentialId !== null && keys.credentialIds.has(credentialId)),
  );
}

/** Returns the doors that a card may still open though it was revoked. The caller has checked the permission. */
export const pendingRevocationsOfCard = (scope: Scope, cardId: number): Promise<schema.PendingRevocation[]> =>
  selectPendingRevocations(scope, scope.sql, { cardId });

/**
 * Retries the revocation of a staff card or master key card at once at all locks that have not confirmed it. @throws
 * no_permission; not_found for another card, one that was not revoked, and for staff of certain rooms
 */
export async function resendCardRevocation(
  scope: Scope,
  { cardId }: { cardId: number },
): Promise<Input<typeof schema.retryOutput>> {
  scope.require("locks.retry");
  if (scope.roomIds !== null) throw new DomainError("not_found");
  return scope.write(async (tx) => {
    const where = { id: cardId, kind: { not: "guest" as const }, revokedAt: { not: null } };
    if (!(await tx.db.card.findFirst({ where, select: { id: true } }))) throw new DomainError("not_found");
    const rows = (await selectPendingRevocations(scope, tx.sql, { cardId })).filter(({ lockRemoved }) => !lockRemoved);
    if (rows.length === 0) return { retried: 0 };
    for (const row of rows.toSorted((a, b) => a.lockId - b.lockId)) {
      await resendCommands(scope, tx, row);
      await tryNow(scope, tx, row.lockId);
    }
    tx.audit({ action: "card.retry", entity: "card", entityId: cardId, after: { locks: rows.length } });
    return { retried: rows.length };
  });
}

/**
 * Retries the revocation of a key at once and closes the lock's breaker. If no command is open, a new one is written.
 * @throws no_permission; not_found if the key is not, or no longer, a risk at that lock
 */
export async function resendRevocation(
  scope: Scope,
  ref: Input<typeof schema.pendingRevocationRef>,
): Promise<Input<typeof schema.retryOutput>> {
  scope.require("locks.retry");
  return scope.write(async (tx) => {
    const rows = (await selectPendingRevocations(scope, tx.sql, ref)).filter(({ lockRemoved }) => !lockRemoved);
    if (rows.length === 0) throw new DomainError("not_found");
    for (const row of rows) await resendCommands(scope, tx, row);
    await tryNow(scope, tx, ref.lockId);
    tx.audit({ action: "lock.retry", entity: "lock", entityId: ref.lockId, after: { keys: rows.length } });
    return { retried: rows.length };
  });
}

/**
 * Removes the keys of a removed lock from the list, after a user confirms that the lock opens no door any more. Keys
 * without an end would stay on the list for ever. @throws no_permission; not_found unless the lock was removed and
 * still has such keys
 */
export async function writeOffKeys(
  scope: Scope,
  { lockId }: Input<typeof schema.lockRef>,
): Promise<Input<typeof schema.writtenOff>> {
  scope.require("locks.manage");
  return scope.write(async (tx) => {
    await tx.sql.rows("SELECT id FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", lockId);
    const rows = (await selectPendingRevocations(scope, tx.sql, { lockId })).filter(({ lockRemoved }) => lockRemoved);
    if (rows.length === 0) throw new DomainError("not_found");
    await writeOffRemovedLock(scope, tx, lockId);
    tx.audit({ action: "lock.write_off", entity: "lock", entityId: lockId, after: { keys: rows.length } });
    return { keys: rows.length };
  });
}

/** The lock ($2) may have what it didn't confirm to have removed, if it ever comes back (`reopenRevocations`). */
const WRITE_OFF = `UPDATE credential SET state = 'revoked', at_lock_from = coalesce(at_lock_from, valid_from),
    at_lock_to = CASE WHEN at_lock_from IS NULL THEN valid_to ELSE at_lock_to END
  WHERE hotel_id = $1 AND lock_id = $2::int AND state = 'revoking' RETURNING id`;

/**
 * Settles everything that a removed lock may still open for. The caller has checked the permission, and was assured that the
 * lock opens no door any more. If the lock comes back, it refuses all cards made until then, and its list is cleared (`reviveLock`).
 */
export async function writeOffRemovedLock(scope: Scope, tx: Transaction, lockId: number): Promise<void> {
  await tx.sql.rows(WRITE_OFF, lockId);
  // A floor above the highest sequence refuses every card.
  await tx.db.lock.updateMany({ where: { id: lockId }, data: { guestFloor: MAX_SEQUENCE + 1 } });
  await forgetLock(tx, lockId);
  await settleCards(scope, tx);
}

/** A guest card is always blocked by its number, because a waiting raise_floor may not be high enough for it. */
async function resendCommands(scope: Scope, tx: Transaction, row: schema.PendingRevocation): Promise<void> {
  const { lockId, cardId, credentialId, nextTryAt, reason } = row;
  const where = credentialId === null ? { cardId } : { id: credentialId };
  if ((reason === "moved_later" || reason === "hours_changed") && credentialId !== null) {
    if (nextTryAt === null) await resendCredential(scope, tx, credentialId);
    return;
  }
  const credentials = await tx.db.credential.findMany({ where: { ...where, lockId, state: "revoking" } });
  if (nextTryAt === null) for (const credential of credentials) await enqueueRemoval(scope, tx, credential);
  if (credentials.length > 0 || cardId === null) return;
  await blockRevokedCards(scope, tx, { id: cardId });
}

async function resendCredential(scope: Scope, tx: Transaction, id: number): Promise<void> {
  const credential = await tx.db.credential.update({ where: { id }, data: { state: "queued", failReason: null } });
  await sendCredential(scope, tx, credential, await credentialContent(scope, tx, credential));
}

/** The next sweep revokes the rest. */
const MAX_REVOKED_PER_SWEEP = 200;

interface OverrunningKey {
  id: number;
  hotelId: number;
  lockId: number;
}

/**
 * Revokes expired credentials that their locks still accept, so that they are listed as keys not yet blocked until the
 * lock has removed them. Returns the number of credentials found.
 */
export async function revokeOverrunning(pool: pg.Pool, scopes: SystemScopes, now: Date): Promise<number> {
  const { rows } = await pool.query<OverrunningKey>(
    `${overrunningKeys("$1")} ORDER BY 2, 3, 1 LIMIT ${MAX_REVOKED_PER_SWEEP}`,
    [now.toISOString()],
  );
  for (const { id, hotelId, lockId } of rows) {
    const scope = await scopes(hotelId);
    await scope?.write(async (tx) => {
      if (!(await selectLockForUpdate(tx, lockId))) return;
      // The credential may have been extended or revoked since the list was read.
      const overrunning = await tx.sql.rows(
        `${overrunningKeys("$2")} WHERE "hotelId" = $1 AND id = $3::int`,
        scope.now().toISOString(),
        id,
      );
      if (overrunning.length === 0) return;
      await revokeCredentials(scope, tx, { id }, "period_over");
      await settleCards(scope, tx);
    });
  }
  return rows.length;
}

/**
 * Live credentials of cards and stays that ended, of removed codes and faces, and at removed locks. Whatever ends one of these
 * revokes its credentials too, so there are such only after two writes at the same time.
 */
const ENDED_KEYS = `SELECT t.id, t.hotel_id AS "hotelId",
    CASE WHEN c.revoked_at IS NOT NULL THEN coalesce(c.revoke_reason::text, 'by_hand') WHEN s.state = 'checked_out' THEN 'checked_out'
      WHEN s.state NOT IN ('reserved', 'checked_in') THEN 'cancelled' WHEN l.deleted_at IS NOT NULL THEN 'lock_moved' ELSE 'by_hand' END AS reason
  FROM credential t JOIN lock l ON l.id = t.lock_id
  LEFT JOIN card c ON c.id = t.card_id AND c.state IN ('revoking', 'revoked')
  LEFT JOIN stay s ON s.id = t.stay_id
  LEFT JOIN passcode p ON p.id = t.passcode_id
  LEFT JOIN face f ON f.id = t.face_id
 WHERE t.state NOT IN ('revoking', 'revoked')
   AND (c.id IS NOT NULL OR s.state NOT IN ('reserved', 'checked_in') OR l.deleted_at IS NOT NULL
     OR p.deleted_at IS NOT NULL OR f.deleted_at IS NOT NULL)
 ORDER BY t.hotel_id, t.lock_id, t.id LIMIT ${MAX_REVOKED_PER_SWEEP}`;

/**
 * Revokes live credentials of whatever has ended, so that no key stays live for good whichever writes met. Returns the number
 * of credentials found.
 */
export async function revokeEnded(pool: pg.Pool, scopes: SystemScopes): Promise<number> {
  const { rows } = await pool.query<{ id: number; hotelId: number; reason: RevokeReason }>(ENDED_KEYS);
  for (const hotelId of new Set(rows.map((row) => row.hotelId))) {
    const scope = await scopes(hotelId);
    await scope?.write(async (tx) => {
      for (const { id, reason } of rows.filter((row) => row.hotelId === hotelId))
        await revokeCredentials(scope, tx, { id }, reason);
      await settleCards(scope, tx);
    });
  }
  return rows.length;
}

/** Most locks that are silent for less than this time in milliseconds come back without help. */
const SILENT_MS = 5 * 60_000;

/**
 * Locks that are unreachable, and locks with an open alert. Removed locks are left out: the person who removed a lock
 * knows about its keys, and they stay on the list.
 */
const SUSPECT_LOCKS = `
SELECT l.hotel_id AS "hotelId", l.id AS "lockId", l.room_id AS "roomId", m.id IS NOT NULL AS "isRaised",
  (m.params->>'keys')::int AS "raisedKeys",
  (NOT l.online OR l.breaker_opened_at IS NOT NULL) AND coalesce(l.last_seen_at, l.created_at) < $1::timestamptz AS "isSilent"
  FROM lock l
  LEFT JOIN alert m ON m.hotel_id = l.hotel_id AND m.lock_id = l.id AND m.kind = 'residual_keys' AND m.resolved_at IS NULL
 WHERE l.deleted_at IS NULL AND l.configured_at IS NOT NULL
   AND (m.id IS NOT NULL
     OR (NOT l.online OR l.breaker_opened_at IS NOT NULL) AND coalesce(l.last_seen_at, l.created_at) < $1::timestamptz)
 ORDER BY 1, 2`;

interface SuspectLock {
  hotelId: number;
  lockId: number;
  roomId: number | null;
  isRaised: boolean;
  raisedKeys: number | null;
  isSilent: boolean;
}

/**
 * Raises an alert for each lock that has been unreachable for a while and may still open for keys that should no longer
 * work. Resolves the alert when no such key is left. More keys than before count as a new cause; fewer change nothing.
 */
export async function alertPendingRevocations(pool: pg.Pool, scopes: SystemScopes, now: Date): Promise<void> {
  const silentSince = new Date(now.getTime() - SILENT_MS).toISOString();
  const { rows } = await pool.query<SuspectLock>(SUSPECT_LOCKS, [silentSince]);
  for (const hotelId of new Set(rows.map((suspect) => suspect.hotelId))) {
    const scope = await scopes(hotelId);
    if (!scope) continue;
    const counts = await countPendingRevocations(scope);
    for (const { lockId, roomId, isRaised, raisedKeys, isSilent } of rows.filter((one) => one.hotelId === hotelId)) {
      const keys = counts.get(lockId) ?? 0;
      const isNew = keys > 0 && isSilent && (!isRaised || keys > (raisedKeys ?? 0));
      const isOver = keys === 0 && isRaised;
      if (!isNew && !isOver) continue;
      await scope.write(async (tx) => {
        if (!(await selectLockForUpdate(tx, lockId))) return;
        if (isOver) await resolveAlerts(scope, tx, { kind: "residual_keys", lockId });
        else await raiseAlert(scope, tx, { kind: "residual_keys", lockId, roomId, params: { keys } });
      });
    }
  }
}
