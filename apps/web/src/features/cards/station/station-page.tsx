import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronLeft, MousePointerClick } from "lucide-react";
import { useEffect, useRef } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { useBoardEvents } from "@/entities/room/use-board-events.ts";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { PageSkeleton } from "@/ui/page-skeleton.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { StationRoom } from "./station-room.tsx";
import { StationRooms } from "./station-rooms.tsx";

/**
 * Card station of the desk: choose a room, put a card on the reader and press Enter. Enter also continues with the next
 * card.
 */
export function StationPage({ roomId }: { roomId: number | undefined }) {
  return useCan()("cards.issue") ? <Station roomId={roomId} /> : <NoPermission />;
}

function Station({ roomId }: { roomId: number | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const board = useQuery(boardQuery);
  const search = useRef<HTMLInputElement>(null);
  useBoardEvents();
  const room = board.data?.rooms.find(({ id }) => id === roomId);
  const loaded = board.data !== undefined;

  useEffect(() => {
    if (loaded && roomId === undefined) search.current?.focus();
  }, [loaded, roomId]);

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
          chosenId={room?.id}
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
                icon={MousePointerClick}
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
