import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, Coffee } from "lucide-react";
import { useEffect } from "react";
import { BlockOutMark } from "@/entities/lock/block-out-mark.tsx";
import { LockMark } from "@/entities/lock/lock-mark.tsx";
import type { RoomAction, RoomActions } from "@/entities/room/room-actions.ts";
import { type RoomLabels, roomLabels } from "@/entities/room/room-labels.ts";
import { RoomLink } from "@/entities/room/room-link.tsx";
import { RoomStates } from "@/entities/room/room-status.tsx";
import { cn } from "@/lib/cn.ts";
import { formatList, formatMoney, formatTime, formatWeekdayDate } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Fact } from "@/ui/card-parts.tsx";
import { SheetPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Kbd } from "@/ui/primitives/kbd.tsx";
import { Sheet } from "@/ui/primitives/sheet.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";

type RoomDrawerProps = {
  room: BoardRoom;
  groupName: string | null;
  clock: HotelClock;
  actions: RoomActions;
  onClose: () => void;
};

/** What the desk needs of one room, beside the board: who is in it, what is owed, and everything that can be done now. */
export default function RoomDrawer({ room, groupName, clock, actions, onClose }: RoomDrawerProps) {
  const hotel = useHotel();
  const labels = roomLabels(room, clock, hotel);
  const facts = [
    groupName,
    t("room.onFloor", { floor: room.floor }),
    room.usualMinor !== null && t("room.perNight", { price: formatMoney(room.usualMinor, hotel.currency) }),
  ];
  const stay = room.current ?? (labels.isGuestName ? room.next : null);
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetPanel
        title={t("board.roomNamed", { name: room.name })}
        description={facts.filter(Boolean).join(" · ")}
        className="sm:max-w-lg"
        footer={
          <Button asChild variant="outline" className="w-full">
            <RoomLink roomId={room.id}>
              {t("board.openRoom")}
              <ArrowUpRight aria-hidden className="flip-rtl" />
            </RoomLink>
          </Button>
        }
      >
        <div className="grid gap-5">
          <RoomState room={room} labels={labels} />
          {stay && <StayInRoom stay={stay} labels={labels} />}
          <Actions actions={actions} onClose={onClose} />
        </div>
      </SheetPanel>
    </Sheet>
  );
}

function RoomState({ room, labels }: { room: BoardRoom; labels: RoomLabels }) {
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <RoomStates room={room} labels={labels} />
        <BlockOutMark lock={room.lock} />
        <LockMark lock={room.lock} detailed className="ms-auto" />
      </div>
      {!labels.isGuestName && (labels.mainText || labels.detail) && (
        <p className="text-muted-foreground">{[labels.mainText, labels.detail].filter(Boolean).join(" · ")}</p>
      )}
      {labels.isGuestName && room.remarkName && <p className="text-sm text-muted-foreground">{room.remarkName}</p>}
    </div>
  );
}

/** The stay in the room, or the one that arrives today. What is owed is read when the drawer opens. */
function StayInRoom({ stay, labels }: { stay: NonNullable<BoardRoom["current"]>; labels: RoomLabels }) {
  const can = useCan();
  const { timeZone, currency } = useHotel();
  const detail = useQuery(trpc.stays.detail.queryOptions({ stayId: stay.stayId }, { enabled: can("stays.view") }));
  const when = (instant: string): string => `${formatWeekdayDate(instant, timeZone)}, ${formatTime(instant, timeZone)}`;
  const owed = detail.data?.money.owedMinor;
  return (
    <section className="rounded-lg border bg-card p-4">
      <h3 className="name-run text-lg font-semibold">{labels.mainText}</h3>
      <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3">
        <Fact label={t("stay.arrival")}>{when(stay.startsAt)}</Fact>
        <Fact label={t("stay.departure")}>
          <span className={cn(labels.overdue && "font-medium text-expired")}>{when(stay.endsAt)}</span>
        </Fact>
        {can("stays.view") && (
          <>
            <Fact label={t("stay.owed")}>
              {owed === undefined ? (
                <Skeleton className="h-5 w-16" />
              ) : (
                <span className={cn("tabular-nums", owed > 0 && "font-semibold text-danger")}>
                  {formatMoney(owed, currency)}
                </span>
              )}
            </Fact>
            <Fact label={t("nav.guests")}>
              {detail.data ? formatList(detail.data.guests.map(({ name }) => name)) : <Skeleton className="h-5 w-24" />}
            </Fact>
          </>
        )}
      </dl>
      {stay.breakfast && (
        <StatusChip tone="neutral" icon={Coffee} size="sm" className="mt-3">
          {t("board.breakfast")}
        </StatusChip>
      )}
    </section>
  );
}

type ActionsProps = { actions: RoomActions; onClose: () => void };

/** All actions; those that open a dialog close the drawer, and those at the door and on the status leave it open. */
function Actions({ actions, onClose }: ActionsProps) {
  const { primary, stay, door, status } = actions;
  const closing = (action: RoomAction) => (): void => {
    onClose();
    action.onSelect();
  };
  useLetters([...stay, ...status], closing);
  const others = (list: readonly RoomAction[]): RoomAction[] => list.filter((action) => action !== primary);
  return (
    <div className="grid gap-3">
      {primary && (
        <ActionButton size="lg" onClick={closing(primary)} aria-keyshortcuts={primary.key}>
          <primary.icon aria-hidden />
          {primary.label}
          <KeyHint action={primary} />
        </ActionButton>
      )}
      <ActionList actions={others(stay)} run={closing} />
      <ActionList actions={door} run={(action) => (action.id === "openDoor" ? action.onSelect : closing(action))} />
      <ActionList
        actions={others(status)}
        run={(action) => (action.id === "maintenance" ? closing(action) : action.onSelect)}
      />
    </div>
  );
}

/** The letters of the actions, as on the room's card. */
function useLetters(actions: readonly RoomAction[], run: (action: RoomAction) => () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      const action = actions.find(({ key }) => key === event.key.toLowerCase());
      if (!action) return;
      event.preventDefault();
      run(action)();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}

function ActionList({ actions, run }: { actions: readonly RoomAction[]; run: (action: RoomAction) => () => void }) {
  if (actions.length === 0) return null;
  return (
    <div className="grid gap-1.5 border-t pt-3 sm:grid-cols-2">
      {actions.map((action) => (
        <ActionButton
          key={action.id}
          variant="ghost"
          className={cn("h-auto min-h-9 justify-start py-1.5 whitespace-normal", action.danger && "text-danger")}
          needsServer={action.needsServer === true}
          onClick={run(action)}
          aria-keyshortcuts={action.key}
        >
          <action.icon aria-hidden />
          <span className="min-w-0 flex-1 text-start leading-tight">{action.label}</span>
          <KeyHint action={action} />
        </ActionButton>
      ))}
    </div>
  );
}

function KeyHint({ action }: { action: RoomAction }) {
  if (!action.key) return null;
  return (
    <span aria-hidden className="ms-auto pointer-coarse:hidden">
      <Kbd>{action.key.toUpperCase()}</Kbd>
    </span>
  );
}
