import { addDays, atLocal, type LocalDate, localDate } from "@innkey/shared/hotel-time";
import type { HomeOverview, Movements } from "@innkey/shared/schemas/overview/home";
import type { Scope } from "../../kernel/scope.ts";
import { countAllPendingRevocations, countLocks, traffic } from "../access/public.ts";
import { unread } from "../messaging/public.ts";
import { type BoardReader, type BoardView, countStatuses } from "./board.queries.ts";
import { readOutage } from "./outage.queries.ts";

const NIGHTS_AHEAD = 14;
const REVENUE_DAYS = 30;
const MAX_MOVEMENTS = 5;
/** Time at which overnight guests count as in the hotel; earlier than the start of any hotel's day. */
export const NIGHT_TIME = "03:00";

interface Today {
  arrived: number;
  departed: number;
  unpaid: NonNullable<HomeOverview["unpaid"]>;
}

/** $2 is the start of the local day, $3 its end, $4 the rooms (null: all). What the board shows is counted from it. */
const TODAY = `WITH
  moved AS (
    SELECT s.checked_in_at, s.checked_out_at FROM stay s
    WHERE s.hotel_id = $1
      AND ((s.checked_in_at >= $2::timestamptz AND s.checked_in_at < $3::timestamptz)
        OR (s.checked_out_at IS NOT NULL AND stay_ended_at(s.checked_out_at, s.cancelled_at) >= $2::timestamptz
          AND stay_ended_at(s.checked_out_at, s.cancelled_at) < $3::timestamptz))
      AND ($4::int[] IS NULL OR EXISTS (SELECT FROM occupancy o WHERE o.stay_id = s.id AND o.room_id = ANY ($4::int[])))
  ),
  owing AS (
    SELECT owed_minor FROM owing_stay WHERE hotel_id = $1 AND stay_id = ANY (ARRAY (
      SELECT o.stay_id FROM occupancy o
      WHERE o.hotel_id = $1 AND o.kind = 'stay' AND o.state = 'in_house' AND ($4::int[] IS NULL OR o.room_id = ANY ($4::int[]))))
  )
  SELECT
    (SELECT count(*)::int FROM moved WHERE checked_in_at >= $2::timestamptz AND checked_in_at < $3::timestamptz) AS arrived,
    (SELECT count(*)::int FROM moved WHERE checked_out_at >= $2::timestamptz AND checked_out_at < $3::timestamptz) AS departed,
    (SELECT json_build_object('stays', count(*)::int, 'owedMinor', coalesce(sum(owed_minor), 0)) FROM owing) AS unpaid`;

/** $2 the dates, $3 a time in the night that begins on each, $4 the rooms (null: all). */
const NIGHTS = `
  SELECT n.date, count(DISTINCT o.room_id) FILTER (WHERE o.kind = 'stay')::int AS taken,
    ((SELECT count(*) FROM room r WHERE r.hotel_id = $1 AND r.deleted_at IS NULL AND ($4::int[] IS NULL OR r.id = ANY ($4::int[])))
      - count(DISTINCT o.room_id) FILTER (WHERE o.kind = 'maintenance'))::int AS rooms
  FROM unnest($2::text[], $3::timestamptz[]) AS n (date, at)
  LEFT JOIN occupancy o ON o.hotel_id = $1 AND o.state IN ('held', 'in_house') AND o.starts_at <= n.at
    AND (o.ends_at IS NULL OR o.ends_at > n.at) AND ($4::int[] IS NULL OR o.room_id = ANY ($4::int[]))
  GROUP BY n.date ORDER BY n.date`;

/** $2 the dates, $3 and $4 when each begins and ends. Revenue is charges less refunds. */
const REVENUE = `
  SELECT d.date, coalesce(-sum(e.amount_minor), 0)::bigint::text AS minor,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.amount_minor > 0), 0)::bigint::text AS "returnedMinor"
  FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) AS d (date, starts, ends)
  LEFT JOIN ledger_entry e ON e.hotel_id = $1 AND e.account = 'revenue' AND e.created_at >= d.starts AND e.created_at < d.ends
  GROUP BY d.date ORDER BY d.date`;

/** $2 is now, $3 the rooms (null: all). The same bookings as those that a guest's details show as awaiting confirmation. */
const UNCONFIRMED = `
  SELECT count(*) OVER ()::int AS count, g.stay_guest_id AS "stayGuestId", g.name AS "guestName", r.name AS "roomName",
    iso(s.starts_at) AS "startsAt"
  FROM occupancy o JOIN stay s ON s.id = o.stay_id AND s.booking_unconfirmed JOIN hotel h ON h.id = s.hotel_id
  JOIN primary_guest g ON g.stay_id = s.id JOIN room r ON r.id = o.room_id
  WHERE o.hotel_id = $1 AND o.kind = 'stay' AND o.state IN ('held', 'in_house')
    AND ($3::int[] IS NULL OR o.room_id = ANY ($3::int[]))
    AND (s.state = 'reserved' AND s.ends_at > $2::timestamptz AND (h.guest_checks_in OR h.guest_opens_door)
      OR s.state = 'checked_in' AND h.guest_opens_door)
  ORDER BY s.starts_at, s.id LIMIT 1`;

/**
 * Returns the current overview of the hotel; each part requires its own permission. Rooms, arrivals and departures come
 * from the board in memory, at least as new as `boardVersion`. `hasGuestPages`: this server shows guests their pages.
 * @throws no_permission
 */
export async function overview(
  scope: Scope,
  boards: Pick<BoardReader, "readForOverview">,
  boardVersion: string,
  hasGuestPages: boolean,
): Promise<HomeOverview> {
  scope.require("rooms.view");
  const date = localDate(scope.now().toISOString(), scope.hotel.timeZone);
  const startsAt = atLocal(date, "00:00", scope.hotel.timeZone);
  const endsAt = atLocal(addDays(date, 1), "00:00", scope.hotel.timeZone);
  const [board, today, nights, revenue, doors, locks, unreadAlerts, outage, unconfirmed] = await Promise.all([
    boards.readForOverview(scope, boardVersion),
    readToday(scope, startsAt, endsAt),
    readNights(scope, date),
    scope.can("folio.view") && scope.roomIds === null ? readRevenue(scope, date) : null,
    scope.can("unlocks.view") ? traffic(scope, { roomId: null, date, span: "day" }) : null,
    scope.can("locks.view") ? readLocks(scope) : null,
    scope.can("alerts.view") ? unread(scope) : null,
    readOutage(scope),
    hasGuestPages && scope.can("stays.view") && scope.can("passcodes.issue") ? readUnconfirmed(scope) : null,
  ]);
  const stays = scope.can("stays.view");
  const { arriving, departing, overdue } = movesOf(board, scope.now().toISOString(), endsAt);
  const movements = (done: number, rows: Movements["rows"]): Movements | null =>
    stays ? { done, left: rows.length, rows: rows.slice(0, MAX_MOVEMENTS) } : null;
  return {
    date,
    rooms: countStatuses(board.rooms),
    nights,
    arrivals: movements(today.arrived, arriving),
    departures: movements(today.departed, departing),
    overdue: stays ? overdue : null,
    unpaid: scope.can("folio.view") ? today.unpaid : null,
    revenue,
    traffic: doors,
    locks,
    unread: unreadAlerts?.unread ?? null,
    unconfirmed,
    outage,
  };
}

async function readUnconfirmed(scope: Scope): Promise<HomeOverview["unconfirmed"]> {
  const [row] = await scope.sql.prepared<NonNullable<HomeOverview["unconfirmed"]>>(
    "home-unconfirmed",
    UNCONFIRMED,
    scope.now(),
    scope.roomIds,
  );
  return row ?? null;
}

interface Moves {
  arriving: Movements["rows"];
  departing: Movements["rows"];
  overdue: number;
}

/** Returns who still arrives and departs before the end of the day, earliest first, then in the board's order. */
function movesOf({ rooms }: BoardView, now: string, dayEndsAt: string): Moves {
  const moves = (stay: "current" | "next", at: "startsAt" | "endsAt"): Movements["rows"] =>
    rooms
      .flatMap(({ id, name, [stay]: moving }) => {
        if (!moving || moving[at] >= dayEndsAt) return [];
        const { stayId, stayGuestId, guestName } = moving;
        return [{ stayId, stayGuestId, guestName, roomId: id, roomName: name, at: moving[at] }];
      })
      .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const departing = moves("current", "endsAt");
  return { arriving: moves("next", "startsAt"), departing, overdue: departing.filter(({ at }) => at <= now).length };
}

async function readToday(scope: Scope, startsAt: string, endsAt: string): Promise<Today> {
  const [row] = await scope.sql.prepared<Today>("home-today", TODAY, startsAt, endsAt, scope.roomIds);
  if (!row) throw new Error("the query of today returned no row");
  return row;
}

function readNights(scope: Scope, date: LocalDate): Promise<HomeOverview["nights"]> {
  const dates = Array.from({ length: NIGHTS_AHEAD }, (_, day) => addDays(date, day));
  const instants = dates.map((night) => atLocal(addDays(night, 1), NIGHT_TIME, scope.hotel.timeZone));
  return scope.sql.prepared("home-nights", NIGHTS, dates, instants, scope.roomIds);
}

async function readRevenue(scope: Scope, date: LocalDate): Promise<HomeOverview["revenue"]> {
  const dates = Array.from({ length: REVENUE_DAYS }, (_, day) => addDays(date, day + 1 - REVENUE_DAYS));
  const midnight = (day: LocalDate): string => atLocal(day, "00:00", scope.hotel.timeZone);
  const rows = await scope.sql.prepared<{ date: string; minor: string; returnedMinor: string }>(
    "home-revenue",
    REVENUE,
    dates,
    dates.map(midnight),
    dates.map((day) => midnight(addDays(day, 1))),
  );
  return rows.map((row) => ({ date: row.date, minor: Number(row.minor), returnedMinor: Number(row.returnedMinor) }));
}

async function readLocks(scope: Scope): Promise<HomeOverview["locks"]> {
  const [counts, risk] = await Promise.all([countLocks(scope), countAllPendingRevocations(scope)]);
  const { all, offline, notSetUp, low, stopped } = counts;
  return { all, offline, notSetUp, low, stopped, risk };
}
