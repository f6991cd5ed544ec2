import type { AlertKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { alertTextKey } from "@innkey/shared/locks/alert-text";
import type * as schema from "@innkey/shared/schemas/messaging";
import type { AlertRow } from "@innkey/shared/schemas/messaging";
import type pg from "pg";
import type { z } from "zod";
import type { HotelQuery } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { Translate } from "../../../kernel/translate.ts";
import { insertDeliveries, selectAlertEvents } from "../webhooks/announce.ts";

/** Content of an alert; `params` are the values in its text and contain no secrets. */
export interface Notice {
  kind: AlertKind;
  lockId: number | null;
  roomId: number | null;
  params?: Readonly<Record<string, string | number>>;
  /** Time of the cause if it is not now: the instant with which the cause was stored. */
  at?: Date;
}

/**
 * End of every INSERT of alerts: each lock has one open alert per kind, and repetitions are counted. An alert that was
 * read more than an hour ago becomes unread again.
 */
const COUNT_REPETITIONS = `
  ON CONFLICT (hotel_id, kind, coalesce(lock_id, 0)) WHERE resolved_at IS NULL
  DO UPDATE SET count = alert.count + EXCLUDED.count, last_at = greatest(alert.last_at, EXCLUDED.last_at),
    params = EXCLUDED.params, room_id = EXCLUDED.room_id,
    read_at = CASE WHEN alert.read_at > EXCLUDED.last_at - interval '1 hour' THEN alert.read_at END`;

/** Result of such an INSERT; `fresh` means a new alert, not a repetition (PostgreSQL sets xmax on a row it updates). */
const RETURN_RAISED = "RETURNING *, xmax = 0 AS fresh";

/** Raises an alert about an event that a lock, or the console on its behalf, encountered. */
export async function raiseAlert(scope: Scope, tx: Transaction, notice: Notice): Promise<void> {
  const { kind, lockId, roomId, params = {}, at = scope.now() } = notice;
  await tx.sql.rows(
    `WITH raised AS (
       INSERT INTO alert (hotel_id, kind, lock_id, room_id, params, count, first_at, last_at)
       VALUES ($1, $2::alert_kind, $3::int, $4::int, $5::jsonb, 1, $6::timestamptz, $6::timestamptz)
       ${COUNT_REPETITIONS} ${RETURN_RAISED})
     ${insertDeliveries(selectAlertEvents("alert.raised", "raised", "m.fresh"), "$6::timestamptz")} RETURNING id::text`,
    kind,
    lockId,
    roomId,
    JSON.stringify(params),
    at.toISOString(),
  );
  await notifyAlertsChanged(tx);
}

/**
 * Resolves the alerts of a kind of one lock, or of the hotel (null), because the cause is over. Returns how many were
 * open.
 */
export async function resolveAlerts(
  scope: Scope,
  tx: Transaction,
  which: { kind: AlertKind; lockId: number | null },
): Promise<number> {
  const { kind, lockId } = which;
  const resolved = await tx.sql.rows(
    `WITH resolved AS (
       UPDATE alert SET resolved_at = $4::timestamptz
        WHERE hotel_id = $1 AND kind = $2::alert_kind AND coalesce(lock_id, 0) = coalesce($3::int, 0) AND resolved_at IS NULL
        RETURNING *), announced AS (${insertDeliveries(selectAlertEvents("alert.resolved", "resolved"), "$4::timestamptz")})
     SELECT id FROM resolved`,
    kind,
    lockId,
    scope.now().toISOString(),
  );
  if (resolved.length > 0) await notifyAlertsChanged(tx);
  return resolved.length;
}

/** Adds parameters to the open alert of a kind of one lock, without notifying anyone. */
export async function addAlertParams(
  tx: Transaction,
  { kind, lockId }: { kind: AlertKind; lockId: number },
  params: Readonly<Record<string, number | string>>,
): Promise<void> {
  await tx.sql.rows(
    `UPDATE alert SET params = params || $4::jsonb
      WHERE hotel_id = $1 AND kind = $2::alert_kind AND lock_id = $3::int AND resolved_at IS NULL RETURNING id`,
    kind,
    lockId,
    JSON.stringify(params),
  );
}

/** Moves the open alert of a kind from one lock to another, unless that has one of its own. */
export async function moveAlert(
  tx: Transaction,
  kind: AlertKind,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const moved = await tx.sql.rows(
    `UPDATE alert SET lock_id = $4::int
      WHERE hotel_id = $1 AND kind = $2::alert_kind AND lock_id = $3::int AND resolved_at IS NULL
        AND NOT EXISTS (SELECT FROM alert o
          WHERE o.hotel_id = $1 AND o.kind = $2::alert_kind AND o.lock_id = $4::int AND o.resolved_at IS NULL) RETURNING id`,
    kind,
    from,
    to,
  );
  if (moved.length > 0) await notifyAlertsChanged(tx);
}

/** Notifies the open consoles at commit that alerts changed. */
export async function notifyAlertsChanged(tx: Transaction): Promise<void> {
  await tx.sql.rows(
    "SELECT pg_notify('innkey', jsonb_build_object('topic', 'alerts', 'hotelId', $1::int)::text)::text",
  );
}

/** How long an alert that somebody removed stays away, in milliseconds, although a job still finds its cause. */
export const REMOVED_ALERTS_RETURN_MS = 86_400_000;

/**
 * Returns SQL: whether somebody removed the alert of a kind of one lock since an instant, when it counted at least as much.
 * The arguments are SQL expressions.
 */
export const wasRemovedByHand = (kind: string, lockId: string, count: string, since: string): string =>
  `EXISTS (SELECT FROM alert h WHERE h.hotel_id = $1 AND h.kind = ${kind} AND h.lock_id = ${lockId}
    AND h.deleted_at > ${since}::timestamptz AND (h.params ->> 'count')::int >= ${count})`;

const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** Returns the text of an alert: times in the time zone of `times`, lock errors as sentences. */
export function alertText(
  { kind, params, roomName }: Pick<AlertRow, "kind" | "params" | "roomName">,
  t: Translate,
  times: { text(instant: string): string },
): string {
  const texts = Object.entries({ error: "", ...params }).map(([name, value]) => {
    if (typeof value === "string" && INSTANT.test(value)) return [name, times.text(value)];
    if (name === "error" && value !== "") return [name, t(`locks.error.${value}`)];
    if (name === "type") return [name, t(`locks.kind.${value}`)];
    return [name, value];
  });
  const values = { ...Object.fromEntries(texts), count: Number(params.count ?? 1), roomName: roomName ?? "" };
  return t(`locks.alert.${alertTextKey(kind, params)}`, values).trim();
}

type Input<S extends z.ZodType> = z.infer<S>;

/** Alerts without a room are visible only to those who may see the whole hotel. */
const VISIBLE = "hotel_id = $1 AND deleted_at IS NULL AND ($2::int[] IS NULL OR room_id = ANY ($2::int[]))";

/** $2: the caller's rooms, $3: open or all, $4: a kind. */
const CHOSEN = `SELECT * FROM alert WHERE ${VISIBLE} AND ($3::text = 'all' OR resolved_at IS NULL)
  AND ($4::alert_kind IS NULL OR kind = $4::alert_kind)`;

/**
 * Parameters of the text of `m`. Door codes are described by their current person and note, and a guest by the name that they
 * have now, if the condition `mayName` is true.
 */
const paramsSql = (mayName: string): string => `CASE m.kind
  WHEN 'codes_again' THEN m.params || jsonb_build_object('name', coalesce(
    (SELECT string_agg(concat_ws(' · ', nullif(p.person, ''), nullif(p.note, '')), ', ' ORDER BY p.id) FROM passcode p
      WHERE p.hotel_id = $1 AND p.id = ANY (string_to_array(m.params ->> 'codes', ',')::int[])), ''))
  WHEN 'guest_message_failed' THEN m.params || jsonb_build_object('name', coalesce(
    (SELECT g.name FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
      WHERE ${mayName} AND sg.hotel_id = $1 AND sg.id = (m.params ->> 'stayGuestId')::int), ''))
  ELSE m.params END`;

/** Columns of the list, of alert `m` and its room `r` or the common door `dr` of its lock. */
const rowSql = (
  mayName: string,
): string => `m.id, m.kind, m.lock_id AS "lockId", m.room_id AS "roomId", coalesce(r.name, dr.name) AS "roomName",
  ${paramsSql(mayName)} AS params, m.count,
  iso(m.first_at) AS "firstAt", iso(m.last_at) AS "lastAt", iso(m.read_at) AS "readAt", iso(m.resolved_at) AS "resolvedAt"`;

const PLACE = `LEFT JOIN room r ON r.hotel_id = $1 AND r.id = m.room_id
  LEFT JOIN lock ml ON ml.hotel_id = $1 AND ml.id = m.lock_id LEFT JOIN door dr ON dr.hotel_id = $1 AND dr.id = ml.door_id`;
/** $5: whether the caller may see names of guests. */
const LIST = `SELECT ${rowSql("$5::boolean")} FROM (${CHOSEN}) m ${PLACE}
  ORDER BY m.last_at DESC, m.id DESC`;

/** Returns the statement that selects every alert that matches, newest first. */
export function alertListQuery(
  scope: Scope,
  { state, kind }: Pick<Input<typeof schema.alertsInput>, "state" | "kind">,
): HotelQuery {
  return { text: LIST, values: [scope.roomIds, state, kind ?? null, scope.can("stays.view")] };
}

/** Returns one page of alerts, newest first. `unread` counts the unread open ones, whatever the filters. */
export async function list(
  scope: Scope,
  input: Input<typeof schema.alertsInput>,
): Promise<Input<typeof schema.alertPage>> {
  scope.require("alerts.view");
  const { state, kind = null, page, pageSize } = input;
  const [row] = await scope.sql.rows<Input<typeof schema.alertPage>>(
    `WITH visible AS (SELECT * FROM alert WHERE ${VISIBLE}),
       chosen AS (${CHOSEN}),
       cut AS (SELECT * FROM chosen ORDER BY last_at DESC, id DESC LIMIT $5::int OFFSET $6::int),
       shown AS (
         SELECT ${rowSql("$7::boolean")} FROM cut m ${PLACE})
     SELECT coalesce((SELECT json_agg(s ORDER BY s."lastAt" DESC, s.id DESC) FROM shown s), '[]') AS rows,
            (SELECT count(*)::int FROM chosen) AS total,
            (SELECT count(*)::int FROM visible WHERE resolved_at IS NULL AND read_at IS NULL) AS unread`,
    scope.roomIds,
    state,
    kind,
    pageSize,
    (page - 1) * pageSize,
    scope.can("stays.view"),
  );
  return row ?? { rows: [], total: 0, unread: 0 };
}

/** Returns the number of open alerts that are unread. */
export async function unread(scope: Scope): Promise<Input<typeof schema.unreadAlerts>> {
  scope.require("alerts.view");
  const [row] = await scope.sql.prepared<{ unread: number }>(
    "unread-alerts",
    `SELECT count(*)::int AS unread FROM alert WHERE ${VISIBLE} AND resolved_at IS NULL AND read_at IS NULL`,
    scope.roomIds,
  );
  return { unread: row?.unread ?? 0 };
}

/**
 * Marks alerts as read for the whole hotel; `ids` null means all open ones. Alerts that the caller cannot see are
 * unchanged.
 */
export async function markRead(
  scope: Scope,
  { ids }: Input<typeof schema.readAlertsInput>,
): Promise<Input<typeof schema.alertsChanged>> {
  scope.require("alerts.manage");
  return scope.write(async (tx) => {
    const rows = await tx.sql.rows<{ id: number }>(
      `UPDATE alert SET read_at = $3::timestamptz WHERE ${VISIBLE} AND read_at IS NULL
         AND CASE WHEN $4::int[] IS NULL THEN resolved_at IS NULL ELSE id = ANY ($4::int[]) END RETURNING id`,
      scope.roomIds,
      scope.now().toISOString(),
      ids,
    );
    const [first] = rows;
    if (first) {
      const changed = { ids: rows.map(({ id }) => id) };
      tx.audit({ action: "alert.read", entity: "alert", entityId: first.id, after: changed });
      await notifyAlertsChanged(tx);
    }
    return { changed: rows.length };
  });
}

/** Removes alerts from the list. If the cause persists, its next report raises a new one. */
export async function remove(
  scope: Scope,
  { ids }: Input<typeof schema.deleteAlertsInput>,
): Promise<Input<typeof schema.alertsChanged>> {
  scope.require("alerts.manage");
  return scope.write(async (tx) => {
    const rows = await tx.sql.rows<{ id: number; kind: string; lockId: number | null }>(
      `WITH open AS (SELECT id FROM alert WHERE ${VISIBLE} AND id = ANY ($4::int[]) AND resolved_at IS NULL),
         removed AS (
           UPDATE alert SET deleted_at = $3::timestamptz, resolved_at = coalesce(resolved_at, $3::timestamptz)
             WHERE ${VISIBLE} AND id = ANY ($4::int[]) RETURNING *),
         announced AS (${insertDeliveries(selectAlertEvents("alert.resolved", "removed", "m.id IN (SELECT id FROM open)"), "$3::timestamptz")})
       SELECT id, kind::text AS kind, lock_id AS "lockId" FROM removed`,
      scope.roomIds,
      scope.now().toISOString(),
      ids,
    );
    for (const { id, ...before } of rows) {
      tx.audit({ action: "alert.remove", entity: "alert", entityId: id, before });
    }
    if (rows.length > 0) await notifyAlertsChanged(tx);
    return { changed: rows.length };
  });
}

/** Removes alerts as `remove` does. @throws not_found if none of them was on the list */
export async function removeExisting(scope: Scope, input: Input<typeof schema.deleteAlertsInput>): Promise<void> {
  const { changed } = await remove(scope, input);
  if (changed === 0) throw new DomainError("not_found");
}

/** An alert caused by a lock's own report, in any hotel; at most one of each kind per lock. */
export interface LockAlert extends Notice {
  hotelId: number;
  lockId: number;
  /** How often the cause was reported. */
  count: number;
}

/** Raises the alerts of many locks at once, inside the caller's transaction. */
export async function raiseAll(client: pg.ClientBase, alerts: readonly LockAlert[], now: Date): Promise<void> {
  if (alerts.length === 0) return;
  await client.query(
    `WITH raised AS (
       INSERT INTO alert (hotel_id, kind, lock_id, room_id, params, count, first_at, last_at)
       SELECT m."hotelId", m.kind, m."lockId", m."roomId", m.params, m.count, $2::timestamptz, $2::timestamptz
         FROM jsonb_to_recordset($1::jsonb)
           AS m ("hotelId" int, kind alert_kind, "lockId" int, "roomId" int, params jsonb, count int)
       ${COUNT_REPETITIONS} ${RETURN_RAISED})
     ${insertDeliveries(selectAlertEvents("alert.raised", "raised", "m.fresh"), "$2::timestamptz")}`,
    [JSON.stringify(alerts), now.toISOString()],
  );
  await notifyHotels(client, alerts);
}

/** Resolves the alerts of a kind of several locks, because their causes are over. */
export async function resolveAlertsOfLocks(
  client: pg.ClientBase,
  kind: AlertKind,
  locks: readonly { lockId: number; hotelId: number }[],
  now: Date,
): Promise<void> {
  if (locks.length === 0) return;
  const { rows } = await client.query<{ hotelId: number }>(
    `WITH resolved AS (
       UPDATE alert SET resolved_at = $3::timestamptz
        WHERE hotel_id = ANY ($1::int[]) AND kind = $4::alert_kind AND lock_id = ANY ($2::int[]) AND resolved_at IS NULL
        RETURNING *), announced AS (${insertDeliveries(selectAlertEvents("alert.resolved", "resolved"), "$3::timestamptz")})
     SELECT hotel_id AS "hotelId" FROM resolved`,
    [locks.map(({ hotelId }) => hotelId), locks.map(({ lockId }) => lockId), now.toISOString(), kind],
  );
  await notifyHotels(client, rows);
}

/** Resolves the alerts of a kind about the rooms' doors, whichever lock was there. */
export async function resolveAlertsOfRooms(
  client: pg.ClientBase,
  kind: AlertKind,
  rooms: readonly { roomId: number; hotelId: number }[],
  now: Date,
): Promise<void> {
  if (rooms.length === 0) return;
  const { rows } = await client.query<{ hotelId: number }>(
    `WITH resolved AS (
       UPDATE alert SET resolved_at = $3::timestamptz
        WHERE hotel_id = ANY ($1::int[]) AND kind = $4::alert_kind AND room_id = ANY ($2::int[]) AND resolved_at IS NULL
        RETURNING *), announced AS (${insertDeliveries(selectAlertEvents("alert.resolved", "resolved"), "$3::timestamptz")})
     SELECT hotel_id AS "hotelId" FROM resolved`,
    [rooms.map(({ hotelId }) => hotelId), rooms.map(({ roomId }) => roomId), now.toISOString(), kind],
  );
  await notifyHotels(client, rows);
}

async function notifyHotels(client: pg.ClientBase, of: readonly { hotelId: number }[]): Promise<void> {
  const hotelIds = [...new Set(of.map(({ hotelId }) => hotelId))];
  await client.query(
    "SELECT pg_notify('innkey', jsonb_build_object('topic', 'alerts', 'hotelId', h)::text) FROM unnest($1::int[]) AS h",
    [hotelIds],
  );
}
