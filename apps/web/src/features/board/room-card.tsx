import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { Coffee } from "lucide-react";
import { type KeyboardEvent, memo } from "react";
import { LockMark } from "@/entities/lock/lock-mark.tsx";
import { RewriteMark } from "@/entities/room/rewrite-mark.tsx";
import type { RoomActions } from "@/entities/room/room-actions.ts";
import { roomLabels } from "@/entities/room/room-labels.ts";
import { RoomLink } from "@/entities/room/room-link.tsx";
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
export const CARD_REM = 5.5;
export const GAP_REM = 0.5;
/** Narrowest card, in rem: a room number, its status and a figure fit in one line. */
export const MIN_CARD_REM = 9.5;

const BACKGROUNDS: Record<BoardRoom["status"], string> = {
  vacant: "bg-card",
  reserved: "bg-reserved-soft/55",
  checked_in: "bg-checked-in-soft/60",
  dirty: "bg-dirty-soft/60",
  maintenance: "bg-maintenance-soft/60",
};

const NUMBER_STYLE =
  "max-w-24 min-w-8 shrink-0 truncate text-lg leading-7 font-semibold tracking-tight before:absolute before:inset-0 before:rounded-lg before:content-[''] focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:outline-ring";

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
  onOpen: (roomId: number) => void;
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
    onOpen,
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
        "group absolute flex flex-col rounded-lg border px-2 py-1.5 shadow-card print:static print:h-auto! print:w-auto! print:break-inside-avoid print:shadow-none transition-[border-color,box-shadow] focus-within:border-input hover:border-input hover:shadow-float",
        BACKGROUNDS[room.status],
        labels.overdue && "border-expired/50 bg-expired-soft/70",
        selected && "border-ring ring-1 ring-ring",
      )}
    >
      <div className="flex h-7 shrink-0 items-center gap-1 print:h-auto print:flex-wrap">
        {selected === null ? (
          <RoomLink
            roomId={room.id}
            onOpen={onOpen}
            data-room={room.id}
            tabIndex={tabIndex}
            aria-label={labels.label}
            onFocus={() => onActive(room.id)}
            onKeyDown={handleKey}
            className={NUMBER_STYLE}
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
            className={cn("text-start", NUMBER_STYLE)}
          >
            {room.name}
          </button>
        )}
        <span data-states className="flex min-w-0 shrink items-center gap-1 print:flex-wrap">
          {labels.overdue ? (
            <StatusChip tone="expired" size="sm" className="gap-1 px-0! bg-transparent!">
              {t("status.overdue")}
            </StatusChip>
          ) : (
            <RoomStatusChip status={room.status} size="sm" className="gap-1 px-0! bg-transparent!" />
          )}
          {labels.needsCleaning && (
            <StatusChip tone="dirty" size="icon" className="print:border print:border-current">
              {t("status.dirty")}
            </StatusChip>
          )}
          {labels.arriving && (
            <StatusChip tone="reserved" size="icon" className="print:border print:border-current">
              {t("status.arriving")}
            </StatusChip>
          )}
        </span>
        {selected !== null && (
          <span className="relative ms-auto print:hidden">
            <CheckboxInput
              value={selected}
              onChange={() => onToggle(room.id)}
              tabIndex={-1}
              aria-label={labels.label}
            />
          </span>
        )}
      </div>

      <div className="flex min-w-0 items-center gap-1.5">
        <p
          dir={labels.isGuestName ? undefined : "auto"}
          className={cn(
            "name-run min-w-0 flex-1 truncate text-sm",
            labels.isGuestName ? "font-medium" : "text-muted-foreground",
          )}
        >
          {labels.mainText}
        </p>
        {room.current?.breakfast && (
          <span title={t("board.breakfast")} className="shrink-0 text-muted-foreground">
            <Coffee aria-hidden className="size-3.5" />
            <span className="sr-only">{t("board.breakfast")}</span>
          </span>
        )}
        <LockMark lock={room.lock} className="shrink-0 gap-1" />
      </div>

      <div className="mt-auto flex h-6 shrink-0 items-center gap-1 print:h-auto">
        <p
          className="min-w-0 flex-1 truncate text-xs text-muted-foreground"
          title={[labels.detail, labels.exactFigure].filter(Boolean).join(" · ")}
        >
          {labels.detail}
        </p>
        <RewriteMark room={room} />
        {!labels.isGuestName && (
          <span className="shrink-0 text-xs text-muted-foreground tabular-nums">{labels.figure}</span>
        )}
        {selected === null && actions.primary && (
          <ActionButton
            variant="outline"
            size="sm"
            tabIndex={tabIndex}
            onClick={actions.primary.onSelect}
            title={actions.primary.label}
            aria-label={t("board.actionInRoom", { action: primaryLabel, room: room.name })}
            className="absolute end-1.5 bottom-1 h-7 max-w-[calc(100%-0.75rem)] gap-1.5 bg-card! px-2 group-[:not(:hover,:focus-within)]:opacity-0! pointer-coarse:hidden print:hidden"
          >
            <actions.primary.icon aria-hidden />
            <span className="truncate">{primaryLabel}</span>
          </ActionButton>
        )}
      </div>
    </li>
  );
});
