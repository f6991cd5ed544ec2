import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { Coffee } from "lucide-react";
import { type KeyboardEvent, memo } from "react";
import { LockMark } from "@/entities/lock/lock-mark.tsx";
import type { RoomActions } from "@/entities/room/room-actions.ts";
import { roomLabels } from "@/entities/room/room-labels.ts";
import { RoomLink } from "@/entities/room/room-link.tsx";
import { RoomMenu } from "@/entities/room/room-menu.tsx";
import { RoomStatusChip } from "@/entities/room/room-status.tsx";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import type { Me } from "@/lib/session.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";

/**
 * Height of every card, in rem. It is fixed so that the layout doesn't jump and rows can be positioned before they are
 * rendered.
 */
export const CARD_REM = 10.5;
export const GAP_REM = 0.75;

const BACKGROUNDS: Record<BoardRoom["status"], string> = {
  vacant: "bg-card",
  reserved: "bg-reserved-soft/55",
  checked_in: "bg-checked-in-soft/60",
  dirty: "bg-dirty-soft/60",
  maintenance: "bg-maintenance-soft/60",
};

type RoomCardProps = {
  room: BoardRoom;
  clock: HotelClock;
  hotel: Me["hotel"];
  actionsOf: (room: BoardRoom) => RoomActions;
  /** Position in the list: pixels from its top, the card's column, and the number of columns. */
  top: number;
  column: number;
  columns: number;
  /** True for the one card that is in the tab order. */
  active: boolean;
  onActive: (roomId: number) => void;
  /** Moves the focus to another card on arrow keys. */
  onWalk: (event: KeyboardEvent, roomId: number) => void;
  position: number;
  total: number;
  /** Whether the card is selected. Null while selection is off; otherwise a click toggles the card. */
  selected: boolean | null;
  onToggle: (roomId: number) => void;
};

export const RoomCard = memo(function RoomCard(props: RoomCardProps) {
  const {
    room,
    clock,
    hotel,
    actionsOf,
    top,
    column,
    columns,
    active,
    onActive,
    onWalk,
    position,
    total,
    selected,
    onToggle,
  } = props;
  const labels = roomLabels(room, clock, hotel);
  const actions = actionsOf(room);
  // A card is too narrow for whole phrases in every language, so we prefer the short label.
  const primaryLabel = actions.primary?.short ?? actions.primary?.label ?? "";
  const tabIndex = active ? 0 : -1;

  function handleKey(event: KeyboardEvent): void {
    onWalk(event, room.id);
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || selected !== null) return;
    const shortcutAction = [...actions.stay, ...actions.status].find(
      (action) => action.key === event.key.toLowerCase(),
    );
    if (!shortcutAction) return;
    event.preventDefault();
    shortcutAction.onSelect();
  }

  return (
    <li
      aria-setsize={total}
      aria-posinset={position}
      style={{
        top,
        height: `${CARD_REM}rem`,
        insetInlineStart: `calc((100% + ${GAP_REM}rem) / ${columns} * ${column})`,
        width: `calc((100% + ${GAP_REM}rem) / ${columns} - ${GAP_REM}rem)`,
      }}
      className={cn(
        "group absolute flex flex-col rounded-lg border p-3 ps-3.5 shadow-card print:static print:h-auto! print:w-auto! print:break-inside-avoid print:shadow-none transition-[border-color,box-shadow] focus-within:border-input hover:border-input hover:shadow-float",
        BACKGROUNDS[room.status],
        labels.overdue && "border-expired/50 bg-expired-soft/70",
        selected && "border-ring ring-1 ring-ring",
      )}
    >
      <div className="flex items-baseline gap-2">
        {selected === null ? (
          <RoomLink
            roomId={room.id}
            data-room={room.id}
            tabIndex={tabIndex}
            aria-label={labels.label}
            onFocus={() => onActive(room.id)}
            onKeyDown={handleKey}
            className="min-w-16 truncate text-2xl leading-8 font-semibold tracking-tight outline-offset-4 before:absolute before:inset-0 before:rounded-lg before:content-[''] focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:outline-ring"
          >
            {room.name}
          </RoomLink>
        ) : (
          <button
            type="button"
            data-room={room.id}
            tabIndex={tabIndex}
            aria-pressed={selected}
            aria-label={labels.label}
            onFocus={() => onActive(room.id)}
            onKeyDown={handleKey}
            onClick={() => onToggle(room.id)}
            className="min-w-16 truncate text-start text-2xl leading-8 font-semibold tracking-tight before:absolute before:inset-0 before:rounded-lg before:content-[''] focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:outline-ring"
          >
            {room.name}
          </button>
        )}
        <span
          title={labels.exactFigure}
          className={cn(
            "ms-auto min-w-0 truncate text-sm",
            labels.overdue ? "font-medium text-expired" : "text-muted-foreground",
          )}
        >
          {labels.figure}
        </span>
      </div>

      <div data-states className="mt-1 flex min-h-5 items-center gap-1.5 overflow-hidden print:flex-wrap">
        {labels.overdue ? (
          <StatusChip tone="expired" size="sm" className="px-0! bg-transparent!">
            {t("status.overdue")}
          </StatusChip>
        ) : (
          <RoomStatusChip status={room.status} size="sm" className="px-0! bg-transparent!" />
        )}
        {labels.needsCleaning && (
          <StatusChip tone="dirty" size="sm" className="print:border print:border-current">
            {t("status.dirty")}
          </StatusChip>
        )}
        {labels.arriving && (
          <StatusChip tone="reserved" size="sm" className="print:border print:border-current">
            {t("status.arriving")}
          </StatusChip>
        )}
        <span className="ms-auto flex shrink-0 items-center gap-1.5">
          {room.current?.breakfast && (
            <span title={t("board.breakfast")} className="text-muted-foreground">
              <Coffee aria-hidden className="size-4" />
              <span className="sr-only">{t("board.breakfast")}</span>
            </span>
          )}
          <LockMark lock={room.lock} />
        </span>
      </div>

      <p
        dir={labels.isGuestName ? undefined : "auto"}
        className={cn("name-run mt-1.5 truncate", labels.isGuestName ? "font-medium" : "text-muted-foreground")}
      >
        {labels.mainText}
      </p>
      <p className="truncate text-sm text-muted-foreground" title={labels.detail}>
        {labels.detail}
      </p>

      <div className="mt-auto flex h-8 items-center gap-2 print:hidden">
        {selected === null ? (
          <div className="relative ms-auto -me-1.5 flex min-w-0 items-center gap-0.5 pointer-coarse:flex-1">
            {actions.primary && (
              <ActionButton
                variant="outline"
                size="sm"
                tabIndex={tabIndex}
                onClick={actions.primary.onSelect}
                title={actions.primary.label}
                aria-label={t("board.actionInRoom", { action: primaryLabel, room: room.name })}
                className="min-w-0 shrink gap-1.5 px-2.5 pointer-coarse:flex-1 pointer-fine:group-[:not(:hover,:focus-within)]:opacity-0!"
              >
                <actions.primary.icon aria-hidden />
                <span className="truncate">{primaryLabel}</span>
              </ActionButton>
            )}
            <RoomMenu room={room} actions={actions} tabIndex={tabIndex} />
          </div>
        ) : (
          <span className="relative ms-auto">
            <CheckboxInput
              value={selected}
              onChange={() => onToggle(room.id)}
              tabIndex={-1}
              aria-label={labels.label}
            />
          </span>
        )}
      </div>
    </li>
  );
});
