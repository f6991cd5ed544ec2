import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, UserRound, X } from "lucide-react";
import { useCallback, useMemo } from "react";
import { RoomFilter } from "@/entities/room/room-filter.tsx";
import type { DoorSearch, RecordSearch } from "@/entities/unlock/record-search.ts";
import { barCount, barsOf, shiftSpan, spanText, TrafficBars } from "@/entities/unlock/traffic-bars.tsx";
import { cn } from "@/lib/cn.ts";
import { hotelToday } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { DateInput } from "@/ui/form/dates/date-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { RecordList } from "./record-list.tsx";
import type { RecordSubject } from "./record-queries.ts";

type TrafficCardProps = {
  /** Null means the whole hotel. */
  roomId: number | null;
  search: RecordSearch;
  onSearch: (patch: RecordSearch) => void;
  className?: string;
};

/** Chart of door openings by the hours of a day or the days of a month. A bar filters the list below. */
export function TrafficCard({ roomId, search, onSearch, className }: TrafficCardProps) {
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
          <div className="flex flex-wrap items-center justify-end gap-2">
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
                onClick={() => show(shiftSpan(date, span, -1))}
              />
              <DateInput
                value={date}
                max={today}
                required
                aria-label={t("doors.traffic.date")}
                onChange={(next) => next && show(next)}
                className="w-46"
              />
              <IconButton
                icon={ChevronRight}
                flip
                label={t("doors.traffic.after")}
                disabled={shiftSpan(date, span, 1) > today}
                onClick={() => show(shiftSpan(date, span, 1))}
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
            selectedFrom={search.from ?? null}
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

type DoorsPageProps = { search: DoorSearch; onSearch: (patch: DoorSearch) => void };

/** Door activity of the hotel, a room or a guest: traffic over time and the records. */
export function DoorsPage({ search, onSearch }: DoorsPageProps) {
  const can = useCan();
  const { room, person, q } = search;
  const setQuery = useCallback((text: string) => onSearch({ q: text || undefined, room: undefined }), [onSearch]);
  const subject = useMemo((): RecordSubject => {
    if (person !== undefined) return { stayGuestId: person };
    if (q) return { keyword: q };
    return room === undefined ? "hotel" : { roomId: room };
  }, [room, person, q]);
  if (!can("unlocks.view")) return <NoPermission />;
  return (
    <>
      <PageHeader title={t("nav.doorRecords")} description={t("doors.text")} />
      {person === undefined && !q && (
        <TrafficCard roomId={room ?? null} search={search} onSearch={onSearch} className="mb-6" />
      )}
      <RecordList
        subject={subject}
        search={search}
        onSearch={onSearch}
        emptyText={
          q
            ? { title: t("room.noUnlocksHere") }
            : person === undefined
              ? { title: t("doors.strip.none"), description: t("room.noUnlocksText") }
              : { title: t("doors.noneOfGuest") }
        }
        toolbar={
          person === undefined ? (
            <>
              <SearchInput label={t("doors.search")} value={q ?? ""} onChange={setQuery} />
              {can("rooms.view") && (
                <RoomFilter
                  roomId={room ?? null}
                  placeholder={t("doors.anyRoom")}
                  onChange={(next) => onSearch({ room: next ?? undefined, q: undefined })}
                />
              )}
            </>
          ) : (
            <PersonChoice stayGuestId={person} onClear={() => onSearch({ person: undefined })} />
          )
        }
      />
    </>
  );
}

function PersonChoice({ stayGuestId, onClear }: { stayGuestId: number; onClear: () => void }) {
  const seesGuests = useCan()("stays.view");
  const { data: stay } = useQuery(trpc.stays.byGuest.queryOptions({ stayGuestId }, { enabled: seesGuests }));
  const name = stay?.guests.find((guest) => guest.stayGuestId === stayGuestId)?.name;
  return (
    <Button
      variant="outline"
      onClick={onClear}
      aria-pressed
      aria-label={name ? t("doors.endGuest", { name }) : t("doors.endAnyGuest")}
    >
      <UserRound aria-hidden />
      {name ?? t("room.tenant")}
      <X aria-hidden />
    </Button>
  );
}
