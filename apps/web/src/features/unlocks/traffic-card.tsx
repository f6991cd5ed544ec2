import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo } from "react";
import type { RecordSearch } from "@/entities/unlock/record-search.ts";
import { barCount, barsOf, spanText, stepped, TrafficBars } from "@/entities/unlock/traffic-bars.tsx";

import { cn } from "@/lib/cn.ts";
import { hotelToday } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { CardHeading } from "@/ui/card-heading.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { Segmented } from "@/ui/form/segmented.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

type TrafficCardProps = {
  /** Null means the whole hotel. */
  roomId: number | null;
  search: RecordSearch;
  onSearch: (patch: RecordSearch) => void;
  className?: string;
};

/**
 * We refresh slowly, because counting a month costs more than a page of records. The list shows new records at once.
 */

/** Chart of door openings by the hours of a day or the days of a month. A bar filters the list below. */
export function TrafficCard({ roomId, search, onSearch, className }: TrafficCardProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const span = search.span ?? "day";
  const today = hotelToday(timeZone);
  const date = search.day ?? today;
  const show = (day: string): void => onSearch({ day: day === today ? undefined : day });
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.unlocks.traffic.queryOptions(
      { roomId, date, span },
      {
        // The old bars stay until the answer arrives, unless their number doesn't fit the new period.
        placeholderData: (before) => (before?.buckets.length === barCount(date, span) ? before : undefined),
      },
    ),
  );
  const bars = useMemo(() => data && barsOf(data, span, date, timeZone), [data, span, date, timeZone]);

  return (
    <Card className={className}>
      <CardHeading
        title={t("doors.traffic.title")}
        description={spanText(date, span)}
        actions={
          <div className="flex flex-wrap items-center gap-2">
            <Segmented
              options={[
                { value: "day", label: t("doors.traffic.day") },
                { value: "month", label: t("doors.traffic.month") },
              ]}
              value={span}
              onChange={(next) => onSearch({ span: next === "day" ? undefined : next })}
              aria-label={t("doors.traffic.span")}
            />
            <span className="inline-flex items-center">
              <IconButton
                icon={ChevronLeft}
                flip
                label={t("doors.traffic.before")}
                onClick={() => show(stepped(date, span, -1))}
              />
              <Input
                type="date"
                value={date}
                max={today}
                required
                aria-label={t("doors.traffic.date")}
                onChange={(event) => event.target.value && show(event.target.value)}
                className="w-40 lg:w-36"
              />
              <IconButton
                icon={ChevronRight}
                flip
                label={t("doors.traffic.after")}
                disabled={stepped(date, span, 1) > today}
                onClick={() => show(stepped(date, span, 1))}
              />
            </span>
          </div>
        }
      />
      <CardContent>
        {error && !bars ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : bars ? (
          <TrafficBars
            title={`${t("doors.traffic.title")}, ${spanText(date, span)}`}
            unit={span === "day" ? t("doors.traffic.hour") : t("doors.traffic.day")}
            bars={bars}
            chosen={search.from}
            onChoose={({ from, to }) =>
              onSearch({
                range: undefined,
                from: from === search.from ? undefined : from,
                to: from === search.from ? undefined : to,
              })
            }
            className={cn("transition-opacity", isPlaceholderData && "opacity-60")}
          />
        ) : (
          <Skeleton className="h-50" />
        )}
      </CardContent>
    </Card>
  );
}
