import { PaymentChannel } from "@innkey/shared/enums";
import { addDays, atLocal, businessDate } from "@innkey/shared/hotel-time";
import * as schema from "@innkey/shared/schemas/overview/night-audit";
import type { z } from "zod";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { MONEY, OPENINGS, STAY_FIGURES, STAY_LISTS } from "./night-audit.sql.ts";

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
 * A business day runs from the hotel's start of day to the next day's start. Without a date, we choose the one that a
 * night clerk means: up to twelve hours after a day began, the day before; afterwards the current one.
 */
export function businessDay(scope: Scope, requestedDate: string | null): BusinessDay {
  const { timeZone, dayStartTime } = scope.hotel;
  const now = scope.now();
  const ending = (): string =>
    businessDate(new Date(now.getTime() - HALF_DAY_MS).toISOString(), timeZone, dayStartTime);
  const date = requestedDate ?? ending();
  const to = atLocal(addDays(date, 1), dayStartTime, timeZone);
  const over = to <= now.toISOString();
  // Includes records written at this very moment.
  const at = over ? to : new Date(now.getTime() + 1).toISOString();
  return { date, from: atLocal(date, dayStartTime, timeZone), to, over, at };
}

type StayList = "notCome" | "overstaying" | "unpaid" | "neverOpened";
type DoorList = "afterCheckOut" | "vacantOpened";
type StayRow = schema.NightStay & { list: StayList };
type DoorRow = schema.NightOpening & { list: DoorList; total: number };
type StayFigures = Pick<schema.NightFigures, "arrivals" | "departures" | "inHouse" | "unpaid"> & {
  neverOpened: number;
};
type Audited = Pick<schema.NightAudit, "figures" | StayList | DoorList>;

const MAX_HISTORY = 400;

/** Computes a business day's figures and the records behind them, in the caller's rooms. */
export async function audited(scope: Scope, sql: HotelSql, day: BusinessDay): Promise<Audited> {
  const { from, to, at } = day;
  const rooms = scope.roomIds;
  const most = schema.NIGHT_LIST_ROWS;
  const [stays] = await sql.rows<StayFigures>(STAY_FIGURES, from, to, at, rooms);
  const listed = await sql.rows<StayRow>(STAY_LISTS, from, to, at, rooms, most);
  const opened = await sql.rows<DoorRow>(OPENINGS, from, at, rooms, most);
  const [money] = await sql.rows<Pick<schema.NightFigures, "revenueMinor" | "channels">>(
    MONEY,
    from,
    at,
    rooms,
    PaymentChannel.options,
  );
  if (!stays || !money) throw new Error("sums without a row");
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
  const [current, stored] = await Promise.all([
    audited(scope, scope.sql, day),
    scope.reads.nightAudit.findFirst({ where: { date: new Date(day.date) } }),
  ]);
  const [operator] = await scope.sql.rows<{ name: string }>(
    "SELECT o.name FROM night_audit n JOIN operator o ON o.id = n.operator_id WHERE n.hotel_id = $1 AND n.date = $2::date",
    day.date,
  );
  const whole = scope.roomIds === null;
  return {
    ...current,
    figures: stored && whole ? schema.nightFigures.parse(stored.figures) : current.figures,
    date: day.date,
    from: day.from,
    to: day.to,
    over: day.over,
    whole,
    closed: stored && { at: stored.closedAt.toISOString(), operatorName: operator?.name ?? null, note: stored.note },
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
