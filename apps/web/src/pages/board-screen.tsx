import type { Board, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CalendarSearch, ChevronRight, ListChecks, Plus } from "lucide-react";
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useBoardMarks } from "@/entities/room/board-marks.ts";
import { boardQuery } from "@/entities/room/board-query.ts";
import { useRoomActions } from "@/entities/room/room-actions.ts";
import { useSetRoomStatus } from "@/entities/room/use-set-room-status.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { BoardCards, BoardSkeleton } from "@/features/board/board-cards.tsx";
import { BoardSummary, BoardToolbar, PrintMenu, SelectionBar, useRoomChoice } from "@/features/board/board-header.tsx";
import type { BoardSearch } from "@/features/board/board-search.ts";
import { viewBoard } from "@/features/board/board-view.ts";
import { DoorStripSlot } from "@/features/unlocks/door-strip-slot.tsx";
import { readSoon } from "@/lib/events/topics.ts";
import { formatNumber } from "@/lib/format.ts";
import { language, t } from "@/lib/i18n.ts";
import { appLazy, useWarmed } from "@/lib/loading/app-lazy.ts";
import { ignoreFailure } from "@/lib/loading/missing-part.ts";
import { mayKeepBoard } from "@/lib/offline/kept-board.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { type HotelClock, useAt, useHotelClock } from "@/lib/time/timers.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Can } from "@/ui/can.tsx";
import { EmptyCorridor } from "@/ui/drawings.tsx";
import { LiveMark } from "@/ui/live-mark.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { type RoomDialog, RoomDialogs } from "./room-dialogs.tsx";

const loadRoomDrawer = () => import("@/features/board/room-drawer.tsx");
const RoomDrawer = appLazy(loadRoomDrawer);
const HousekeepingSheet = appLazy(() => import("@/features/board/housekeeping-sheet.tsx"));
const BoardTable = appLazy(() => import("@/features/board/board-table.tsx"));

const collator = new Intl.Collator(language.tag, { numeric: true, sensitivity: "base" });

const readBoard = (): void => readSoon(["board"]);

/** Focuses the first card or line, after a search that was just typed has been drawn. */
function focusFirstRoom(): void {
  document.querySelector<HTMLElement>("main [data-room][tabindex='0'], main table a")?.focus();
}

type BoardScreenProps = { search: BoardSearch; onSearch: (patch: BoardSearch) => void };

/** The desk's home page: every room, live. */
export function BoardScreen({ search, onSearch }: BoardScreenProps) {
  const can = useCan();
  const { data: board, error, isError, refetch, dataUpdatedAt } = useQuery(boardQuery);
  const clock = useHotelClock();
  const marks = useBoardMarks();
  const announcement = useAnnouncedChanges(board?.rooms);
  const [dialog, setDialog] = useState<RoomDialog | null>(null);
  const askMaintenance = useCallback((roomIds: number[]) => setDialog({ kind: "maintenance", roomIds }), []);
  const actionsOf = useRoomActions(askMaintenance);
  const stays = useStayActions();
  const setStatus = useSetRoomStatus();
  const choice = useRoomChoice();
  useWarmed(loadRoomDrawer);
  const [isPrinting, setPrinting] = useState(false);
  const endPrinting = useCallback(() => setPrinting(false), []);
  const [openId, setOpenId] = useState<number | null>(null);
  const openRoom = board?.rooms.find(({ id }) => id === openId);

  const view = useMemo(() => board && viewBoard(board, search, clock, collator), [board, search, clock]);
  useAt(board?.changesAt, readBoard);
  useKeptBoard(board, clock);

  useEffect(() => {
    if (!choice.selectedIds) return;
    const close = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !document.querySelector("[role='dialog'], [role='menu']")) choice.end();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [choice]);

  const selectedIds = [...(choice.selectedIds ?? [])];
  const occupied = board?.rooms.filter(({ status }) => status === "checked_in").length ?? 0;
  const lettable = board?.rooms.filter(({ status }) => status !== "maintenance").length ?? 0;
  const canSelect = can("rooms.status") || can("rooms.manage") || can("prices.manage");
  const filtered = search.status !== undefined || search.group !== undefined || search.q !== undefined;

  return (
    <>
      <header className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 max-lg:flex-1 max-sm:basis-full">
          <h1 className="text-xl font-semibold tracking-tight">{t("board.title")}</h1>
          <p className="text-sm text-muted-foreground" title={t("board.occupiedHow")}>
            {board &&
              t("board.occupied", {
                count: lettable,
                occupied: formatNumber(occupied),
                total: formatNumber(lettable),
                share: formatNumber(lettable ? occupied / lettable : 0, { style: "percent" }),
              })}
          </p>
          <LiveMark readAt={dataUpdatedAt} failed={isError} />
        </div>
        {!(error && !board) && (
          <BoardToolbar
            board={board}
            shown={view?.rooms}
            search={search}
            onSearch={onSearch}
            onLeaveSearch={focusFirstRoom}
          >
            {board && board.rooms.length > 0 && (
              <Can capability="stays.manage">
                <IconButton
                  icon={CalendarSearch}
                  variant="outline"
                  needsServer
                  label={t("board.findRoom")}
                  onClick={stays.findRoom}
                />
              </Can>
            )}
            {board && canSelect && board.rooms.length > 0 && (
              <IconButton
                icon={ListChecks}
                variant="outline"
                label={t("board.choose")}
                aria-pressed={choice.selectedIds !== null}
                onClick={choice.selectedIds ? choice.end : choice.begin}
              />
            )}
            {board && board.rooms.length > 0 && <PrintMenu onHousekeeping={() => setPrinting(true)} />}
            {board && (
              <Can capability="rooms.manage">
                <IconButton
                  icon={Plus}
                  variant="outline"
                  needsServer
                  label={t("board.addRoom")}
                  onClick={() => setDialog({ kind: "create" })}
                />
              </Can>
            )}
          </BoardToolbar>
        )}
      </header>
      {error && !board ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <BoardSummary view={view} value={search.status} onChange={(status) => onSearch({ status })} />
          {can("stays.view") && (search.status === "arriving" || search.status === "leaving") && (
            <Link
              to="/home"
              search={{ list: search.status === "arriving" ? "arrivals" : "departures" }}
              className="mb-2.5 inline-flex items-center gap-1 rounded-sm text-sm font-medium text-brass-ink hover:underline print:hidden"
            >
              {t("board.byTime")}
              <ChevronRight aria-hidden className="flip-rtl size-4" />
            </Link>
          )}
          {can("unlocks.view") && <DoorStripSlot isWaiting={!board} />}
          {!board || !view ? (
            <BoardSkeleton />
          ) : board.rooms.length === 0 ? (
            <EmptyState
              drawing={EmptyCorridor}
              title={t("board.noRooms")}
              description={can("rooms.manage") ? t("board.noRoomsText") : t("board.noRoomsGranted")}
              action={
                can("rooms.manage") && (
                  <>
                    <ActionButton onClick={() => setDialog({ kind: "series" })}>{t("board.addRooms")}</ActionButton>
                    <ActionButton variant="outline" onClick={() => setDialog({ kind: "create" })}>
                      {t("board.addOneRoom")}
                    </ActionButton>
                    <Button variant="outline" asChild>
                      <Link to="/imports">{t("board.importRooms")}</Link>
                    </Button>
                  </>
                )
              }
            />
          ) : view.rooms.length === 0 ? (
            <EmptyState
              drawing={EmptyCorridor}
              title={t("board.noMatch")}
              action={
                filtered && (
                  <Button
                    variant="outline"
                    onClick={() => onSearch({ status: undefined, group: undefined, q: undefined })}
                  >
                    {t("board.showAll")}
                  </Button>
                )
              }
            />
          ) : search.view === "table" ? (
            <Suspense fallback={<BoardSkeleton />}>
              <BoardTable
                board={board}
                rooms={view.rooms}
                clock={clock}
                actionsOf={actionsOf}
                marks={marks}
                selection={choice.selectedIds}
                onToggle={choice.toggle}
              />
            </Suspense>
          ) : (
            <BoardCards
              view={view}
              clock={clock}
              actionsOf={actionsOf}
              marks={marks}
              selection={choice.selectedIds}
              onToggle={choice.toggle}
              onOpen={setOpenId}
            />
          )}
        </>
      )}
      {openRoom && (
        <Suspense>
          <RoomDrawer
            room={openRoom}
            groupName={board?.groups.find(({ id }) => id === openRoom.groupId)?.name ?? null}
            clock={clock}
            actions={actionsOf(openRoom)}
            onClose={() => setOpenId(null)}
          />
        </Suspense>
      )}
      {isPrinting && board && (
        <Suspense>
          <HousekeepingSheet board={board} clock={clock} onPrinted={endPrinting} />
        </Suspense>
      )}
      {choice.selectedIds && view && (
        <SelectionBar
          count={selectedIds.length}
          total={view.rooms.length}
          onAll={() => choice.set(view.rooms.map((room) => room.id))}
          onClose={choice.end}
          onClean={() => setStatus.mutate({ roomIds: selectedIds, status: "vacant" }, { onSuccess: choice.end })}
          onDirty={() => setStatus.mutate({ roomIds: selectedIds, status: "dirty" }, { onSuccess: choice.end })}
          onMaintenance={() => setDialog({ kind: "maintenance", roomIds: selectedIds })}
          onGroup={() => setDialog({ kind: "group", roomIds: selectedIds })}
          onPrices={() => setDialog({ kind: "prices", roomIds: selectedIds })}
        />
      )}
      <RoomDialogs
        dialog={dialog}
        onClose={() => setDialog(null)}
        onDone={() => {
          setDialog(null);
          choice.end();
        }}
      />
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </>
  );
}

/** Pause after a change before the board is kept, which also leaves the first paint alone. */
const KEEP_DELAY_MS = 3000;

/** Keeps the last board in the browser, for when the server is away. */
function useKeptBoard(board: Board | undefined, clock: HotelClock): void {
  const hotel = useHotel();
  const seesCards = useCan()("cards.view");
  const latestClock = useRef(clock);
  latestClock.current = clock;
  useEffect(() => {
    if (!board || !mayKeepBoard()) return;
    const keep = async (): Promise<void> => {
      const { saveBoardOffline } = await import("@/features/board/save-board-offline.ts");
      await saveBoardOffline(board, hotel, latestClock.current, seesCards);
    };
    const timer = setTimeout(() => ignoreFailure(keep()), KEEP_DELAY_MS);
    return () => clearTimeout(timer);
  }, [board, hotel, seesCards]);
}

const MAX_NAMED = 3;

/**
 * Announces to screen readers which rooms changed status while the board is open: by name if few, by number if many.
 */
function useAnnouncedChanges(rooms: readonly BoardRoom[] | undefined): string {
  const previous = useRef<Map<number, string> | null>(null);
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (!rooms) return;
    const before = previous.current;
    previous.current = new Map(rooms.map((room) => [room.id, room.status]));
    const changed = before ? rooms.filter((room) => before.has(room.id) && before.get(room.id) !== room.status) : [];
    if (changed.length === 0) return;
    const named = changed.map((room) => t("board.nowStatus", { name: room.name, status: t(`status.${room.status}`) }));
    setAnnouncement(changed.length <= MAX_NAMED ? named.join(" ") : t("board.roomsChanged", { count: changed.length }));
  }, [rooms]);
  return announcement;
}
