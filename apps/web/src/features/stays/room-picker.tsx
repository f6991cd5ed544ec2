import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { useQuery } from "@tanstack/react-query";
import { RadioGroup } from "radix-ui";
import { type RefCallback, useMemo, useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { STATUS_ICONS } from "@/ui/status-chip.tsx";

type RoomPickerProps = {
  value: number | null;
  onChange: (roomId: number) => void;
  /** Present room of the guest, which is not offered. */
  exceptRoomId: number;
  /** Time until which the rooms must be free. */
  until: string;
  ref?: RefCallback<unknown>;
  "aria-label": string;
  "aria-describedby"?: string;
};

const collator = new Intl.Collator(undefined, { numeric: true });

function isFree(room: BoardRoom, until: string): boolean {
  const empty = room.current === null && (room.status === "vacant" || room.status === "dirty");
  return empty && (room.next === null || room.next.startsAt >= until);
}

/** Lists the rooms the guest can move to, by group. Clean rooms come first. */
export function RoomPicker({ value, onChange, exceptRoomId, until, ref, ...labels }: RoomPickerProps) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const board = useQuery(boardQuery);
  const [query, setQuery] = useState("");

  const groups = useMemo(() => {
    const text = query.toLocaleLowerCase();
    const rooms = (board.data?.rooms ?? [])
      .filter((room) => room.id !== exceptRoomId && isFree(room, until))
      .filter((room) => `${room.name} ${room.remarkName}`.toLocaleLowerCase().includes(text))
      .sort((a, b) => Number(a.status === "dirty") - Number(b.status === "dirty") || collator.compare(a.name, b.name));
    const groups = (board.data?.groups ?? []).map(({ id, name }) => ({ id: id as number | null, name }));
    return [...groups, { id: null, name: "" }]
      .map((group) => ({ ...group, rooms: rooms.filter((room) => room.groupId === group.id) }))
      .filter((group) => group.rooms.length > 0);
  }, [board.data, query, exceptRoomId, until]);

  if (!board.data) return <Skeleton className="h-40" />;
  return (
    <div>
      <SearchInput
        value={query}
        onChange={setQuery}
        delayMilliseconds={0}
        label={t("stay.findRoom")}
        className="mb-3 sm:w-full"
      />
      <RadioGroup.Root
        {...labels}
        ref={ref}
        value={value === null ? "" : String(value)}
        onValueChange={(next) => onChange(Number(next))}
        className="scroll-quiet grid max-h-56 gap-4 overflow-y-auto rounded-md border p-3"
      >
        {groups.length === 0 && <EmptyState title={t("stay.noFreeRoom")} className="py-6" />}
        {groups.map((group) => (
          <fieldset key={group.id ?? "none"} aria-label={group.name || t("stay.noGroup")}>
            <p className="mb-1.5 text-xs font-medium text-muted-foreground">{group.name || t("stay.noGroup")}</p>
            <div className="grid grid-cols-2 gap-1.5 sm:grid-cols-4">
              {group.rooms.map((room) => (
                <RadioGroup.Item
                  key={room.id}
                  value={String(room.id)}
                  className="flex min-h-11 flex-col items-start justify-center rounded-md border border-border bg-card px-2.5 py-1 text-start hover:border-input data-[state=checked]:border-brass data-[state=checked]:bg-brass-soft data-[state=checked]:text-brass-ink"
                >
                  <span className="flex w-full items-center justify-between gap-1 font-semibold">
                    <bdi className="truncate">{room.name}</bdi>
                    {room.status === "dirty" && <DirtyMark label={t("stay.notCleaned")} />}
                  </span>
                  <span className="text-sm text-muted-foreground">{formatMoney(room.usualMinor, currency)}</span>
                </RadioGroup.Item>
              ))}
            </div>
          </fieldset>
        ))}
      </RadioGroup.Root>
    </div>
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
