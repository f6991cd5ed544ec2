import type * as schema from "@innkey/shared/schemas/messaging/alerts";
import type { AlertRow } from "@innkey/shared/schemas/messaging/alerts";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Translate } from "../../../kernel/translate.ts";
import { alarms, insertDeliveries } from "../webhooks/deliveries.sql.ts";
import { notifyAlertsChanged } from "./raise-alerts.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** Returns the text of an alert: times in the time zone of `times`, lock errors as sentences. */
export function alertText(
  { kind, params, roomName }: Pick<AlertRow, "kind" | "params" | "roomName">,
  t: Translate,
  times: { text(instant: string): string },
): string {
  const spoken = Object.entries({ error: "", ...params }).map(([name, value]) => {
    if (typeof value === "string" && INSTANT.test(value)) return [name, times.text(value)];
    if (name === "error" && value !== "") return [name, t(`locks.error.${value}`)];
    if (name === "type") return [name, t(`locks.kind.${value}`)];
    return [name, value];
  });
  const values = { ...Object.fromEntries(spoken), count: Number(params.count ?? 1), roomName: roomName ?? "" };
  return t(`locks.alert.${kind === "unmanaged_code" && params.key ? "unmanaged_named" : kind}`, values).trim();
}

type Input<S extends z.ZodType> = z.infer<S>;

/** Alerts without a room are visible only to those who may see the whole hotel. */
const VISIBLE = "hotel_id = $1 AND deleted_at IS NULL AND ($2::int[] IS NULL OR room_id = ANY ($2::int[]))";

/** $2: the caller's rooms, $3: open or all, $4: a kind. */
export const CHOSEN_ALERTS = `SELECT * FROM alert WHERE ${VISIBLE} AND ($3::text = 'all' OR resolved_at IS NULL)
  AND ($4::alert_kind IS NULL OR kind = $4::alert_kind)`;

/** Parameters of the text of `m`. Door codes are described by their current person and note. */
const PARAMS = `CASE WHEN m.kind = 'codes_again' THEN m.params || jsonb_build_object('name', coalesce(
    (SELECT string_agg(concat_ws(' · ', nullif(p.person, ''), nullif(p.note, '')), ', ' ORDER BY p.id) FROM passcode p
      WHERE p.hotel_id = $1 AND p.id = ANY (string_to_array(m.params ->> 'codes', ',')::int[])), '')) ELSE m.params END`;

/** Columns of the list, of alert `m` and its room `r`. */
export const ALERT_ROW = `m.id, m.kind, m.lock_id AS "lockId", m.room_id AS "roomId", r.name AS "roomName",
  ${PARAMS} AS params, m.count,
  iso(m.first_at) AS "firstAt", iso(m.last_at) AS "lastAt", iso(m.read_at) AS "readAt", iso(m.resolved_at) AS "resolvedAt"`;

/** Returns one page of alerts, newest first. `unread` counts the unread open ones, whatever the filters. */
export async function list(
  scope: Scope,
  input: Input<typeof schema.alertsInput>,
): Promise<Input<typeof schema.alertPage>> {
  scope.require("alerts.view");
  const { state, kind = null, page, pageSize } = input;
  const [row] = await scope.sql.rows<Input<typeof schema.alertPage>>(
    `WITH visible AS (SELECT * FROM alert WHERE ${VISIBLE}),
       chosen AS (${CHOSEN_ALERTS}),
       cut AS (SELECT * FROM chosen ORDER BY last_at DESC, id DESC LIMIT $5::int OFFSET $6::int),
       shown AS (
         SELECT ${ALERT_ROW} FROM cut m LEFT JOIN room r ON r.hotel_id = $1 AND r.id = m.room_id)
     SELECT coalesce((SELECT json_agg(s ORDER BY s."lastAt" DESC, s.id DESC) FROM shown s), '[]') AS rows,
            (SELECT count(*)::int FROM chosen) AS total,
            (SELECT count(*)::int FROM visible WHERE resolved_at IS NULL AND read_at IS NULL) AS unread`,
    scope.roomIds,
    state,
    kind,
    pageSize,
    (page - 1) * pageSize,
  );
  return row ?? { rows: [], total: 0, unread: 0 };
}

/** Returns the number of open alerts that are unread. */
export async function unread(scope: Scope): Promise<Input<typeof schema.unreadAlerts>> {
  scope.require("alerts.view");
  const [row] = await scope.sql.rows<{ unread: number }>(
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
         told AS (${insertDeliveries(alarms("alert.resolved", "removed", "m.id IN (SELECT id FROM open)"), "$3::timestamptz")})
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
