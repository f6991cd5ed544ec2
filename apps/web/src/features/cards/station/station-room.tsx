import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CalendarSync, CreditCard, KeyRound, Nfc } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { isArriving } from "@/entities/room/room-state.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { formatDateTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { useHotelClock } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { Can } from "@/ui/can.tsx";
import { ClosedDoor, EmptyCorridor } from "@/ui/drawings.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Kbd } from "@/ui/primitives/kbd.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { StayCards } from "../stay-cards.tsx";
import { clearDraft, saveDraft } from "../writing/card-draft.ts";
import { GuestCardFields, useGuestCards } from "../writing/guest-card-fields.tsx";

/** Writes cards for the guests of a room, one after the other. */
function StationGuest({ stayId, onLeave }: { stayId: number; onLeave: () => void }) {
  const stay = useQuery(trpc.stays.detail.queryOptions({ stayId }));
  if (stay.error && !stay.data) return <ErrorState error={stay.error} onRetry={() => void stay.refetch()} />;
  if (!stay.data) return <Skeleton className="h-96 rounded-lg" />;
  return (
    <div className="grid grid-cols-1 gap-5">
      {stay.data.expired ? <EndedStay stay={stay.data} /> : <CardWriter stay={stay.data} onLeave={onLeave} />}
      <Can capability="cards.view">
        <StayCards stay={stay.data} atStation />
      </Can>
    </div>
  );
}

/** Says that no card is written any more. The keys of the stay still open for the hotel's minutes after the departure. */
function EndedStay({ stay }: { stay: StayDetail }) {
  const { timeZone } = useHotel();
  const { data: keys } = useQuery(trpc.keys.ofStay.queryOptions({ stayId: stay.id }));
  const { now } = useHotelClock();
  const until = keys && Date.parse(keys.opensUntil) > now ? keys.opensUntil : null;
  const at = formatDateTime(stay.endsAt, timeZone);
  const actions = useStayActions();
  return (
    <Card>
      <CardContent className="grid grid-cols-1 gap-4">
        <StayFacts stay={stay} />
        <Callout
          tone="warning"
          title={until ? t("card.station.lateTitle") : t("locks.verdict.stay_over.title")}
          actions={
            <Can capability="stays.manage">
              <ActionButton variant="outline" size="sm" onClick={() => actions.renew(stay.id)}>
                <CalendarSync aria-hidden />
                {t("locks.mend.renew")}
              </ActionButton>
            </Can>
          }
        >
          <p>
            {until
              ? t("card.station.lateText", { at, until: formatDateTime(until, timeZone) })
              : t("locks.verdict.stay_over.text", { at })}
          </p>
        </Callout>
      </CardContent>
    </Card>
  );
}

function CardWriter({ stay, onLeave }: { stay: StayDetail; onLeave: () => void }) {
  const { timeZone } = useHotel();
  const { data: keys } = useQuery(trpc.keys.ofStay.queryOptions({ stayId: stay.id }));
  const cards = useGuestCards(stay);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => button.current?.focus({ preventScroll: true }), []);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    if (cards.busy) cards.cancel();
    else onLeave();
  }

  return (
    <Card onKeyDown={onKeyDown}>
      <CardContent className="grid grid-cols-1 gap-4">
        <StayFacts stay={stay} />
        {keys && (
          <p className="text-muted-foreground">
            {t("card.opensUntil", { until: formatDateTime(keys.opensUntil, timeZone) })}
          </p>
        )}
        <GuestCardFields cards={cards} room={stay.room.name} guests={stay.guests.length} />
        <div className="flex gap-2">
          <ActionButton ref={button} size="lg" className="flex-1" pending={cards.busy} onClick={cards.write}>
            <Nfc aria-hidden />
            {cards.label}
          </ActionButton>
          {cards.busy && (
            <Button variant="outline" size="lg" onClick={cards.cancel}>
              {t("common.cancel")}
            </Button>
          )}
        </div>
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted-foreground max-lg:hidden">
          <span>
            <Kbd>Enter</Kbd> {t("card.station.enter")}
          </span>
          <span>
            <Kbd>Esc</Kbd> {t("card.station.escape")}
          </span>
        </p>
      </CardContent>
    </Card>
  );
}

type StationRoomProps = {
  room: BoardRoom;
  /** Returns to the list of rooms. */
  onLeave: () => void;
};

/** Shows the cards of the room's guests, or what must happen before cards can be written. */
export function StationRoom({ room, onLeave }: StationRoomProps) {
  if (room.lock === null) {
    return (
      <Card>
        <EmptyState
          drawing={ClosedDoor}
          title={t("locks.verdict.no_lock.title")}
          description={t("locks.verdict.no_lock.text", { roomName: room.name })}
          action={
            <Can capability="rooms.manage">
              <Button variant="outline" asChild>
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
  const stays = useStayActions();
  const navigate = useNavigate();
  const clock = useHotelClock();
  const next = isArriving(room, clock) ? room.next : null;

  function managementCard(): void {
    clearDraft();
    saveDraft({ roomIds: [room.id] });
    void navigate({ to: "/center/addCard" });
  }

  return (
    <Card>
      <EmptyState
        drawing={EmptyCorridor}
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
            <ActionButton size="lg" onClick={() => (next ? stays.arrive(next.stayId) : stays.checkIn(room.id))}>
              <KeyRound aria-hidden />
              {next ? t("board.checkInGuest", { name: next.guestName }) : t("board.checkIn")}
            </ActionButton>
          </Can>
        )}
        <Can capability="cards.master">
          <ActionButton variant="outline" size="lg" onClick={managementCard}>
            <CreditCard aria-hidden />
            {t("card.management.add")}
          </ActionButton>
        </Can>
      </div>
    </Card>
  );
}
