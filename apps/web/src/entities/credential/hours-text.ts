import { addDays } from "@innkey/shared/hotel-time";
import type { HoursPeriod, WeekHours } from "@innkey/shared/locks/week-hours";
import { formatList, formatLocalDate, formatTimeOfDay } from "@/lib/format.ts";

const A_MONDAY = "2024-01-01";

const dayName = (day: number): string => formatLocalDate(addDays(A_MONDAY, day - 1), { weekday: "short" });

/** Groups days that follow each other, such as 1 to 5 and 7. */
function runsOf(days: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const day of days.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  return runs;
}

const runText = (run: readonly number[]): string[] => {
  const [first = 1, last = first] = [run[0], run.at(-1)];
  return run.length > 2 ? [`${dayName(first)}–${dayName(last)}`] : run.map(dayName);
};

/** Returns one period as text, such as "Mon–Fri 07:00–15:30". */
export const periodText = ({ days, from, to }: HoursPeriod): string =>
  `${formatList(runsOf(days).flatMap(runText))} ${formatTimeOfDay(from)}–${formatTimeOfDay(to)}`;

/** Returns the days and hours of a key as one line of text. */
export const hoursText = (hours: WeekHours): string => hours.map(periodText).join(" · ");
