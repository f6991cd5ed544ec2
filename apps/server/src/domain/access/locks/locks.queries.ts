import type { LockDriver } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { LOW_POWER_PERCENT } from "@innkey/shared/locks/lock-status";
import type * as schema from "@innkey/shared/schemas/access/locks";
import type { z } from "zod";
import type { HotelQuery, HotelReads, HotelWrites } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { withDisplayStatus, withVisibleLabel } from "../credentials/credential-content.ts";
import { CREDENTIAL_JOINS, credentialJson } from "../credentials/credentials.ts";
import { unmanagedOf } from "../lock-commands/compare-inventory.ts";

/**
 * Each lock counts once as online, offline or not set up. `low` (battery) and `stopped` (open breaker) are counted
 * separately.
 */
interface LockCounts {
  all: number;
  online: number;
  offline: number;
  notSetUp: number;
  low: number;
  stopped: number;
}

const having = (condition: string): string => `(count(*) FILTER (WHERE ${condition}))::int`;

/** $2: the rooms (null: all). */
const COUNTS = `
  SELECT count(*)::int AS "all",
    ${having("status = 'reachable'")} AS online,
    ${having("status = 'unreachable'")} AS offline,
    ${having("status = 'not_set_up'")} AS "notSetUp",
    ${having(`power < ${LOW_POWER_PERCENT}`)} AS low,
    ${having("breaker_opened_at IS NOT NULL")} AS stopped
  FROM (SELECT power, breaker_opened_at, lock_status(configured_at, online, driver, last_seen_at, last_error) AS status
    FROM lock WHERE hotel_id = $1 AND deleted_at IS NULL AND ($2::int[] IS NULL OR room_id = ANY ($2::int[]))) l`;

/** Counts the caller's locks. @throws no_permission */
export async function countLocks(scope: Scope): Promise<LockCounts> {
  scope.require("locks.view");
  const [counts] = await scope.sql.prepared<LockCounts>("lock-counts", COUNTS, scope.roomIds);
  if (!counts) throw new Error("the counts of the locks returned no row");
  return counts;
}

/** A lock in search results. */
export interface LockMatch {
  id: number;
  mac: string;
  bluetoothName: string;
  /** null: not on any room's door */
  roomId: number | null;
  /** name of the room or of the common door */
  roomName: string | null;
  power: number | null;
  online: boolean;
}

/**
 * Finds the caller's locks by room name, MAC address or Bluetooth name. Locks without a room are only found by callers
 * who see all rooms. @throws no_permission
 */
export async function findLocks(scope: Scope, keyword: string): Promise<LockMatch[]> {
  scope.require("locks.view");
  return scope.sql.rows<LockMatch>(
    `SELECT l.id, l.mac, l.bluetooth_name AS "bluetoothName", r.id AS "roomId", coalesce(r.name, dr.name) AS "roomName", l.power, l.online
       FROM lock l LEFT JOIN room r ON r.hotel_id = $1 AND r.id = l.room_id LEFT JOIN door dr ON dr.hotel_id = $1 AND dr.id = l.door_id
      WHERE l.hotel_id = $1 AND l.deleted_at IS NULL AND ($2::int[] IS NULL OR l.room_id = ANY ($2::int[]))
        AND ($3::text = '' OR r.name ILIKE $4::text OR dr.name ILIKE $4::text OR l.mac ILIKE $4::text OR l.bluetooth_name ILIKE $4::text)
      ORDER BY r.sort, r.name, l.id`,
    scope.roomIds,
    keyword,
    `%${keyword.replace(/[\\%_]/g, "\\$&")}%`,
  );
}

/** A lock as reported to other systems of the hotel. */
export interface HotelLock {
  mac: string;
  driver: LockDriver;
  /** null: not on any room's door */
  roomId: number | null;
  /** name of the room or of the common door */
  roomName: string | null;
}

/** Lists every lock of the hotel. @throws no_permission */
export async function listHotelLocks(scope: Scope): Promise<HotelLock[]> {
  scope.require("locks.view");
  return scope.sql.rows<HotelLock>(
    `SELECT l.mac, l.driver::text AS driver, l.room_id AS "roomId", coalesce(r.name, dr.name) AS "roomName"
     FROM lock l LEFT JOIN room r ON r.hotel_id = l.hotel_id AND r.id = l.room_id
     LEFT JOIN door dr ON dr.hotel_id = l.hotel_id AND dr.id = l.door_id
     WHERE l.hotel_id = $1 AND l.deleted_at IS NULL ORDER BY l.id`,
  );
}

type Input<S extends z.ZodType> = z.infer<S>;

const LOCK = `l.id, l.mac, l.bluetooth_name AS "bluetoothName", l.driver::text AS driver, l.address,
  l.room_id AS "roomId", l.door_id AS "doorId", coalesce(r.name, dr.name) AS "roomName", l.power, l.online, l.firmware, iso(l.last_seen_at) AS "lastSeenAt",
  l.drift_seconds AS "driftSeconds", iso(l.configured_at) AS "configuredAt",
  iso(l.breaker_opened_at) AS "breakerOpenedAt", iso(l.blocked_out_at) AS "blockedOutAt", l.last_error AS "lastError",
  b.weeks_left AS "weeksLeft",
  (SELECT count(*)::int FROM lock_command k WHERE k.lock_id = l.id AND k.state IN ('queued', 'sent')) AS waiting`;

/** Joins that LOCK needs: room `r` or common door `dr`, and battery `b`. */
const LOCK_PLACE = `LEFT JOIN room r ON r.hotel_id = $1 AND r.id = l.room_id LEFT JOIN door dr ON dr.hotel_id = $1 AND dr.id = l.door_id
  LEFT JOIN lock_battery b ON b.hotel_id = $1 AND b.lock_id = l.id`;

/**
 * $2: the rooms that the caller sees, null for all. Locks without a room are only visible to callers who see all rooms.
 */
const VISIBLE = `l.hotel_id = $1 AND l.deleted_at IS NULL AND ($2::int[] IS NULL OR l.room_id = ANY ($2::int[]))`;

/** As VISIBLE, with locks that were replaced, whose records and commands stay readable. */
const READABLE = `l.hotel_id = $1 AND (l.deleted_at IS NULL OR l.replaced_by_id IS NOT NULL)
  AND ($2::int[] IS NULL OR l.room_id = ANY ($2::int[]))`;

/** The lock in whose place lock `l` came last, and the one that took its place. A lock may come back under its old row. */
const EXCHANGES = `(SELECT json_build_object('lockId', o.id, 'mac', o.mac, 'at', iso(o.deleted_at)) FROM lock o
      WHERE o.hotel_id = $1 AND o.replaced_by_id = l.id AND o.deleted_at IS NOT NULL ORDER BY o.deleted_at DESC LIMIT 1) AS replaces,
  (SELECT json_build_object('lockId', o.id, 'mac', o.mac, 'at', iso(l.deleted_at)) FROM lock o
      WHERE o.hotel_id = $1 AND o.id = l.replaced_by_id) AS "replacedBy"`;

/** $3: ids in the order in which the browser shows them; null for all locks by room. */
const LIST = `SELECT ${LOCK} FROM lock l ${LOCK_PLACE}
  WHERE ${VISIBLE} AND ($3::int[] IS NULL OR l.id = ANY ($3::int[]))
  ORDER BY array_position($3::int[], l.id), r.sort, r.name, dr.name, l.id`;

/** Returns the statement of the list: of all the caller's locks by room, or of those with the ids, in their order. */
export function lockListQuery(scope: Scope, ids: readonly number[] | null = null): HotelQuery {
  return { text: LIST, values: [scope.roomIds, ids] };
}

/** Lists the hotel's locks by room. @throws no_permission */
export async function list(scope: Scope): Promise<Input<typeof schema.lockRows>> {
  scope.require("locks.view");
  const { text, values } = lockListQuery(scope);
  return scope.sql.rows<Input<typeof schema.lockRows>[number]>(text, ...values);
}

/** What has to be replaced first: low batteries, then by the estimate; those without one by their level. */
const BATTERIES = `SELECT l.id AS "lockId", l.room_id AS "roomId", coalesce(r.name, dr.name) AS "roomName", l.mac, r.floor,
    ARRAY(SELECT z.name FROM zone_door zd JOIN zone z ON z.id = zd.zone_id AND z.deleted_at IS NULL
      WHERE zd.door_id = l.door_id ORDER BY z.name) AS zones,
    l.power, b.weeks_left AS "weeksLeft", iso(l.last_seen_at) AS "lastSeenAt"
  FROM lock l ${LOCK_PLACE}
  WHERE ${VISIBLE}
  ORDER BY l.power < ${LOW_POWER_PERCENT} DESC NULLS LAST, b.weeks_left NULLS LAST, l.power NULLS LAST, r.sort, r.name, dr.name, l.id`;

/** Lists the batteries of the hotel's locks, the most urgent first. @throws no_permission */
export async function listBatteries(scope: Scope): Promise<schema.BatteryRow[]> {
  scope.require("locks.view");
  return scope.sql.rows<schema.BatteryRow>(BATTERIES, scope.roomIds);
}

/** Returns the lock with this MAC address. @throws no_permission; not_found, also for a lock the caller can't see */
export async function readByMac(scope: Scope, mac: string): Promise<Input<typeof schema.lockRows>[number]> {
  const lock = (await list(scope)).find((row) => row.mac === mac);
  if (!lock) throw new DomainError("not_found");
  return lock;
}

const LABEL = "coalesce(nullif(card.note, ''), shown_uid(card.uid, card.id_card), p.person, f.note, '')";

const CREDENTIALS = `SELECT json_agg(${credentialJson(LABEL)} ORDER BY c.id DESC)
  FROM credential c ${CREDENTIAL_JOINS}
  LEFT JOIN card ON card.hotel_id = $1 AND card.id = c.card_id
  LEFT JOIN passcode p ON p.hotel_id = $1 AND p.id = c.passcode_id
  LEFT JOIN face f ON f.hotel_id = $1 AND f.id = c.face_id
  WHERE c.hotel_id = $1 AND c.lock_id = $3::int AND c.state <> 'revoked'`;

type DetailRow = Omit<Input<typeof schema.lockDetail>, "unmanaged"> & { unmanaged: unknown };

/**
 * Returns one lock with our credentials and the foreign ones that are not adopted, also one that was replaced. A credential has its label only for
 * callers who may see credentials of its kind. @throws no_permission, not_found
 */
export async function detail(scope: Scope, { lockId }: Input<typeof schema.lockRef>) {
  scope.require("locks.view");
  const [lock] = await scope.sql.rows<DetailRow>(
    `SELECT ${LOCK}, greatest(l.otp_next - l.otp_floor, 0)::int AS "unusedCodes", iso(l.read_back_at) AS "readBackAt",
        l.unmanaged, ${EXCHANGES}, coalesce((${CREDENTIALS}), '[]') AS credentials
       FROM lock l ${LOCK_PLACE}
      WHERE ${READABLE} AND l.id = $3::int`,
    scope.roomIds,
    lockId,
  );
  if (!lock) throw new DomainError("not_found");
  const credentials = lock.credentials.map((row) => withDisplayStatus(scope, withVisibleLabel(scope, row)));
  return { ...lock, credentials, unmanaged: unmanagedOf(lock).filter(({ adopted }) => !adopted) };
}

const COMMANDS = `
  SELECT k.id, k.type, k.state, k.subject, k.tries, k.error, k."createdAt", k."sentAt", k."endedAt", k."nextTryAt",
    k."expiresAt", k.seq, o.name AS "operatorName", k."openingReason", k."openingNote"
  FROM lock l
  LEFT JOIN LATERAL (
    SELECT id, type::text AS type, state::text AS state, subject, tries, error, iso(created_at) AS "createdAt",
      iso(sent_at) AS "sentAt", iso(ended_at) AS "endedAt",
      CASE WHEN state IN ('queued', 'sent') THEN iso(next_try_at) END AS "nextTryAt", iso(expires_at) AS "expiresAt",
      seq, created_by_id, opening_reason::text AS "openingReason", opening_note AS "openingNote"
    FROM lock_command WHERE hotel_id = $1 AND lock_id = l.id AND ($4::bigint IS NULL OR seq < $4::bigint)
    ORDER BY seq DESC LIMIT $5::int
  ) k ON true
  LEFT JOIN operator o ON o.id = k.created_by_id
  WHERE ${READABLE} AND l.id = $3::int
  ORDER BY k.seq DESC`;

type CommandMatch = Input<typeof schema.commandRow> & { seq: string };

/**
 * Lists a lock's commands, newest first, by keyset. @throws no_permission, not_found; invalid_input for an invalid
 * cursor
 */
export async function commands(
  scope: Scope,
  { lockId, cursor, limit }: Input<typeof schema.commandsInput>,
): Promise<Input<typeof schema.commandsOutput>> {
  scope.require("locks.view");
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) {
    throw new DomainError("invalid_input", {}, { cursor: { key: "validation.unknown" } });
  }
  const rows = await scope.sql.rows<CommandMatch | { id: null }>(
    COMMANDS,
    scope.roomIds,
    lockId,
    cursor ?? null,
    limit + 1,
  );
  if (rows.length === 0) throw new DomainError("not_found");
  const commandRows = rows.filter((row): row is CommandMatch => row.id !== null);
  const page = commandRows.slice(0, limit);
  const nextCursor = commandRows.length > limit ? (page.at(-1)?.seq ?? null) : null;
  return { commands: page.map(({ seq: _seq, ...command }) => command), nextCursor };
}

/** Returns the state of a command. The permission to open doors is enough. @throws no_permission, not_found */
export async function commandState(
  scope: Scope,
  { commandId }: Input<typeof schema.commandRef>,
): Promise<Input<typeof schema.commandQueued>> {
  if (!scope.can("locks.open")) scope.require("locks.view");
  const [command] = await scope.sql.rows<Input<typeof schema.commandQueued>>(
    `SELECT k.id AS "commandId", k.state::text AS state FROM lock_command k JOIN lock l ON l.id = k.lock_id
      WHERE ${VISIBLE} AND k.hotel_id = $1 AND k.id = $3::uuid`,
    scope.roomIds,
    commandId,
  );
  if (!command) throw new DomainError("not_found");
  return command;
}

/** A lock and the room whose door it is on. */
export interface LockDoor {
  lockId: number;
  /** null: not on any room's door */
  roomId: number | null;
}

/**
 * Returns the rooms of locks, in the order of the locks' ids, for calls that name locks but mean rooms. The caller must
 * check the permission for what it does with them. @throws not_found for a lock that the caller may not see
 */
export async function doorsOfLocks(
  scope: Scope,
  db: Pick<HotelReads | HotelWrites, "lock">,
  lockIds: readonly number[],
): Promise<LockDoor[]> {
  const uniqueIds = [...new Set(lockIds)];
  const doors = await db.lock.findMany({
    where: { id: { in: uniqueIds }, deletedAt: null },
    orderBy: { id: "asc" },
    select: { id: true, roomId: true },
  });
  const visible = doors.filter(({ roomId }) => scope.roomIds === null || (roomId !== null && scope.seesRoom(roomId)));
  if (visible.length < uniqueIds.length) throw new DomainError("not_found");
  return visible.map(({ id, roomId }) => ({ lockId: id, roomId }));
}

/** Returns the ids of the locks' rooms. @throws as `doorsOfLocks`; state_conflict for a lock without a room */
export async function roomsOfLocks(scope: Scope, tx: Transaction, lockIds: readonly number[]): Promise<number[]> {
  const doors = await doorsOfLocks(scope, tx.db, lockIds);
  return doors.map(({ roomId }) => {
    if (roomId === null) throw new DomainError("state_conflict");
    return roomId;
  });
}
