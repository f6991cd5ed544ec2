import type { Board, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronLeft, Search } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { boardQuery, roomGroups } from "@/entities/room/board-query.ts";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { NoPermission } from "@/ui/can.tsx";
import { CardOverReader } from "@/ui/drawings.tsx";
import { TextInput } from "@/ui/form/text-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { EmptyState, ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { STATUS_ICONS, type StatusTone } from "@/ui/status-chip.tsx";
import { StationRoom } from "./station-room.tsx";

const TONES: Record<BoardRoom["status"], StatusTone> = {
  vacant: "vacant",
  reserved: "reserved",
  checked_in: "checkedIn",
  dirty: "dirty",
  maintenance: "maintenance",
};

type StationRoomsProps = {
  board: Board;
  selectedId: number | undefined;
  searchRef: RefObject<HTMLInputElement | null>;
  onChoose: (roomId: number) => void;
  className?: string;
};

/** List of all rooms. Enter in the search field chooses the first match, and arrow keys move through the list. */
function StationRooms({ board, selectedId, searchRef, onChoose, className }: StationRoomsProps) {
  const [query, setQuery] = useState("");
  const groups = roomGroups(board, query, t("stay.noGroup"));
  const [firstMatch] = groups.flatMap(({ rooms }) => rooms);

  function moveFocus(event: KeyboardEvent<HTMLElement>): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, button")];
    const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  return (
    <Card
      role="region"
      aria-label={t("nav.rooms")}
      className={cn(
        "flex min-w-0 flex-col overflow-hidden lg:sticky lg:top-4 lg:max-h-[calc(100dvh-11rem)]",
        className,
      )}
      onKeyDown={moveFocus}
    >
      <search className="border-b p-3">
        <TextInput
          ref={searchRef}
          type="search"
          data-page-search
          icon={Search}
          aria-label={t("card.station.search")}
          aria-keyshortcuts="/"
          placeholder={t("card.station.search")}
          autoComplete="off"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && firstMatch) onChoose(firstMatch.id);
            if (event.key === "Escape") setQuery("");
          }}
        />
      </search>
      <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto p-2">
        {groups.length === 0 && <EmptyState title={t("common.nothingFound")} className="py-8" />}
        {groups.map((group) => (
          <div key={group.id ?? "none"} className="mb-2">
            <h2 className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted-foreground">{group.name}</h2>
            <ul>
              {group.rooms.map((room) => (
                <li key={room.id}>
                  <RoomButton room={room} isSelected={room.id === selectedId} onChoose={onChoose} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Card>
  );
}

type RoomButtonProps = { room: BoardRoom; isSelected: boolean; onChoose: (roomId: number) => void };

function RoomButton({ room, isSelected, onChoose }: RoomButtonProps) {
  const tone = TONES[room.status];
  const Icon = STATUS_ICONS[tone];
  return (
    <button
      type="button"
      aria-current={isSelected || undefined}
      onClick={() => onChoose(room.id)}
      className={cn(
        "flex min-h-11 w-full items-center gap-3 rounded-md px-2.5 text-start -outline-offset-2 hover:bg-hover",
        isSelected && "bg-selected hover:bg-selected",
      )}
    >
      <bdi className="figures min-w-12 shrink-0 text-lg">{room.name}</bdi>
      <span dir="auto" className="name-run min-w-0 flex-1 truncate text-muted-foreground">
        {room.current?.guestName ?? room.remarkName}
      </span>
      <span className={cn("shrink-0", TEXT_STYLES[tone])} title={t(`status.${room.status}`)}>
        <Icon aria-hidden className="size-4" />
        <span className="sr-only">{t(`status.${room.status}`)}</span>
      </span>
    </button>
  );
}

const TEXT_STYLES: Partial<Record<StatusTone, string>> = {
  vacant: "text-vacant",
  reserved: "text-reserved",
  checkedIn: "text-checked-in",
  dirty: "text-dirty",
  maintenance: "text-maintenance",
};

/**
 * Card station of the desk: choose a room, put a card on the reader and press Enter. Enter also continues with the next
 * card.
 */
export function StationPage({ roomId }: { roomId: number | undefined }) {
  return useCan()("cards.issue") ? <Station roomId={roomId} /> : <NoPermission />;
}

function Station({ roomId }: { roomId: number | undefined }) {
  const navigate = useNavigate();
  const board = useQuery(boardQuery);
  const search = useRef<HTMLInputElement>(null);
  const room = board.data?.rooms.find(({ id }) => id === roomId);
  const isLoaded = board.data !== undefined;

  useEffect(() => {
    if (isLoaded && roomId === undefined) search.current?.focus();
  }, [isLoaded, roomId]);

  function choose(next: number | undefined): void {
    void navigate({ to: "/cardToEncryption/cardToEncryption", search: { room: next }, replace: true });
  }

  if (board.error && !board.data) return <ErrorState error={board.error} onRetry={() => void board.refetch()} />;
  if (!board.data) return <PageSkeleton />;
  return (
    <>
      <PageHeader title={t("card.station.title")} description={t("card.station.text")} />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <StationRooms
          board={board.data}
          selectedId={room?.id}
          searchRef={search}
          onChoose={choose}
          className={cn(room && "max-lg:hidden")}
        />
        <section aria-label={t("card.station.chosen")} className={cn("min-w-0", !room && "max-lg:hidden")}>
          {room ? (
            <>
              <Button variant="ghost" size="sm" className="mb-2 lg:hidden" onClick={() => choose(undefined)}>
                <ChevronLeft aria-hidden className="flip-rtl" />
                {t("card.station.back")}
              </Button>
              <StationRoom
                key={`${room.id}:${room.current?.stayId ?? ""}`}
                room={room}
                onLeave={() => {
                  search.current?.focus();
                  search.current?.select();
                }}
              />
            </>
          ) : (
            <Card>
              <EmptyState
                drawing={CardOverReader}
                title={t("card.station.pick")}
                description={t("card.station.pickText")}
              />
            </Card>
          )}
        </section>
      </div>
    </>
  );
}
