import { addDays, addMonths, isoWeekday, type LocalDate } from "@innkey/shared/hotel-time";

export type DateRange = { from: LocalDate; to: LocalDate };

export function datesOf({ from, to }: DateRange): LocalDate[] {
  const dates: LocalDate[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date);
  return dates;
}

/** Returns the first day of the week that a date is in. */
const weekStart = (date: LocalDate, firstDay: number): LocalDate =>
  addDays(date, -((isoWeekday(date) - firstDay + 7) % 7));

/** Returns the full weeks of a month ("YYYY-MM-01"), including days of the neighbouring months. */
export function weeksOf(month: LocalDate, firstDay: number): LocalDate[][] {
  const weeks: LocalDate[][] = [];
  for (let week = weekStart(month, firstDay); week.slice(0, 7) <= month.slice(0, 7); week = addDays(week, 7)) {
    weeks.push(datesOf({ from: week, to: addDays(week, 6) }));
  }
  return weeks;
}

type Keys = { key: string; shiftKey: boolean };

/** Returns the date that a key leads to in a calendar; null for keys that lead nowhere. */
export function dateAfterKey(
  date: LocalDate,
  { key, shiftKey }: Keys,
  { firstDay, dir }: { firstDay: number; dir: "ltr" | "rtl" },
): LocalDate | null {
  const forward = dir === "rtl" ? -1 : 1;
  if (key === "ArrowRight") return addDays(date, forward);
  if (key === "ArrowLeft") return addDays(date, -forward);
  if (key === "ArrowUp") return addDays(date, -7);
  if (key === "ArrowDown") return addDays(date, 7);
  if (key === "Home") return weekStart(date, firstDay);
  if (key === "End") return addDays(weekStart(date, firstDay), 6);
  if (key === "PageUp") return addMonths(date, shiftKey ? -12 : -1);
  if (key === "PageDown") return addMonths(date, shiftKey ? 12 : 1);
  return null;
}
