import type { RoomDetail } from "@innkey/shared/schemas/property/rooms";
import { Link } from "@tanstack/react-router";
import { BedDouble } from "lucide-react";
import { BlockOutMark } from "@/entities/lock/block-out-mark.tsx";
import { LockMark } from "@/entities/lock/lock-mark.tsx";
import { RewriteMark } from "@/entities/room/rewrite-mark.tsx";
import { useRoomActions } from "@/entities/room/room-actions.ts";
import { roomLabels } from "@/entities/room/room-labels.ts";
import { RoomMenu } from "@/entities/room/room-menu.tsx";
import { RoomStates } from "@/entities/room/room-status.tsx";
import { cn } from "@/lib/cn.ts";
import { formatMoney } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { useHotelClock } from "@/lib/time/timers.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";

/** Summary of the room, with the next actions at the desk. */
export function RoomHeader({ room, onMaintenance }: { room: RoomDetail; onMaintenance: () => void }) {
  const hotel = useHotel();
  const can = useCan();
  const labels = roomLabels(room, useHotelClock(), hotel);
  // The note of a vacant room already stands beside its number.
  const mainText = labels.mainText === room.remarkName ? "" : labels.mainText;
  const actions = useRoomActions(onMaintenance)(room);
  const second = actions.stay.find(
    (action) => action !== actions.primary && (action.id === "renew" || action.id === "reserve"),
  );
  const openDoor = actions.door.find((action) => action.id === "openDoor");
  const facts = [
    room.groupName,
    t("room.onFloor", { floor: room.floor }),
    room.usualMinor !== null && t("room.perNight", { price: formatMoney(room.usualMinor, hotel.currency) }),
  ].filter(Boolean);

  return (
    <header className="mb-5 flex flex-wrap items-start gap-x-5 gap-y-4">
      <div
        className={cn(
          "grid h-28 w-40 shrink-0 place-items-center overflow-hidden rounded-lg border bg-sunken text-faint-foreground",
          room.pictureUrl ? "max-sm:h-36 max-sm:w-full" : "max-sm:hidden",
        )}
      >
        {room.pictureUrl ? (
          <img src={room.pictureUrl} alt={t("room.pictureAlt")} className="size-full object-cover" />
        ) : (
          <BedDouble aria-hidden className="size-8" strokeWidth={1.5} />
        )}
      </div>
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h1 className="figures text-2xl">{room.name}</h1>
          <span className="text-lg text-muted-foreground">{room.remarkName}</span>
          <RoomStates room={room} labels={labels} />
          <RewriteMark room={room} />
          <BlockOutMark lock={room.lock} />
        </div>
        <p className="mt-1">
          <span className="font-medium">{mainText}</span>
          {mainText && labels.detail && <span className="text-muted-foreground"> · </span>}
          <span className={labels.overdue ? "text-expired" : "text-muted-foreground"}>{labels.detail}</span>
        </p>
        <p className="mt-1 flex flex-wrap gap-x-2 text-sm text-muted-foreground">{facts.join(" · ")}</p>
        {room.lock && can("locks.view") ? (
          <Link
            to="/locks/$lockId"
            params={{ lockId: room.lock.id }}
            className="mt-1.5 block w-fit rounded-sm hover:underline"
          >
            <LockMark lock={room.lock} detailed />
          </Link>
        ) : (
          <LockMark lock={room.lock} detailed className="mt-1.5" />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
        {openDoor && (
          <ActionButton variant="outline" onClick={openDoor.onSelect}>
            <openDoor.icon aria-hidden />
            {openDoor.label}
          </ActionButton>
        )}
        {second && (
          <ActionButton variant="outline" needsServer={second.needsServer === true} onClick={second.onSelect}>
            <second.icon aria-hidden />
            {second.label}
          </ActionButton>
        )}
        {actions.primary && (
          <ActionButton onClick={actions.primary.onSelect}>
            <actions.primary.icon aria-hidden />
            {actions.primary.label}
          </ActionButton>
        )}
        <RoomMenu room={room} actions={actions} onPage />
      </div>
    </header>
  );
}
