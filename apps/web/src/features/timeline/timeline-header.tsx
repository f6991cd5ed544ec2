// biome-ignore-all lint/a11y/useFocusableInteractive: one stop of the grid at a time can have the focus, never a line itself
// biome-ignore-all lint/a11y/useSemanticElements: bars span the cells of a line, which a table's cells can't let them
import type { Timeline } from "@innkey/shared/schemas/overview/timeline";
import { LogIn, LogOut } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";

/** Number of days above which columns have room only for the day. */
const WIDE_DAYS = 14;

/** Checks for Saturday or Sunday. The nights with weekend prices are a separate setting. */
export const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

type HeaderProps = { timeline: Timeline; today: string };

/** Counts the arrivals still to come and the departures of each day. Ended bars are left out. */
function trafficOf({ bars, days, endsAt }: Timeline): { arriving: number; leaving: number }[] {
  const edges = [...days.map(({ startsAt }) => startsAt), endsAt];
  const stays = bars.flatMap(({ stay, state }) => (stay && state !== "ended" ? [stay] : []));
  return days.map((_, day) => {
    const [from = "", to = ""] = [edges[day], edges[day + 1]];
    const on = (instant: string): boolean => instant >= from && instant < to;
    return {
      arriving: stays.filter(({ state, startsAt }) => state === "reserved" && on(startsAt)).length,
      leaving: stays.filter(({ endsAt: leaves }) => on(leaves)).length,
    };
  });
}

/** Headings of the days, with arrivals and departures where there is room. */
export function TimelineHeader({ timeline, today }: HeaderProps) {
  const { t } = useTranslation();
  const { days } = timeline;
  const traffic = trafficOf(timeline);
  const wide = days.length <= WIDE_DAYS;
  return (
    <div role="rowgroup" className="sticky top-[calc(3.5rem+var(--connection-bar))] z-40 rounded-t-lg border-b bg-card">
      <div role="row" aria-rowindex={1} className="flex">
        <div
          role="columnheader"
          className="flex w-(--head) shrink-0 items-end border-e px-2 py-1.5 text-sm font-medium text-muted-foreground sm:px-3"
        >
          {t("board.room")}
        </div>
        <div className="flex min-w-0 flex-1">
          {days.map(({ date }, at) => {
            const { arriving = 0, leaving = 0 } = traffic[at] ?? {};
            const first = at === 0 || date.endsWith("-01");
            return (
              <div
                key={date}
                role="columnheader"
                aria-colindex={at + 2}
                aria-current={date === today ? "date" : undefined}
                className={cn(
                  "min-w-0 flex-1 overflow-hidden border-e py-1 text-center text-xs last:border-e-0",
                  isWeekend(date) ? "bg-sunken text-foreground" : "text-muted-foreground",
                  date === today && "bg-brass-soft font-semibold text-brass-ink",
                )}
              >
                <span className="sr-only">{formatLocalDate(date, { dateStyle: "full" })}</span>
                <span aria-hidden className="block truncate">
                  {formatLocalDate(date, { weekday: wide ? "short" : "narrow" })}
                </span>
                <span aria-hidden className="block text-sm font-semibold whitespace-nowrap tabular-nums max-sm:text-xs">
                  {formatLocalDate(date, wide && first ? { day: "numeric", month: "short" } : { day: "numeric" })}
                </span>
                {wide && (
                  <span className="flex h-4 items-center justify-center gap-1.5 tabular-nums max-sm:hidden">
                    {arriving > 0 && (
                      <span
                        className="inline-flex items-center gap-0.5"
                        title={t("timeline.arrivals", { count: arriving })}
                      >
                        <LogIn aria-hidden className="flip-rtl size-3" />
                        <span className="sr-only">{t("timeline.arrivals", { count: arriving })}</span>
                        <span aria-hidden>{formatNumber(arriving)}</span>
                      </span>
                    )}
                    {leaving > 0 && (
                      <span
                        className="inline-flex items-center gap-0.5"
                        title={t("timeline.departures", { count: leaving })}
                      >
                        <LogOut aria-hidden className="flip-rtl size-3" />
                        <span className="sr-only">{t("timeline.departures", { count: leaving })}</span>
                        <span aria-hidden>{formatNumber(leaving)}</span>
                      </span>
                    )}
                  </span>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
