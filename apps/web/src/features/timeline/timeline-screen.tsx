import { addDays } from "@innkey/shared/hotel-time";
import type { TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CalendarSearch } from "lucide-react";
import { type RefObject, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { useNarrow } from "@/lib/browser/use-narrow.ts";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate } from "@/lib/format.ts";
import { language, t } from "@/lib/i18n.ts";
import { lazyPart } from "@/lib/loading/app-lazy.ts";
import { TIMELINE_START } from "@/lib/loading/early-calls.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { hotelDate } from "@/lib/time/hotel-clock.ts";
import { useNow } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { EmptyCorridor } from "@/ui/drawings.tsx";
import { LiveMark } from "@/ui/live-mark.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { BarMenu, type OpenBar } from "./bar-menu.tsx";
import { useChanges } from "./change/use-changes.ts";
import { TimelineGrid } from "./grid/timeline-grid.tsx";
import { linesOf } from "./grid/timeline-rows.ts";
import { BAR_TONES, toneLabel } from "./timeline-labels.ts";
import type { TimelineSearch, Zoom } from "./timeline-search.ts";
import { ModeBar, TimelineToolbar } from "./timeline-toolbar.tsx";

/** Refresh interval, because a stay becomes overdue by time alone, without any event. */
const REFRESH_MILLISECONDS = 300_000;

/** Reads the timeline of the displayed days; without `from` those around the hotel's today. */
function useTimeline(input: { from?: string; before?: number; days: number }) {
  return useQuery(
    trpc.timeline.read.queryOptions(input, {
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MILLISECONDS,
    }),
  );
}

const ChangeDialog = lazyPart(() => import("./change/change-dialog.tsx"));

const collator = new Intl.Collator(language.tag, { numeric: true, sensitivity: "base" });
const DESK_ZOOMS: readonly Zoom[] = [7, 14, 31];
const PHONE_ZOOMS: readonly Zoom[] = [3, 5, 7];

type TimelineScreenProps = { search: TimelineSearch; onSearch: (patch: TimelineSearch) => void };

/** Timeline of rooms by days, which shows stays and free nights. */
export function TimelineScreen({ search, onSearch }: TimelineScreenProps) {
  const { timeZone } = useHotel();
  const can = useCan();
  const canManage = can("stays.manage");
  const managesRooms = can("rooms.manage");
  const stays = useStayActions();
  const narrow = useNarrow();
  const now = useNow();
  const today = hotelDate(now, timeZone);
  const zooms = narrow ? PHONE_ZOOMS : DESK_ZOOMS;
  const start = TIMELINE_START[narrow ? "narrow" : "wide"];
  const days = zooms.find((zoom) => zoom === search.days) ?? start.days;
  const query = useTimeline(search.from ? { from: search.from, days } : { before: start.before, days });
  const { data, error, refetch, dataUpdatedAt, isPlaceholderData } = query;
  const from = search.from ?? data?.days[0]?.date ?? addDays(today, -start.before);
  useOnNewDay(today, refetch);
  const [collapsedGroups, setCollapsedGroups] = useState<ReadonlySet<number>>(new Set());
  const [open, setOpen] = useState<OpenBar | null>(null);
  const frame = useRef<HTMLDivElement>(null);

  const lines = useMemo(
    () => (data ? linesOf(data, search, collapsedGroups, collator) : []),
    [data, search, collapsedGroups],
  );
  const changes = useChanges(data, lines, today);
  const goDays = useCallback((by: number) => onSearch({ from: addDays(from, by) }), [from, onSearch]);
  const page = useCallback(
    (direction: 1 | -1) => goDays(direction * Math.max(1, Math.floor(days / 2))),
    [goDays, days],
  );
  useWheelDays(frame, goDays);

  const toggle = useCallback(
    (groupId: number) =>
      setCollapsedGroups((old) =>
        old.has(groupId) ? new Set([...old].filter((id) => id !== groupId)) : new Set([...old, groupId]),
      ),
    [],
  );
  const openBar = useCallback(
    (bar: TimelineBar, element: HTMLElement) => {
      const lock = data?.rooms.find(({ id }) => id === bar.roomId)?.lockOnline ?? null;
      setOpen({ bar, box: element.getBoundingClientRect(), lock: lock !== null });
    },
    [data],
  );
  const filtered = search.q !== undefined || search.group !== undefined || search.status !== undefined;
  const last = addDays(from, days - 1);

  return (
    <>
      <PageHeader
        title={t("nav.timeline")}
        status={<LiveMark readAt={dataUpdatedAt} failed={error !== null} />}
        description={t("timeline.period", { start: formatLocalDate(from), end: formatLocalDate(last) })}
        actions={
          canManage && (
            <ActionButton variant="outline" onClick={stays.findRoom}>
              <CalendarSearch aria-hidden />
              {t("board.findRoom")}
            </ActionButton>
          )
        }
      />
      <TimelineToolbar
        timeline={data}
        search={search}
        from={from}
        days={days}
        zooms={zooms}
        onPage={page}
        onSearch={onSearch}
      />
      <div
        ref={frame}
        className={cn("transition-opacity", isPlaceholderData && "opacity-60")}
        aria-busy={isPlaceholderData}
      >
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton className="h-120" />
        ) : data.rooms.length === 0 ? (
          <EmptyState
            drawing={EmptyCorridor}
            title={t("board.noRooms")}
            description={managesRooms ? t("board.noRoomsText") : t("board.noRoomsGranted")}
            action={
              managesRooms && (
                <Button variant="outline" asChild>
                  <Link to="/room">{t("nav.rooms")}</Link>
                </Button>
              )
            }
          />
        ) : lines.length === 0 ? (
          <EmptyState
            drawing={EmptyCorridor}
            title={t("board.noMatch")}
            action={
              filtered && (
                <Button
                  variant="outline"
                  onClick={() => onSearch({ q: undefined, group: undefined, status: undefined })}
                >
                  {t("board.showAll")}
                </Button>
              )
            }
          />
        ) : (
          <TimelineGrid
            timeline={data}
            lines={lines}
            today={today}
            now={now}
            canManage={canManage}
            draft={changes.draft}
            onDraft={changes.setDraft}
            onDrop={changes.drop}
            onMode={changes.begin}
            onStretch={changes.beginCreate}
            onOpen={openBar}
            onCell={canManage ? changes.create : ignore}
            onToggle={toggle}
            onPage={page}
          />
        )}
      </div>
      {data && data.rooms.length > 0 && <TimelineLegend canManage={canManage} />}
      {open && (
        <BarMenu
          open={open}
          onMode={changes.begin}
          onClose={(back) => {
            setOpen(null);
            if (back) document.querySelector<HTMLElement>(`[data-bar="${open.bar.occupancyId}"]`)?.focus();
          }}
        />
      )}
      {changes.mode && changes.draft && (
        <ModeBar
          draft={changes.draft}
          draftText={changes.draftText}
          blocked={changes.blocked}
          onStep={changes.step}
          onRow={changes.row}
          onConfirm={() => changes.draft && changes.openPreview(changes.draft)}
          onCancel={changes.cancel}
        />
      )}
      {changes.target && (
        <Suspense>
          <ChangeDialog target={changes.target} onClose={changes.closePreview} />
        </Suspense>
      )}
      <p aria-live="polite" className="sr-only">
        {changes.draftText}
      </p>
    </>
  );
}

function ignore(): void {}

/** Calls `read` when the hotel's next day has begun, because what is shown begins with another day then. */
function useOnNewDay(today: string, read: () => unknown): void {
  const day = useRef(today);
  useEffect(() => {
    if (day.current === today) return;
    day.current = today;
    read();
  }, [today, read]);
}

/** Horizontal scroll distance for one day. */
const DAY_PIXELS = 60;

/** Moves through the days when the wheel scrolls sideways or with Shift. */
function useWheelDays(ref: RefObject<HTMLElement | null>, onDays: (days: number) => void): void {
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let scrolledPixels = 0;
    const handleWheel = (event: WheelEvent): void => {
      const sideways =
        Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0;
      if (sideways === 0) return;
      event.preventDefault();
      scrolledPixels += language.dir === "rtl" ? -sideways : sideways;
      const days = Math.trunc(scrolledPixels / DAY_PIXELS);
      if (days === 0) return;
      scrolledPixels -= days * DAY_PIXELS;
      onDays(days);
    };
    element.addEventListener("wheel", handleWheel, { passive: false });
    return () => element.removeEventListener("wheel", handleWheel);
  }, [ref, onDays]);
}

/** Explains the colours and keyboard shortcuts. */
function TimelineLegend({ canManage }: { canManage: boolean }) {
  return (
    <footer className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
      <ul aria-label={t("timeline.legend")} className="flex flex-wrap gap-1.5">
        {BAR_TONES.map((tone) => (
          <li key={tone}>
            <StatusChip size="sm" tone={tone}>
              {toneLabel(tone)}
            </StatusChip>
          </li>
        ))}
      </ul>
      {canManage && <p className="pointer-coarse:hidden">{t("timeline.help")}</p>}
    </footer>
  );
}
