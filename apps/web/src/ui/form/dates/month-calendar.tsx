import { addMonths, type LocalDate } from "@innkey/shared/hotel-time";
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { firstWeekday, formatLocalDate, formatNumber } from "@/lib/format.ts";
import { language, t } from "@/lib/i18n.ts";
import { dateAfterKey, weeksOf } from "@/lib/time/weeks.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";

const monthOf = (date: LocalDate): LocalDate => `${date.slice(0, 7)}-01`;
const yearOf = (date: LocalDate): string => date.slice(0, 4);

type MonthCalendarProps = {
  value: LocalDate | null;
  today: LocalDate;
  min?: LocalDate | undefined;
  max?: LocalDate | undefined;
  onPick: (date: LocalDate) => void;
};

/** A month in which a date is picked. */
export function MonthCalendar({ value, today, min, max, onPick }: MonthCalendarProps) {
  const isPossible = (date: LocalDate): boolean => (!min || date >= min) && (!max || date <= max);
  const nearest = (date: LocalDate): LocalDate => (min && date < min ? min : max && date > max ? max : date);
  const [focused, setFocused] = useState(() => value ?? nearest(today));
  const grid = useRef<HTMLTableElement>(null);
  const movesFocus = useRef(false);
  const month = monthOf(focused);
  const weeks = weeksOf(month, firstWeekday());

  useEffect(() => {
    if (!movesFocus.current) return;
    movesFocus.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-date="${focused}"]`)?.focus({ preventScroll: true });
  }, [focused]);

  function press(event: KeyboardEvent): void {
    const next = dateAfterKey(focused, event, { firstDay: firstWeekday(), dir: language.dir });
    if (next === null) return;
    event.preventDefault();
    if (next === focused || yearOf(next).length !== 4) return;
    movesFocus.current = true;
    setFocused(next);
  }

  const turn = (months: number) => () => setFocused(addMonths(focused, months));

  return (
    <div>
      <div className="mb-1 flex items-center justify-between">
        <span className="flex">
          <IconButton icon={ChevronsLeft} flip size="icon-sm" label={t("dates.previousYear")} onClick={turn(-12)} />
          <IconButton icon={ChevronLeft} flip size="icon-sm" label={t("dates.previousMonth")} onClick={turn(-1)} />
        </span>
        <h3 className="text-center text-base font-semibold" aria-live="polite">
          {formatLocalDate(month, { month: "long", year: "numeric" })}
        </h3>
        <span className="flex">
          <IconButton icon={ChevronRight} flip size="icon-sm" label={t("dates.nextMonth")} onClick={turn(1)} />
          <IconButton icon={ChevronsRight} flip size="icon-sm" label={t("dates.nextYear")} onClick={turn(12)} />
        </span>
      </div>
      <table
        ref={grid}
        aria-label={formatLocalDate(month, { month: "long", year: "numeric" })}
        className="block min-h-62 w-full"
      >
        <thead className="block">
          <tr className="grid grid-cols-7">
            {weeks[0]?.map((date) => (
              <th
                key={date}
                scope="col"
                abbr={formatLocalDate(date, { weekday: "long" })}
                className="h-7 text-center text-sm font-normal text-muted-foreground"
              >
                {formatLocalDate(date, { weekday: "narrow" })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block">
          {weeks.map((week) => (
            <tr key={week[0]} className="grid grid-cols-7">
              {week.map((date) => (
                <td key={date} className="grid place-items-center p-0">
                  <button
                    type="button"
                    data-date={date}
                    tabIndex={date === focused ? 0 : -1}
                    aria-label={formatLocalDate(date, { dateStyle: "full" })}
                    aria-pressed={date === value}
                    aria-current={date === today ? "date" : undefined}
                    aria-disabled={!isPossible(date) || undefined}
                    onKeyDown={press}
                    onClick={() => isPossible(date) && onPick(date)}
                    className={cn(
                      "grid size-9 place-items-center rounded-md tabular-nums hover:bg-hover",
                      monthOf(date) !== month && "text-faint-foreground",
                      date === today && "font-semibold text-brass-ink underline decoration-2 underline-offset-4",
                      date === value && "bg-primary text-primary-foreground hover:bg-primary-hover",
                      !isPossible(date) && "cursor-not-allowed text-faint-foreground line-through opacity-60",
                    )}
                  >
                    {formatNumber(Number(date.slice(8)))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
