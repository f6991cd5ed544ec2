import { addDays, isoWeekday, type LocalDate } from "@innkey/shared/hotel-time";

export type DatePrice = { date: LocalDate; priceMinor: number };
export type DateRange = { from: LocalDate; to: LocalDate };

export function datesOf({ from, to }: DateRange): LocalDate[] {
  const dates: LocalDate[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date);
  return dates;
}

export function ordered(one: LocalDate, other: LocalDate): DateRange {
  return one <= other ? { from: one, to: other } : { from: other, to: one };
}

/**
 * Returns the prices with every date of the range set to one price. With null, the dates go back to the usual prices.
 */
export function withRange(prices: readonly DatePrice[], range: DateRange, priceMinor: number | null): DatePrice[] {
  const others = prices.filter(({ date }) => date < range.from || date > range.to);
  const filled = priceMinor === null ? [] : datesOf(range).map((date) => ({ date, priceMinor }));
  return [...others, ...filled].sort((a, b) => a.date.localeCompare(b.date));
}

/** Merges consecutive dates of the same price into ranges. */
export function rangesOf(prices: readonly DatePrice[]): (DateRange & { priceMinor: number })[] {
  const ranges: (DateRange & { priceMinor: number })[] = [];
  for (const { date, priceMinor } of prices.toSorted((a, b) => a.date.localeCompare(b.date))) {
    const last = ranges.at(-1);
    if (last && last.priceMinor === priceMinor && addDays(last.to, 1) === date) last.to = date;
    else ranges.push({ from: date, to: date, priceMinor });
  }
  return ranges;
}

/** Returns the full weeks of a month ("YYYY-MM-01"), including days of the neighbouring months. */
export function weeksOf(month: LocalDate, firstDay: number): LocalDate[][] {
  const lead = (isoWeekday(month) - firstDay + 7) % 7;
  const start = addDays(month, -lead);
  const weeks: LocalDate[][] = [];
  for (let week = start; week.slice(0, 7) <= month.slice(0, 7); week = addDays(week, 7)) {
    weeks.push(datesOf({ from: week, to: addDays(week, 6) }));
  }
  return weeks;
}
