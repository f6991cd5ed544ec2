import type { BoardRoom } from "@innkey/shared/schemas/rooms";
import { Link, useNavigate } from "@tanstack/react-router";
import { CreditCard, KeyRound, Unplug, UserRound } from "lucide-react";
import { isArriving } from "@/entities/room/room-state.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotelClock } from "@/lib/time/use-clock.ts";
import { Can } from "@/ui/can.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { dropDraft, keepDraft } from "../writing/card-draft.ts";
import { StationGuest } from "./station-guest.tsx";

type StationRoomProps = {
  room: BoardRoom;
  /** Returns to the list of rooms. */
  onLeave: () => void;
};

/** Shows the cards of the room's guests, or what must happen before cards can be written. */
export function StationRoom({ room, onLeave }: StationRoomProps) {
  const { t } = useTranslation();
  if (room.lock === null) {
    return (
      <Card>
        <EmptyState
          icon={Unplug}
          title={t("locks.verdict.no_lock.title")}
          description={t("locks.verdict.no_lock.text", { roomName: room.name })}
          action={
            <Can capability="rooms.manage">
              <Button asChild>
                <Link to="/room/$roomId" params={{ roomId: room.id }} search={{ tab: "settings" }}>
                  {t("locks.mend.add_lock")}
                </Link>
              </Button>
            </Can>
          }
        />
      </Card>
    );
  }
  if (room.current) return <StationGuest stayId={room.current.stayId} onLeave={onLeave} />;
  return <EmptyRoom room={room} />;
}

function EmptyRoom({ room }: { room: BoardRoom }) {
  const { t } = useTranslation();
  const stays = useStayActions();
  const navigate = useNavigate();
  const clock = useHotelClock();
  const next = isArriving(room, clock) ? room.next : null;

  function managementCard(): void {
    dropDraft();
    keepDraft({ roomIds: [room.id] });
    void navigate({ to: "/center/addCard" });
  }

  return (
    <Card>
      <EmptyState
        icon={UserRound}
        title={t("card.station.nobody", { room: room.name })}
        description={
          room.status === "maintenance"
            ? t("status.maintenance")
            : next
              ? t("card.station.expected", { guest: next.guestName })
              : t("card.station.nobodyText")
        }
      />
      <div className="-mt-9 flex flex-wrap justify-center gap-2 px-6 pb-14">
        {room.status !== "maintenance" && (
          <Can capability="stays.manage">
            <Button
              variant="primary"
              size="lg"
              onClick={() => (next ? stays.arrive(next.stayId) : stays.checkIn(room.id))}
            >
              <KeyRound aria-hidden />
              {next ? t("board.checkInGuest", { name: next.guestName }) : t("board.checkIn")}
            </Button>
          </Can>
        )}
        <Can capability="cards.master">
          <Button size="lg" needsServer onClick={managementCard}>
            <CreditCard aria-hidden />
            {t("card.management.add")}
          </Button>
        </Can>
      </div>
    </Card>
  );
}
