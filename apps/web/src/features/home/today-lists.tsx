import type { HomeOverview } from "@innkey/shared/schemas/overview/home";
import type { TodayStay } from "@innkey/shared/schemas/overview/today";
import { useQuery } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { Suspense, useCallback, useState } from "react";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { appLazy } from "@/lib/loading/app-lazy.ts";
import { type HotelClock, useHotelClock } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { EmptyCorridor } from "@/ui/drawings.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { PageTabs } from "@/ui/page-tabs.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { TabsContent } from "@/ui/primitives/tabs.tsx";
import { TodayRow } from "./today-row.tsx";
import { TODAY_LISTS, type TodayList } from "./today-search.ts";

const TodaySheet = appLazy(() => import("./today-sheet.tsx"));

/** Splits what the desk deals with today. Who leaves today is also in the house. */
function listsOf(stays: readonly TodayStay[], { endOfToday }: HotelClock): Record<TodayList, TodayStay[]> {
  const inHouse = stays.filter(({ state }) => state === "checked_in");
  return {
    arrivals: stays.filter(({ state }) => state === "reserved"),
    departures: inHouse.filter(({ endsAt }) => Date.parse(endsAt) < endOfToday),
    inHouse,
  };
}

type TodayListsProps = {
  /** Numbers of those who have come and gone today. */
  moves: Pick<HomeOverview, "arrivals" | "departures"> | undefined;
  list: TodayList;
  onList: (list: TodayList) => void;
};

/** Arrivals, departures and guests in the house by time, each with the act that comes next. */
export function TodayLists({ moves, list, onList }: TodayListsProps) {
  const clock = useHotelClock();
  const [isPrinting, setPrinting] = useState(false);
  const endPrinting = useCallback(() => setPrinting(false), []);
  const { data, error, refetch } = useQuery(
    trpc.home.today.queryOptions(undefined, { refetchInterval: BY_TIME_MILLISECONDS }),
  );
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <div role="status" aria-label={t("common.loading")}>
        <Skeleton className="h-96 rounded-lg" />
      </div>
    );
  const lists = listsOf(data, clock);
  const summaries: Record<TodayList, string | null> = {
    arrivals: moveText("arrivals", lists.arrivals.length, moves?.arrivals?.done),
    departures: moveText("departures", lists.departures.length, moves?.departures?.done),
    inHouse: lists.inHouse.length === 0 ? t("home.lists.nobody") : null,
  };
  return (
    <Card className="overflow-hidden">
      <PageTabs
        label={t("home.lists.label")}
        value={list}
        onChange={onList}
        tabs={TODAY_LISTS.map((name) => ({
          value: name,
          label: t(`home.lists.${name}`),
          count: lists[name].length,
        }))}
        className="[&_[data-slot=tabs-content]]:pt-0 [&>[role=tablist]]:px-5"
      >
        {TODAY_LISTS.map((name) => (
          <TabsContent key={name} value={name}>
            {lists[name].length === 0 ? (
              <EmptyState drawing={EmptyCorridor} title={summaries[name]} />
            ) : (
              <>
                <div className="flex min-h-11 items-center gap-3 px-5 py-1.5">
                  <p className="min-w-0 flex-1 text-sm text-muted-foreground">{summaries[name]}</p>
                  <Button variant="ghost" size="sm" onClick={() => setPrinting(true)}>
                    <Printer aria-hidden />
                    {t("board.print")}
                  </Button>
                </div>
                <ul className="divide-y border-t">
                  {lists[name].map((stay) => (
                    <TodayRow key={stay.stayId} stay={stay} list={name} clock={clock} />
                  ))}
                </ul>
              </>
            )}
          </TabsContent>
        ))}
      </PageTabs>
      {isPrinting && (
        <Suspense>
          <TodaySheet list={list} stays={lists[list]} onPrinted={endPrinting} />
        </Suspense>
      )}
    </Card>
  );
}

function moveText(way: "arrivals" | "departures", left: number, done: number | undefined): string | null {
  if (done === undefined || (left === 0 && done === 0)) return left === 0 ? t(`home.${way}.none`) : null;
  return t(`home.${way}.figures`, { left: formatNumber(left), done: formatNumber(done) });
}
