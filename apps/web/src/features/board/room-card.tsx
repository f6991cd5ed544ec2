import type { BoardMark, KeyMark } from "@innkey/shared/schemas/overview/board-marks";
import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { Hammer, LogIn, LogOut } from "lucide-react";
import { type KeyboardEvent, memo } from "react";
import type { RoomAction, RoomActions } from "@/entities/room/room-actions.ts";
import { roomLabels } from "@/entities/room/room-labels.ts";
import { RoomLink } from "@/entities/room/room-link.tsx";
import { RoomStatusChip } from "@/entities/room/room-status.tsx";
import { cn } from "@/lib/cn.ts";
import { formatMoney } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import type { Me } from "@/lib/session.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { CardMarks, keyMarkOf, OwedMark } from "./card-marks.tsx";

/**
 * Height of every card, in rem. It is fixed so that the layout doesn't jump and rows can be positioned before they are
 * rendered.
 */
export const CARD_REM = 5.5;
export const GAP_REM = 0.5;
/** Narrowest card, in rem: a room number, its status and a figure fit in one line. */
export const MIN_CARD_REM = 9.5;

const SPINES: Record<BoardRoom["status"] | "overdue", string> = {
  vacant: "border-vacant bg-vacant-soft",
  reserved: "border-reserved striped text-reserved",
  checked_in: "border-checked-in bg-checked-in",
  dirty: "border-dirty striped text-dirty",
  maintenance: "border-maintenance striped text-maintenance",
  overdue: "border-expired bg-expired",
};

/**
 * The end of the key tag with its hole. Its fill says what is in the room even without colour: full if guests are,
 * empty if it is free, striped if it can't be used yet.
 */
function Spine({ tone }: { tone: keyof typeof SPINES }) {
  return (
    <span
      aria-hidden
      className={cn(
        "pointer-events-none absolute inset-y-0 start-0 w-2.5 rounded-s-[0.6rem] border-e print:border",
        SPINES[tone],
      )}
    >
      <span className="absolute inset-x-0 top-2 mx-auto size-1.5 rounded-full border border-inherit bg-background" />
    </span>
  );
}

const BRIEF_ICONS = { leaves: LogOut, arrives: LogIn, until: Hammer } as const;

function BriefIcon({ kind }: { kind: keyof typeof BRIEF_ICONS }) {
  const Icon = BRIEF_ICONS[kind];
  return <Icon aria-hidden className="flip-rtl size-3 shrink-0" />;
}

type ActInput = { actions: RoomActions; keyMark: KeyMark | "again" | null; clock: HotelClock };

/** Returns what the desk does next: guests who stay get their card first, and whoever leaves today is checked out. */
function nextAct({ current }: BoardRoom, { actions, keyMark, clock }: ActInput): RoomAction | undefined {
  const staysOn = current !== null && Date.parse(current.endsAt) >= clock.endOfToday;
  const lacksCard = keyMark === "none" || keyMark === "again";
  const writeCard = actions.stay.find(({ id }) => id === "writeCard");
  return (staysOn && lacksCard && writeCard) || actions.primary;
}

const NUMBER_STYLE =
  "max-w-28 min-w-8 shrink-0 truncate figures text-2xl leading-8 before:absolute before:inset-0 before:rounded-lg before:content-[''] focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:outline-ring";

type RoomCardProps = {
  room: BoardRoom;
  clock: HotelClock;
  hotel: Me["hotel"];
  actionsOf: (room: BoardRoom) => RoomActions;
  /** What is missing of the stay that the card shows. */
  mark: BoardMark | undefined;
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
    mark,
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
  const keyMark = keyMarkOf(room, mark?.key ?? null);
  const owedMinor = mark?.owedMinor ?? null;
  const act = nextAct(room, { actions, keyMark, clock });
  // A card is too narrow for whole phrases in every language, so we prefer the short label.
  const actLabel = act?.short ?? act?.label ?? "";
  const cardLabel = [
    labels.label,
    keyMark === "waiting" && t("board.keyWaits"),
    owedMinor !== null && t("board.owes", { amount: formatMoney(owedMinor, hotel.currency) }),
  ]
    .filter(Boolean)
    .join(", ");
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
        "group absolute flex flex-col rounded-lg border bg-card py-1 ps-4 pe-2 shadow-card print:static print:h-auto! print:w-auto! print:break-inside-avoid print:shadow-none transition-[border-color,box-shadow] focus-within:border-input hover:border-input hover:shadow-float",
        labels.overdue && "border-expired/50 bg-expired-soft/70",
        selected && "border-ring ring-1 ring-ring",
      )}
    >
      <Spine tone={labels.overdue ? "overdue" : room.status} />
      <div className="flex h-8 shrink-0 items-center justify-between gap-1.5 print:h-auto print:flex-wrap">
        {selected === null ? (
          <RoomLink
            roomId={room.id}
            onOpen={onOpen}
            data-room={room.id}
            tabIndex={tabIndex}
            aria-label={cardLabel}
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
            aria-label={cardLabel}
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
            <StatusChip tone="expired" size="fit" className="gap-1 bg-transparent!">
              {t("status.overdue")}
            </StatusChip>
          ) : (
            <RoomStatusChip
              status={room.status}
              size={room.current ? "icon" : "fit"}
              className="gap-1 px-0! bg-transparent!"
            />
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
            <CheckboxInput value={selected} onChange={() => onToggle(room.id)} tabIndex={-1} aria-label={cardLabel} />
          </span>
        )}
      </div>

      <div className="flex min-w-0 items-center gap-1.5">
        <p
          dir={labels.isGuestName ? undefined : "auto"}
          title={labels.isGuestName ? labels.mainText : undefined}
          className={cn(
            "name-run min-w-0 flex-1 truncate leading-5",
            labels.isGuestName ? "font-medium" : "text-sm text-muted-foreground",
          )}
        >
          {labels.shortText}
        </p>
        <CardMarks room={room} keyMark={keyMark} hasBreakfast={room.current?.breakfast ?? false} />
      </div>

      <div className="mt-auto flex h-6 shrink-0 items-center gap-1.5 print:h-auto">
        <p
          className="min-w-0 flex-1 truncate text-xs text-muted-foreground"
          title={[labels.detail, labels.exactFigure].filter(Boolean).join(" · ")}
        >
          {labels.brief ? (
            <span className="inline-flex max-w-full items-center gap-1 print:hidden">
              <BriefIcon kind={labels.brief.kind} />
              <span aria-hidden className="truncate">
                {labels.brief.text}
              </span>
            </span>
          ) : (
            <span aria-hidden className="print:hidden">
              {labels.detail}
            </span>
          )}
          <span className="sr-only print:not-sr-only">{labels.detail}</span>
        </p>
        {owedMinor !== null && <OwedMark owedMinor={owedMinor} currency={hotel.currency} />}
        {!labels.isGuestName && room.status !== "maintenance" && (
          <span className="shrink-0 text-xs text-muted-foreground tabular-nums">{labels.figure}</span>
        )}
        {selected === null && act && (
          <ActionButton
            variant="outline"
            size="sm"
            tabIndex={tabIndex}
            onClick={act.onSelect}
            title={act.label}
            aria-label={t("board.actionInRoom", { action: actLabel, room: room.name })}
            className="absolute end-1.5 bottom-1 h-7 max-w-[calc(100%-0.75rem)] gap-1.5 bg-card! px-2 group-[:not(:hover,:focus-within)]:opacity-0! pointer-coarse:hidden print:hidden"
          >
            <act.icon aria-hidden />
            <span className="truncate">{actLabel}</span>
          </ActionButton>
        )}
      </div>
    </li>
  );
});
