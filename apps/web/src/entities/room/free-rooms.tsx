import type { FreeRoom, FreeRoomGroup, FreeRooms } from "@innkey/shared/schemas/stays/availability";
import { RadioGroup } from "radix-ui";
import { type ReactNode, type RefCallback, useMemo, useRef, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { Callout } from "@/ui/callout.tsx";
import { ClosedDoor } from "@/ui/drawings.tsx";
import { EmptyState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { STATUS_ICONS } from "@/ui/status-chip.tsx";

const collator = new Intl.Collator(undefined, { numeric: true });

/** Clean rooms come first. */
const byReadiness = (a: FreeRoom, b: FreeRoom): number =>
  Number(a.dirty) - Number(b.dirty) || collator.compare(a.name, b.name);

export function isFree({ groups }: FreeRooms, roomId: number): boolean {
  return groups.some(({ rooms }) => rooms.some((room) => room.roomId === roomId));
}

type PriceOf = (room: FreeRoom) => string;

const TILE =
  "flex min-h-11 min-w-0 flex-col items-start justify-center rounded-md border border-border bg-card px-2.5 py-1 text-start hover:border-input";

/** A room's name, whether it is cleaned, and its price. */
function RoomTile({ room, price }: { room: FreeRoom; price: string }) {
  return (
    <>
      <span className="flex w-full items-center figures justify-between gap-1 text-lg">
        <bdi className="truncate">{room.name}</bdi>
        {room.dirty && <DirtyMark label={t("stay.notCleaned")} />}
      </span>
      <span className="text-sm text-muted-foreground">{price}</span>
    </>
  );
}

function DirtyMark({ label }: { label: string }) {
  const Icon = STATUS_ICONS.dirty;
  return (
    <span className="shrink-0 text-dirty" title={label}>
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">{label}</span>
    </span>
  );
}

type FreeRoomPickerProps = {
  groups: readonly FreeRoomGroup[] | undefined;
  priceOf: PriceOf;
  value: number | null;
  onChange: (roomId: number) => void;
  ref?: RefCallback<unknown>;
  "aria-label": string;
  "aria-describedby"?: string;
};

/** Chooses one of the free rooms, by group. */
export function FreeRoomPicker({ groups, priceOf, value, onChange, ref, ...labels }: FreeRoomPickerProps) {
  const [query, setQuery] = useState("");
  const shown = useMemo(() => {
    const text = query.toLocaleLowerCase();
    const matches = ({ name, remarkName }: FreeRoom): boolean =>
      `${name} ${remarkName}`.toLocaleLowerCase().includes(text);
    return (groups ?? [])
      .map((group) => ({ ...group, rooms: group.rooms.filter(matches).sort(byReadiness) }))
      .filter((group) => group.rooms.length > 0);
  }, [groups, query]);

  const rooms = useRef<HTMLDivElement>(null);

  if (!groups) return <Skeleton className="h-40" />;
  return (
    <div ref={rooms}>
      <SearchInput
        value={query}
        onChange={setQuery}
        delayMilliseconds={0}
        label={t("stay.findRoom")}
        autoFocus
        onLeave={() => {
          const first = rooms.current?.querySelector<HTMLElement>("[role=radio]");
          first?.focus();
          first?.click();
        }}
        className="mb-3 sm:w-full"
      />
      <RadioGroup.Root
        {...labels}
        ref={ref}
        value={value === null ? "" : String(value)}
        onValueChange={(next) => onChange(Number(next))}
        className="scroll-quiet grid max-h-56 gap-4 overflow-y-auto rounded-md border p-3"
      >
        {shown.length === 0 && <EmptyState drawing={ClosedDoor} title={t("stay.noFreeRoom")} className="py-6" />}
        {shown.map((group) => (
          <fieldset key={group.groupId ?? "none"} aria-label={group.name || t("stay.noGroup")}>
            <p className="mb-1.5 text-xs font-medium text-muted-foreground">{group.name || t("stay.noGroup")}</p>
            <div className="grid grid-cols-2 gap-1.5 sm:grid-cols-4">
              {group.rooms.map((room) => (
                <RadioGroup.Item
                  key={room.roomId}
                  value={String(room.roomId)}
                  className={cn(
                    TILE,
                    "data-[state=checked]:border-brass data-[state=checked]:bg-brass-soft data-[state=checked]:text-brass-ink",
                  )}
                >
                  <RoomTile room={room} price={priceOf(room)} />
                </RadioGroup.Item>
              ))}
            </div>
          </fieldset>
        ))}
      </RadioGroup.Root>
    </div>
  );
}

type FreeRoomButtonsProps = {
  groups: readonly FreeRoomGroup[];
  priceOf: PriceOf;
  onTake: (roomId: number) => void;
  /** What stands beside a group's name */
  aside?: (group: FreeRoomGroup) => ReactNode;
};

/** Free rooms by group, each a button that takes it. */
export function FreeRoomButtons({ groups, priceOf, onTake, aside }: FreeRoomButtonsProps) {
  return (
    <div className="grid gap-4">
      {groups.map((group) => {
        const name = group.name || t("stay.noGroup");
        return (
          <fieldset key={group.groupId ?? "none"} aria-label={name} className="min-w-0">
            <p className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3 text-sm text-muted-foreground">
              <span dir="auto" className="font-medium">
                {name}
              </span>
              {aside?.(group)}
            </p>
            <div className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-1.5 text-foreground">
              {[...group.rooms].sort(byReadiness).map((room) => (
                <button key={room.roomId} type="button" className={TILE} onClick={() => onTake(room.roomId)}>
                  <RoomTile room={room} price={priceOf(room)} />
                </button>
              ))}
            </div>
          </fieldset>
        );
      })}
    </div>
  );
}

/** How many rooms are offered before somebody asks for all. */
const FIRST_ROOMS = 6;

/** Returns the groups with their first rooms, `count` in all. */
function firstRooms(groups: readonly FreeRoomGroup[], count: number): FreeRoomGroup[] {
  let left = count;
  return groups.flatMap((group) => {
    const rooms = [...group.rooms].sort(byReadiness).slice(0, left);
    left -= rooms.length;
    return rooms.length > 0 ? [{ ...group, rooms }] : [];
  });
}

type FreeRoomsInsteadProps = {
  groups: readonly FreeRoomGroup[];
  /** The room that is taken, and its group, whose rooms come first. */
  roomName: string;
  groupId: number | null | undefined;
  priceOf: PriceOf;
  onTake: (roomId: number) => void;
};

/** Says that a room is taken, and offers rooms that are free for the same times, those of its group first. */
export function FreeRoomsInstead({ groups, roomName, groupId, priceOf, onTake }: FreeRoomsInsteadProps) {
  const [isWhole, setWhole] = useState(false);
  const own = groups.filter((group) => group.groupId === groupId);
  const offered = [...own, ...groups.filter((group) => group.groupId !== groupId)].filter(
    ({ rooms }) => rooms.length > 0,
  );
  const count = offered.reduce((sum, { rooms }) => sum + rooms.length, 0);
  return (
    <Callout tone="warning" title={t("stay.takenTitle", { room: roomName })}>
      {count === 0 ? (
        t("stay.nothingFree")
      ) : (
        <div className="grid w-full gap-3">
          <p>{t("stay.freeInstead")}</p>
          <FreeRoomButtons
            groups={isWhole ? offered : firstRooms(offered, FIRST_ROOMS)}
            priceOf={priceOf}
            onTake={onTake}
          />
          {!isWhole && count > FIRST_ROOMS && (
            <Button variant="outline" size="sm" className="justify-self-start" onClick={() => setWhole(true)}>
              {t("stay.showAllFree", { count })}
            </Button>
          )}
        </div>
      )}
    </Callout>
  );
}
