import { isDeepStrictEqual } from "node:util";
import { PaymentChannel } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { addDays, atLocal, businessDate } from "@innkey/shared/hotel-time";
import * as schema from "@innkey/shared/schemas/overview/night-audit";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { FREE_TEXTS, masked } from "../../kernel/transaction.ts";

/**
 * The stays of a business day. $2: its start, $3: its end, $4: time to which the figures refer, $5: the caller's rooms
 * (null: all). Conditions use timestamps instead of states, so that a past day reads the same at any time. `opened` is
 * when a key of a stay was last used; it reads the day's unlock events once, not once per stay.
 */
const STAYS = `
  WITH one AS (
    SELECT s.id, s.starts_at, s.ends_at, s.checked_in_at, s.checked_out_at, s.room_id,
      s.starts_at >= $2::timestamptz AND s.starts_at < $3::timestamptz
        AND (s.cancelled_at IS NULL OR s.cancelled_at >= $4::timestamptz OR s.state = 'no_show') AS due,
      coalesce(s.checked_in_at < $4::timestamptz, false) AS came,
      coalesce(s.checked_in_at >= $2::timestamptz AND s.checked_in_at < $4::timestamptz, false) AS came_today,
      coalesce(s.checked_out_at < $4::timestamptz, false) AS gone,
      coalesce(s.checked_out_at >= $2::timestamptz AND s.checked_out_at < $4::timestamptz, false) AS gone_today
      FROM stay_now s
     WHERE s.hotel_id = $1 AND ($5::int[] IS NULL OR s.room_id = ANY ($5::int[]))
       AND (s.starts_at < $3::timestamptz OR s.checked_in_at < $3::timestamptz)
       AND (s.checked_out_at IS NULL OR s.checked_out_at >= $2::timestamptz)
       AND (s.cancelled_at IS NULL OR s.cancelled_at >= $2::timestamptz)
       AND stay_ended_at(s.checked_out_at, s.cancelled_at) >= $2::timestamptz
       AND (s.state <> 'reserved' OR s.starts_at >= $2::timestamptz)
  ), opened AS (
    SELECT k.stay_id, max(u.at) AS at
      FROM unlock_record u LEFT JOIN stay_guest sg ON sg.id = u.stay_guest_id
      LEFT JOIN credential t ON t.id = u.credential_id LEFT JOIN card c ON c.id = u.card_id
      CROSS JOIN LATERAL (VALUES (sg.stay_id), (t.stay_id), (c.stay_id)) AS k (stay_id)
     WHERE u.hotel_id = $1 AND u.success AND u.at >= $2::timestamptz AND u.at < $4::timestamptz AND k.stay_id IS NOT NULL
     GROUP BY k.stay_id
  ), audited AS (
    SELECT one.*,
      due AND NOT came AS not_come,
      came AND NOT gone AS in_house,
      came AND ends_at >= $2::timestamptz AND ends_at < $3::timestamptz AS due_out,
      came AND NOT gone AND ends_at < $4::timestamptz AS overstaying,
      CASE WHEN came THEN (
        SELECT coalesce(sum(e.amount_minor), 0) FROM folio_entry o JOIN ledger_entry e ON e.folio_entry_id = o.id
         WHERE o.hotel_id = $1 AND o.stay_id = one.id AND e.account = 'receivable' AND e.created_at < $4::timestamptz) END AS owed,
      came_today AND NOT gone AND EXISTS (SELECT FROM lock l WHERE l.hotel_id = $1 AND l.room_id = one.room_id)
        AND NOT coalesce(opened.at >= one.checked_in_at, false) AS never_opened
      FROM one LEFT JOIN opened ON opened.stay_id = one.id
  )`;

export const STAY_FIGURES = `${STAYS}
  SELECT
    jsonb_build_object('expected', count(*) FILTER (WHERE due), 'arrived', count(*) FILTER (WHERE came_today),
      'notCome', count(*) FILTER (WHERE not_come)) AS arrivals,
    jsonb_build_object('expected', count(*) FILTER (WHERE due_out), 'left', count(*) FILTER (WHERE gone_today),
      'overstaying', count(*) FILTER (WHERE overstaying)) AS departures,
    jsonb_build_object('stays', count(*) FILTER (WHERE in_house), 'guests', coalesce(sum(
      (SELECT count(*) FROM stay_guest sg WHERE sg.stay_id = audited.id)) FILTER (WHERE in_house), 0)) AS "inHouse",
    jsonb_build_object('stays', count(*) FILTER (WHERE owed > 0),
      'owedMinor', coalesce(sum(owed) FILTER (WHERE owed > 0), 0)) AS unpaid,
    count(*) FILTER (WHERE never_opened)::int AS "neverOpened"
    FROM audited`;

/** $6: maximum number of stays per list. A stay appears in every list that applies. */
export const STAY_LISTS = `${STAYS}, listed AS (
    SELECT k.list, a.*, row_number() OVER (PARTITION BY k.list ORDER BY a.ends_at, a.id) AS place
      FROM audited a CROSS JOIN LATERAL (VALUES ('notCome', a.not_come), ('overstaying', a.overstaying),
        ('unpaid', a.owed > 0), ('neverOpened', a.never_opened)) AS k (list, there)
     WHERE k.there
  )
  SELECT a.list, a.id AS "stayId", g.stay_guest_id AS "stayGuestId", coalesce(g.name, '') AS "guestName", a.room_id AS "roomId",
    r.name AS "roomName", iso(a.starts_at) AS "startsAt", iso(a.ends_at) AS "endsAt", coalesce(a.owed, 0)::float8 AS "owedMinor"
    FROM listed a JOIN room r ON r.id = a.room_id
    LEFT JOIN primary_guest g ON g.stay_id = a.id
   WHERE a.place <= $6::int ORDER BY a.list, a.place`;

/**
 * $2: start of the day, $3: time to which the figures refer, $4: the caller's rooms (null: all), $5: payment channels.
 */
export const MONEY = `
  WITH entry AS (
    SELECT e.account::text AS account, e.amount_minor AS amount
      FROM ledger_entry e JOIN folio_entry o ON o.id = e.folio_entry_id AND o.hotel_id = e.hotel_id
      JOIN LATERAL (SELECT room_id FROM occupancy x WHERE x.stay_id = o.stay_id ORDER BY x.id DESC LIMIT 1) x ON true
     WHERE e.hotel_id = $1 AND e.created_at >= $2::timestamptz AND e.created_at < $3::timestamptz
       AND ($4::int[] IS NULL OR x.room_id = ANY ($4::int[]))
  )
  SELECT coalesce(-sum(amount) FILTER (WHERE account = 'revenue'), 0)::float8 AS "revenueMinor",
    (SELECT jsonb_agg(jsonb_build_object('channel', c.channel,
        'takenMinor', (SELECT coalesce(sum(amount), 0) FROM entry WHERE account = c.channel AND amount > 0),
        'returnedMinor', (SELECT coalesce(-sum(amount), 0) FROM entry WHERE account = c.channel AND amount < 0)) ORDER BY c.place)
       FROM unnest($5::text[]) WITH ORDINALITY AS c (channel, place)) AS channels
    FROM entry`;

/**
 * Unusual openings of a business day. $2: its start, $3: time to which the figures refer, $4: the caller's rooms (null:
 * all), $5: maximum number per kind; `total` counts all of them.
 * After check-out: opened with a key of a stay that had ended. Vacant room: opened while no one occupied it, by
 * something other than a guest's key: a card of the house, a door code without a stay, the console, or the
 * mechanical key.
 */
export const OPENINGS = `
  WITH opened AS (
    SELECT u.*, c.kind::text AS card_kind, c.note AS card_note, c.spare_number IS NOT NULL AS spare, p.person, t.id IS NOT NULL AND t.kind = 'passcode' AS coded,
      coalesce(sg.stay_id, t.stay_id, c.stay_id) AS stay_id
      FROM unlock_record u
      LEFT JOIN stay_guest sg ON sg.id = u.stay_guest_id
      LEFT JOIN credential t ON t.id = u.credential_id
      LEFT JOIN passcode p ON p.id = t.passcode_id
      LEFT JOIN card c ON c.id = u.card_id
     WHERE u.hotel_id = $1 AND u.success AND u.at >= $2::timestamptz AND u.at < $3::timestamptz AND u.room_id IS NOT NULL
       AND ($4::int[] IS NULL OR u.room_id = ANY ($4::int[]))
  ), evidence AS (
    SELECT 'afterCheckOut' AS list, o.* FROM opened o JOIN stay s ON s.id = o.stay_id AND s.checked_out_at < o.at
    UNION ALL
    SELECT 'vacantOpened' AS list, o.* FROM opened o
     WHERE o.stay_id IS NULL
       AND (o.card_kind <> 'guest' OR o.spare OR o.coded OR o.operator_id IS NOT NULL OR o.style IN ('remote', 'key'))
       AND NOT EXISTS (
         SELECT FROM occupancy x JOIN stay s ON s.id = x.stay_id
          WHERE x.hotel_id = $1 AND x.room_id = o.room_id AND x.starts_at <= o.at AND s.checked_in_at <= o.at
            AND (x.state = 'in_house' OR (x.state = 'ended' AND x.ends_at > o.at)))
  ), placed AS (
    SELECT e.*, count(*) OVER (PARTITION BY e.list)::int AS total,
      row_number() OVER (PARTITION BY e.list ORDER BY e.at DESC, e.id DESC) AS place FROM evidence e
  )
  SELECT e.list, e.total, e.id::text AS "recordId", e.room_id AS "roomId", r.name AS "roomName", iso(e.at) AS at,
    e.style::text AS style, coalesce(op.name, e.person, CASE WHEN e.card_kind <> 'guest' OR e.spare THEN e.card_note END, '') AS who,
    g.stay_guest_id AS "stayGuestId", g.name AS "guestName"
    FROM placed e JOIN room r ON r.id = e.room_id
    LEFT JOIN operator op ON op.id = e.operator_id
    LEFT JOIN primary_guest g ON g.stay_id = e.stay_id
   WHERE e.place <= $5::int ORDER BY e.list, e.place`;

export interface BusinessDay {
  /** Hotel-local date. */
  date: string;
  from: string;
  to: string;
  over: boolean;
  /** Time to which figures refer: the end of the day, or the current time if it is not over. */
  at: string;
}

const HALF_DAY_MS = 12 * 3_600_000;

/**
 * A business day runs from the hotel's start of day to the next day's start. Without a date, returns the one that a
 * night clerk means: up to twelve hours after a day began, the day before; afterwards the current one.
 */
export function businessDay(scope: Scope, requestedDate: string | null): BusinessDay {
  const { timeZone, dayStartTime } = scope.hotel;
  const now = scope.now();
  const halfDayAgo = new Date(now.getTime() - HALF_DAY_MS).toISOString();
  const date = requestedDate ?? businessDate(halfDayAgo, timeZone, dayStartTime);
  const to = atLocal(addDays(date, 1), dayStartTime, timeZone);
  const isOver = to <= now.toISOString();
  // Includes records written in the current millisecond.
  const at = isOver ? to : new Date(now.getTime() + 1).toISOString();
  return { date, from: atLocal(date, dayStartTime, timeZone), to, over: isOver, at };
}

type StayList = "notCome" | "overstaying" | "unpaid" | "neverOpened";
type DoorList = "afterCheckOut" | "vacantOpened";
type StayRow = schema.NightStay & { list: StayList };
type DoorRow = schema.NightOpening & { list: DoorList; total: number };
type StayFigures = Pick<schema.NightFigures, "arrivals" | "departures" | "inHouse" | "unpaid"> & {
  neverOpened: number;
};
type DayResult = Pick<schema.NightAudit, "figures" | StayList | DoorList>;

interface StoredDay {
  figures: unknown;
  note: string;
  at: string;
  operatorName: string | null;
}

const MAX_HISTORY = 400;

/** Computes a business day's figures and the records behind them, in the caller's rooms. */
export async function auditDay(scope: Scope, { from, to, at }: BusinessDay): Promise<DayResult> {
  const { sql } = scope;
  const rooms = scope.roomIds;
  const limit = schema.NIGHT_LIST_ROWS;
  type Money = Pick<schema.NightFigures, "revenueMinor" | "channels">;
  const [[stays], listed, opened, [money]] = await Promise.all([
    sql.prepared<StayFigures>("night-figures", STAY_FIGURES, from, to, at, rooms),
    sql.prepared<StayRow>("night-stays", STAY_LISTS, from, to, at, rooms, limit),
    sql.prepared<DoorRow>("night-openings", OPENINGS, from, at, rooms, limit),
    sql.prepared<Money>("night-money", MONEY, from, at, rooms, PaymentChannel.options),
  ]);
  if (!stays || !money) throw new Error("the figures of the day returned no row");
  const { neverOpened, ...figures } = stays;
  const staysOf = (list: StayList) => listed.filter((row) => row.list === list).map(({ list: _list, ...row }) => row);
  const doorsOf = (list: DoorList) =>
    opened.filter((row) => row.list === list).map(({ list: _list, total: _total, ...row }) => row);
  const countOf = (list: DoorList): number => opened.find((row) => row.list === list)?.total ?? 0;
  const doors = { neverOpened, afterCheckOut: countOf("afterCheckOut"), vacantOpened: countOf("vacantOpened") };
  return {
    figures: { ...figures, ...money, doors },
    notCome: staysOf("notCome"),
    overstaying: staysOf("overstaying"),
    unpaid: staysOf("unpaid"),
    neverOpened: staysOf("neverOpened"),
    afterCheckOut: doorsOf("afterCheckOut"),
    vacantOpened: doorsOf("vacantOpened"),
  };
}

/**
 * Returns one business day: arrivals, departures, money and unusual openings. For a closed day, returns the figures
 * stored when it was closed. Staff who see only some rooms get the current figures of their rooms instead. @throws
 * no_permission
 */
export async function read(scope: Scope, input: z.infer<typeof schema.nightAuditInput>): Promise<schema.NightAudit> {
  scope.require("reports.view");
  const day = businessDay(scope, input.date);
  const [current, [stored]] = await Promise.all([
    auditDay(scope, day),
    scope.sql.prepared<StoredDay>(
      "night-closed",
      `SELECT n.figures, n.note, iso(n.closed_at) AS at, o.name AS "operatorName"
         FROM night_audit n LEFT JOIN operator o ON o.id = n.operator_id
        WHERE n.hotel_id = $1 AND n.date = $2::date`,
      day.date,
    ),
  ]);
  const seesWholeHotel = scope.roomIds === null;
  return {
    ...current,
    figures: stored && seesWholeHotel ? schema.nightFigures.parse(stored.figures) : current.figures,
    date: day.date,
    from: day.from,
    to: day.to,
    over: day.over,
    whole: seesWholeHotel,
    closed: stored ? { at: stored.at, operatorName: stored.operatorName, note: stored.note } : null,
  };
}

/** Returns the closed days, newest first. @throws no_permission */
export async function closedDays(scope: Scope): Promise<z.infer<typeof schema.closedDaysOutput>> {
  scope.require("reports.view");
  return scope.sql.rows(
    `SELECT to_char(n.date, 'YYYY-MM-DD') AS date, iso(n.closed_at) AS "closedAt", n.note,
            (SELECT name FROM operator WHERE id = n.operator_id) AS "operatorName"
       FROM night_audit n WHERE n.hotel_id = $1 ORDER BY n.date DESC LIMIT ${MAX_HISTORY}`,
  );
}

/**
 * Closes a business day once and stores its figures. Only callers who see the whole hotel may do so.
 * @throws no_permission; day_not_over before it ends; state_conflict if it is closed; figures_changed if they are no
 * longer those that the caller saw
 */
export async function close(scope: Scope, input: z.infer<typeof schema.closeDayInput>): Promise<schema.NightAudit> {
  scope.require("reports.close");
  if (scope.roomIds !== null) throw new DomainError("no_permission");
  const day = businessDay(scope, input.date);
  if (!day.over) throw new DomainError("day_not_over");
  // Before the transaction, whose one connection would read them one after the other.
  const { figures } = await auditDay(scope, day);
  await scope.write(async (tx) => {
    const closedBefore = await tx.db.nightAudit.count({ where: { date: new Date(day.date) } });
    if (closedBefore > 0) throw new DomainError("state_conflict");
    if (!isDeepStrictEqual(schema.nightFigures.parse(figures), input.figures)) throw new DomainError("figures_changed");
    const [closed] = await tx.sql.rows<{ date: string }>(
      `INSERT INTO night_audit (hotel_id, date, figures, note, operator_id, closed_at)
       VALUES ($1, $2::date, $3::jsonb, $4, $5::int, $6::timestamptz) ON CONFLICT DO NOTHING RETURNING date::text AS date`,
      day.date,
      JSON.stringify(figures),
      input.note,
      scope.operatorId,
      scope.now(),
    );
    if (!closed) throw new DomainError("state_conflict");
    tx.audit({
      action: "nightAudit.close",
      entity: "nightAudit",
      entityId: day.date,
      after: masked({ date: day.date, revenueMinor: figures.revenueMinor, note: input.note }, FREE_TEXTS),
    });
  });
  return read(scope, { date: day.date });
}
