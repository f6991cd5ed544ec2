import type { Capability } from "@innkey/shared/capabilities";
import type { RoomStatus } from "@innkey/shared/enums";
import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import {
  ArrowLeftRight,
  CalendarPlus,
  CalendarSync,
  CalendarX,
  CircleQuestionMark,
  Contact,
  CreditCard,
  DoorOpen,
  Hash,
  IdCardLanyard,
  KeyRound,
  LockKeyholeOpen,
  type LucideIcon,
  MessageSquareText,
  Paintbrush,
  ReceiptText,
  ScanFace,
  ShieldAlert,
  Sparkles,
  UserX,
  Wrench,
} from "lucide-react";
import { useCallback } from "react";
import { t } from "@/lib/i18n.ts";
import { isConnectionLost } from "@/lib/loading/connection.ts";
import { loadOrReload } from "@/lib/loading/missing-part.ts";
import { type Me, useMe } from "@/lib/session.ts";
import { type HotelClock, useHotelClock } from "@/lib/time/timers.ts";
import { firstPeriod } from "../stay/period.ts";
import { type StayActions, useStayActions } from "../stay/stay-actions.tsx";
import { isArriving } from "./room-state.ts";
import { useSetRoomStatus } from "./use-set-room-status.ts";

type StatusActionId = "inService" | "clean" | "dirty" | "maintenance";

export type RoomAction<Id extends string = string> = {
  id: Id;
  label: string;
  /** A one-word label for a narrow card. */
  short?: string;
  icon: LucideIcon;
  /** Letter that triggers the action while the room has the focus. */
  key?: string;
  danger?: boolean;
  needsServer?: true;
  onSelect: () => void;
};

/** The actions that are possible for a room now; `primary` is the most likely one. */
export type RoomActions = {
  primary: RoomAction | undefined;
  stay: RoomAction[];
  /** Actions with the room's lock. */
  door: RoomAction[];
  status: RoomAction<StatusActionId>[];
};

/** What the actions need: texts, permissions, the time and the functions that carry them out. */
type ActionDeps = {
  can: (capability: Capability) => boolean;
  stays: StayActions;
  clock: HotelClock;
  hotel: Me["hotel"];
  setStatus: (input: { roomIds: number[]; status: "vacant" | "dirty" }) => void;
  onMaintenance: (roomIds: number[]) => void;
};

/** Returns the next reservation if it starts today; a later one doesn't appear in the room's actions. */
function arrivalToday(room: BoardRoom, { clock }: ActionDeps): BoardRoom["next"] {
  return isArriving(room, clock) ? room.next : null;
}

function stayActions(room: BoardRoom, deps: ActionDeps): RoomAction[] {
  const { can, stays, clock, hotel } = deps;
  if (!can("stays.manage")) return [];
  const { current, status } = room;
  const next = arrivalToday(room, deps);
  const free = !current && (status === "vacant" || status === "dirty" || status === "reserved");
  const actions: (RoomAction | false | null)[] = [
    current && {
      id: "checkOut",
      key: "o",
      label: t("board.checkOut"),
      short: t("board.short.checkOut"),
      icon: DoorOpen,
      onSelect: () => stays.checkOut(current.stayId),
    },
    current && {
      id: "renew",
      key: "e",
      label: t("board.renew"),
      icon: CalendarSync,
      onSelect: () => stays.renew(current.stayId),
    },
    current && {
      id: "changeRoom",
      key: "m",
      label: t("board.changeRoom"),
      icon: ArrowLeftRight,
      onSelect: () => stays.changeRoom(current.stayId),
    },
    current && {
      id: "addExtra",
      label: t("board.addExtra"),
      icon: ReceiptText,
      onSelect: () => stays.addExtra(current.stayId),
    },
    current &&
      room.lock &&
      can("cards.issue") && {
        id: "writeCard",
        key: "k",
        label: t("board.newCard"),
        short: t("board.short.writeCard"),
        icon: CreditCard,
        onSelect: () => stays.writeCard(current.stayId),
      },
    current &&
      room.lock &&
      can("cards.issue") && {
        id: "lostCard",
        label: t("board.lostCard"),
        icon: ShieldAlert,
        onSelect: () => stays.replaceLostCard(current.stayId),
      },
    !current &&
      next &&
      status !== "maintenance" && {
        id: "arrive",
        key: status === "reserved" ? "c" : undefined,
        label: status === "reserved" ? t("board.checkIn") : t("board.checkInGuest", { name: next.guestName }),
        short: t("board.short.checkIn"),
        icon: KeyRound,
        onSelect: () => stays.arrive(next.stayId),
      },
    free &&
      status !== "reserved" && {
        id: "checkIn",
        key: "c",
        label: t("board.checkIn"),
        short: t("board.short.checkIn"),
        icon: KeyRound,
        onSelect: () => stays.checkIn(room.id),
      },
    {
      id: "reserve",
      key: "r",
      label: t("board.reserve"),
      icon: CalendarPlus,
      // An occupied room is free from the departure on.
      onSelect: () =>
        stays.reserve(
          room.id,
          current ? firstPeriod("reserve", hotel, Math.max(clock.now, Date.parse(current.endsAt))) : undefined,
        ),
    },
    !current &&
      next && {
        id: "moveBooking",
        label: t("board.changeRoom"),
        icon: ArrowLeftRight,
        onSelect: () => stays.changeRoom(next.stayId),
      },
    !current &&
      next &&
      Date.parse(next.startsAt) <= deps.clock.now && {
        id: "noShow",
        label: t("board.noShow"),
        icon: UserX,
        onSelect: () => stays.noShow(next.stayId),
      },
    !current &&
      next && {
        id: "cancel",
        label: t("board.cancelReservation"),
        icon: CalendarX,
        danger: true,
        onSelect: () => stays.cancel(next.stayId),
      },
  ];
  return actions.filter((action): action is RoomAction => Boolean(action));
}

function guestActions(room: BoardRoom, deps: ActionDeps): RoomAction[] {
  const { can, stays } = deps;
  const stay = room.current ?? arrivalToday(room, deps);
  if (!stay || !can("stays.view")) return [];
  return [
    {
      id: "guest",
      key: "g",
      label: t("board.guestDetails"),
      icon: Contact,
      onSelect: () => stays.openStay(stay.stayGuestId),
    },
  ];
}

function doorActions({ id, name, lock, current }: BoardRoom, { can, stays }: ActionDeps): RoomAction[] {
  if (!lock) return [];
  const door = { roomId: id, roomName: name, lockId: lock.id };
  const actions: (RoomAction | false)[] = [
    can("locks.open") && {
      id: "openDoor",
      label: t("board.openDoor"),
      icon: LockKeyholeOpen,
      onSelect: () =>
        void loadOrReload(import("@/entities/lock/open-door.ts")).then(
          ({ openDoorWithToast }) => openDoorWithToast(door),
          () => undefined,
        ),
    },
    can("passcodes.issue") && {
      id: "createPasscode",
      label: t("board.newCode"),
      icon: Hash,
      onSelect: () => stays.createPasscode(current ? { stayId: current.stayId } : { roomIds: [id] }),
    },
    current !== null &&
      can("faces.manage") && {
        id: "addFace",
        label: t("board.addFace"),
        icon: ScanFace,
        onSelect: () => stays.addFace(current.stayId),
      },
    current === null &&
      can("cards.issue") && {
        id: "showRoom",
        label: t("board.showRoom"),
        icon: IdCardLanyard,
        onSelect: () => stays.showRoom(id),
      },
    can("locks.view") && {
      id: "checkKey",
      label: t("nav.keyCheck"),
      icon: CircleQuestionMark,
      onSelect: () => stays.checkKey({ roomId: id }),
    },
    can("locks.open") && {
      id: "displayText",
      label: t("board.sendNotice"),
      icon: MessageSquareText,
      onSelect: () => stays.sendDisplayText(id),
    },
  ];
  return actions.filter((action): action is RoomAction => action !== false);
}

function statusActions(room: BoardRoom, { can, setStatus, onMaintenance }: ActionDeps): RoomAction<StatusActionId>[] {
  if (!can("rooms.status")) return [];
  const change = (status: "vacant" | "dirty") => () => setStatus({ roomIds: [room.id], status });
  const actions: (RoomAction<StatusActionId> | false)[] = [
    room.status === "maintenance" && {
      id: "inService",
      key: "v",
      label: t("board.backInService"),
      short: t("board.short.inService"),
      icon: Sparkles,
      onSelect: change("vacant"),
    },
    room.condition === "dirty" &&
      !room.current &&
      room.status !== "maintenance" && {
        id: "clean",
        key: "v",
        label: t("board.markClean"),
        short: t("board.short.clean"),
        icon: Sparkles,
        onSelect: change("vacant"),
      },
    room.condition === "clean" && {
      id: "dirty",
      key: "d",
      label: t("board.markDirty"),
      icon: Paintbrush,
      onSelect: change("dirty"),
    },
    !room.current &&
      room.status !== "maintenance" && {
        id: "maintenance",
        label: t("board.maintenance"),
        icon: Wrench,
        onSelect: () => onMaintenance([room.id]),
      },
  ];
  return actions.filter((action): action is RoomAction<StatusActionId> => action !== false);
}

const PRIMARY_ACTION: Record<RoomStatus, string> = {
  vacant: "checkIn",
  reserved: "arrive",
  checked_in: "checkOut",
  dirty: "clean",
  maintenance: "inService",
};

/**
 * Letters and the palette trigger an action without its button, which would say why it isn't possible while the server
 * is unreachable.
 */
function requiringServer<Id extends string>(action: RoomAction<Id>): RoomAction<Id> {
  return { ...action, needsServer: true, onSelect: () => !isConnectionLost() && action.onSelect() };
}

function roomActions(room: BoardRoom, deps: ActionDeps): RoomActions {
  const stay = [...stayActions(room, deps).map(requiringServer), ...guestActions(room, deps)];
  const status = statusActions(room, deps).map(requiringServer);
  return {
    primary: [...stay, ...status].find((action) => action.id === PRIMARY_ACTION[room.status]),
    stay,
    door: doorActions(room, deps).map(requiringServer),
    status,
  };
}

/**
 * `onMaintenance` opens the dialog that asks until when and why. It must be stable, so that cards are drawn only when
 * they change.
 */
export function useRoomActions(onMaintenance: (roomIds: number[]) => void): (room: BoardRoom) => RoomActions {
  const { capabilities, hotel } = useMe();
  const stays = useStayActions();
  const clock = useHotelClock();
  const { mutate: setStatus } = useSetRoomStatus();
  return useCallback(
    (room) => {
      const can = (capability: Capability): boolean => capabilities.includes(capability);
      return roomActions(room, { can, stays, clock, hotel, setStatus, onMaintenance });
    },
    [capabilities, stays, clock, hotel, setStatus, onMaintenance],
  );
}
