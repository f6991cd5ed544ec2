import { DomainError } from "@innkey/shared/errors";
import type {
  LockDisplayTextInput,
  LockDisplayTextResult,
  LockDisplayTextState,
} from "@innkey/shared/schemas/messaging";
import type { Scope } from "../../../kernel/scope.ts";
import { FREE_TEXTS, masked, type Transaction } from "../../../kernel/transaction.ts";
import { lockRooms, setBulletin } from "../../property/public.ts";
import { enqueueAll } from "../lock-commands/commands.ts";

/** A text that could not be shown within a day is outdated. */
const TEXT_LIFETIME_MS = 86_400_000;

/** SQL for the reason why a lock can't show text; null: it can. Only locks of our own protocol have a display. */
const REASON_NO_DISPLAY = `CASE WHEN l.id IS NULL THEN 'no_lock' WHEN l.driver <> 'mqtt' THEN 'no_display'
  WHEN l.configured_at IS NULL THEN 'not_set_up' END`;

/** Queues a text for the displays of locks. A newer text replaces an unsent one. */
export async function enqueueDisplayText(
  scope: Scope,
  tx: Transaction,
  lockIds: readonly number[],
  text: string,
): Promise<void> {
  const expiresAt = new Date(scope.now().getTime() + TEXT_LIFETIME_MS);
  const sortedLockIds = lockIds.toSorted((a, b) => a - b);
  await enqueueAll(scope, tx, sortedLockIds, { type: "notice", subject: "notice", args: { text }, expiresAt });
}

/** Sends a room's bulletin to its lock, if the lock can show it. */
export async function showBulletin(scope: Scope, tx: Transaction, roomId: number, text: string): Promise<void> {
  const locks = await tx.sql.rows<{ id: number }>(
    "SELECT id FROM lock WHERE hotel_id = $1 AND room_id = $2::int AND driver = 'mqtt' AND configured_at IS NOT NULL",
    roomId,
  );
  await enqueueDisplayText(
    scope,
    tx,
    locks.map(({ id }) => id),
    text,
  );
}

interface RoomDisplay {
  id: number;
  name: string;
  bulletin: string;
  lockId: number | null;
  cannot: LockDisplayTextResult["cannot"][number]["reason"] | null;
}

/**
 * Shows a text on the locks of rooms and stores it as the rooms' bulletin. Returns which locks can't show it. @throws
 * not_found
 */
export async function showTextInRooms(
  scope: Scope,
  tx: Transaction,
  roomIds: readonly number[],
  text: string,
): Promise<LockDisplayTextResult> {
  if (roomIds.length === 0) return { told: 0, cannot: [] };
  await lockRooms(scope, tx, roomIds);
  const rooms = await tx.sql.rows<RoomDisplay>(
    `SELECT r.id, r.name, r.bulletin, l.id AS "lockId", ${REASON_NO_DISPLAY} AS cannot
       FROM room r LEFT JOIN lock l ON l.hotel_id = r.hotel_id AND l.room_id = r.id
      WHERE r.hotel_id = $1 AND r.id = ANY ($2::int[]) ORDER BY r.sort, r.id`,
    roomIds,
  );
  await setBulletin(tx, roomIds, text);
  const lockIds = rooms.flatMap(({ lockId, cannot }) => (lockId !== null && cannot === null ? [lockId] : []));
  await enqueueDisplayText(scope, tx, lockIds, text);
  for (const { id, bulletin } of rooms) {
    const change = { before: masked({ bulletin }, FREE_TEXTS), after: masked({ bulletin: text }, FREE_TEXTS) };
    tx.audit({ action: "room.notice", entity: "room", entityId: id, ...change });
  }
  const cannot = rooms.flatMap(({ id, name, cannot: reason }) =>
    reason ? [{ roomId: id, roomName: name, reason }] : [],
  );
  return { told: lockIds.length, cannot };
}

/**
 * Shows one text on the displays of chosen rooms, of groups, or of all rooms with a lock. For groups and all rooms,
 * those that the caller may not see are left out. An empty text clears the displays. @throws no_permission; not_found
 * for a room or group
 */
export async function sendLockDisplayText(
  scope: Scope,
  { to, text }: LockDisplayTextInput,
): Promise<LockDisplayTextResult> {
  scope.require("locks.open");
  if (to.kind === "rooms") for (const roomId of to.roomIds) scope.requireRoom(roomId);
  return scope.write(async (tx) => {
    const roomIds = await selectRoomIds(scope, tx, to);
    const result = await showTextInRooms(scope, tx, roomIds, text);
    if (roomIds.length > 0) {
      tx.audit({
        action: "hotel.notice",
        entity: "hotel",
        entityId: scope.hotelId,
        after: masked({ text, rooms: roomIds.length, told: result.told }, FREE_TEXTS),
      });
    }
    return result;
  });
}

async function selectRoomIds(scope: Scope, tx: Transaction, to: LockDisplayTextInput["to"]): Promise<number[]> {
  if (to.kind === "rooms") return [...new Set(to.roomIds)];
  const groupIds = to.kind === "groups" ? [...new Set(to.groupIds)] : null;
  if (groupIds) {
    const groups = await tx.db.roomGroup.findMany({ where: { id: { in: groupIds } }, select: { id: true } });
    if (groups.length !== groupIds.length) throw new DomainError("not_found");
  }
  const rooms = await tx.sql.rows<{ id: number }>(
    `SELECT r.id FROM room r WHERE r.hotel_id = $1 AND r.deleted_at IS NULL
        AND ($2::int[] IS NULL OR r.id = ANY ($2::int[])) AND ($3::int[] IS NULL OR r.group_id = ANY ($3::int[]))
        AND ($3::int[] IS NOT NULL OR EXISTS (SELECT FROM lock l WHERE l.hotel_id = $1 AND l.room_id = r.id))
      ORDER BY r.id`,
    scope.roomIds,
    groupIds,
  );
  return rooms.map(({ id }) => id);
}

/** Lists every room with a lock: its text, and whether the lock shows it. @throws no_permission */
export async function listLockDisplayTexts(scope: Scope): Promise<LockDisplayTextState[]> {
  scope.require("locks.view");
  return scope.sql.rows<LockDisplayTextState>(
    `SELECT r.id AS "roomId", r.name AS "roomName", r.group_id AS "groupId", r.bulletin AS text, ${REASON_NO_DISPLAY} AS cannot,
       l.online, k.state::text AS state, iso(coalesce(k.ended_at, k.sent_at, k.created_at)) AS at,
       coalesce(k.error::text, '') AS error,
       CASE WHEN k.state IN ('queued', 'sent') THEN iso(k.next_try_at) END AS "nextTryAt"
     FROM room r
     JOIN lock l ON l.hotel_id = r.hotel_id AND l.room_id = r.id
     LEFT JOIN LATERAL (
       SELECT c.state, c.ended_at, c.sent_at, c.created_at, c.error, c.next_try_at FROM lock_command c
        WHERE c.hotel_id = $1 AND c.lock_id = l.id AND c.subject = 'notice' ORDER BY c.seq DESC LIMIT 1
     ) k ON true
     WHERE r.hotel_id = $1 AND r.deleted_at IS NULL AND ($2::int[] IS NULL OR r.id = ANY ($2::int[]))
     ORDER BY r.sort, r.id`,
    scope.roomIds,
  );
}
