import { addDays, addMonths, isoWeekday, type LocalDate } from "@innkey/shared/hotel-time";
import { toDecimal } from "@innkey/shared/money";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { firstWeekday, formatLocalDate, formatNumber, hotelToday } from "@/lib/format.ts";
import { language, t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { type DateRange, dateAfterKey, datesOf, weeksOf } from "@/lib/time/weeks.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/ui/primitives/table.tsx";

export type DatePrice = { date: LocalDate; priceMinor: number };

export function orderedRange(first: LocalDate, second: LocalDate): DateRange {
  return first <= second ? { from: first, to: second } : { from: second, to: first };
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

/** Price of a night in minor units (null if unset), and the rule that it comes from. */
export type NightPrice = { minor: number | null; kind: "usual" | "weekend" | "special" };

type PriceCalendarProps = {
  priceOf: (date: LocalDate) => NightPrice;
  range: DateRange | null;
  /** Called when a day is picked: the first pick starts a range, the second ends it. */
  onPick: (date: LocalDate) => void;
};

/** Calendar of a month with the price of each night. */
export function PriceCalendar({ priceOf, range, onPick }: PriceCalendarProps) {
  const { timeZone, currency, weekendNights } = useHotel();
  const today = hotelToday(timeZone);
  const [focused, setFocused] = useState(range?.from ?? today);
  const [month, setMonth] = useState(`${(range?.from ?? today).slice(0, 7)}-01`);
  const grid = useRef<HTMLTableElement>(null);
  const shouldMoveFocus = useRef(false);
  const weeks = weeksOf(month, firstWeekday());
  const tabbable = focused.startsWith(month.slice(0, 7)) ? focused : month;

  useEffect(() => {
    if (!shouldMoveFocus.current) return;
    shouldMoveFocus.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-date="${focused}"]`)?.focus();
  }, [focused]);

  function turnMonth(months: number): void {
    const next = addMonths(month, months);
    setMonth(next);
    setFocused(next);
  }

  function moveFocus(event: KeyboardEvent): void {
    const next = dateAfterKey(tabbable, event, { firstDay: firstWeekday(), dir: language.dir });
    if (next === null) return;
    event.preventDefault();
    shouldMoveFocus.current = true;
    setMonth(`${next.slice(0, 7)}-01`);
    setFocused(next);
  }

  const formatPlain = (minor: number): string => {
    const digits = minor % 100 === 0 ? 0 : undefined;
    return formatNumber(Number(toDecimal(minor, currency)), {
      maximumFractionDigits: digits,
      notation: minor > 9_999_999 ? "compact" : "standard",
    });
  };

  return (
    <div>
      <div className="mb-2 flex items-center justify-between">
        <h3 className="font-semibold" aria-live="polite">
          {formatLocalDate(month, { month: "long", year: "numeric" })}
        </h3>
        <div className="flex">
          <IconButton
            icon={ChevronLeft}
            flip
            size="icon-sm"
            label={t("dates.previousMonth")}
            onClick={() => turnMonth(-1)}
          />
          <IconButton
            icon={ChevronRight}
            flip
            size="icon-sm"
            label={t("dates.nextMonth")}
            onClick={() => turnMonth(1)}
          />
        </div>
      </div>
      <Table
        ref={grid}
        spacing="none"
        aria-label={t("prices.calendar")}
        className="table-fixed border-separate border-spacing-1"
      >
        <TableHeader>
          <TableRow>
            {weeks[0]?.map((date) => (
              <TableHead
                key={date}
                className={cn("h-6 text-center", weekendNights.includes(isoWeekday(date)) && "text-foreground")}
              >
                {formatLocalDate(date, { weekday: "short" })}
              </TableHead>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody lines={false}>
          {weeks.map((week) => (
            <TableRow key={week[0]}>
              {week.map((date) => {
                const inMonth = date.startsWith(month.slice(0, 7));
                const night = priceOf(date);
                const isSelected = range !== null && date >= range.from && date <= range.to;
                return (
                  <TableCell key={date}>
                    <button
                      type="button"
                      data-date={date}
                      tabIndex={date === tabbable ? 0 : -1}
                      aria-pressed={isSelected}
                      onKeyDown={moveFocus}
                      onClick={() => {
                        setFocused(date);
                        onPick(date);
                      }}
                      className={cn(
                        "flex h-13 w-full flex-col items-center justify-center rounded-md border border-transparent hover:border-input",
                        night.kind === "weekend" && "bg-sunken",
                        night.kind === "special" && "bg-brass-soft font-medium text-brass-ink",
                        (!inMonth || date < today) && "text-faint-foreground",
                        isSelected && "border-ring ring-1 ring-ring",
                      )}
                    >
                      <span
                        className={cn("text-sm", date === today && "rounded-full bg-foreground px-1.5 text-background")}
                      >
                        {formatNumber(Number(date.slice(8)))}
                      </span>
                      <span
                        className={cn(
                          "text-xs",
                          inMonth && date >= today && night.kind !== "special" && "text-muted-foreground",
                        )}
                      >
                        {night.minor === null ? "–" : formatPlain(night.minor)}
                      </span>
                      <span className="sr-only">
                        {`${formatLocalDate(date, { dateStyle: "full" })}, ${t(`prices.kind.${night.kind}`)}`}
                      </span>
                    </button>
                  </TableCell>
                );
              })}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
