import type { Board } from "@innkey/shared/schemas/property/rooms";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId, useState } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { HotelDateTimeInput } from "@/ui/form/dates/hotel-date-time-input.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { type GrantValue, isTemporary } from "./operator-form.ts";

const collator = new Intl.Collator(undefined, { numeric: true });

/**
 * Returns the hotel's rooms by group, in the order of the groups. Rooms without a group come last; empty groups are
 * left out.
 */
export function roomGroupsOf({ rooms, groups }: Board, ungroupedName: string) {
  const sorted = rooms.toSorted((a, b) => collator.compare(a.name, b.name));
  const sortedGroups = groups
    .toSorted((a, b) => a.sort - b.sort)
    .map(({ id, name }) => ({ id: id as number | null, name }));
  return [...sortedGroups, { id: null, name: ungroupedName }]
    .map((group) => ({ ...group, rooms: sorted.filter((room) => room.groupId === group.id) }))
    .filter((group) => group.rooms.length > 0);
}

type GrantPeriodsProps = { value: readonly GrantValue[]; onChange: (grants: GrantValue[]) => void };

/** Edits the periods of temporary room grants, and adds a period to a permanent one. */
export function GrantPeriods({ value, onChange }: GrantPeriodsProps) {
  const [openedRoomIds, setOpenedRoomIds] = useState<readonly number[]>([]);
  const rooms = useQuery(boardQuery).data?.rooms ?? [];
  const nameOf = (roomId: number): string => rooms.find(({ id }) => id === roomId)?.name ?? String(roomId);
  const visible = value.filter((grant) => isTemporary(grant) || openedRoomIds.includes(grant.roomId));
  const others = value.filter((grant) => !visible.includes(grant));
  const change = (roomId: number, period: Partial<GrantValue>): void =>
    onChange(value.map((grant) => (grant.roomId === roomId ? { ...grant, ...period } : grant)));
  if (value.length === 0) return null;

  return (
    <fieldset>
      <legend className="text-sm font-medium">{t("staff.temporary")}</legend>
      <p className="mb-2 text-sm text-muted-foreground">{t("staff.temporaryText")}</p>
      <div className="grid gap-3">
        {visible.map((grant) => (
          <Period
            key={grant.roomId}
            grant={grant}
            name={nameOf(grant.roomId)}
            onChange={(period) => change(grant.roomId, period)}
            onDrop={() => {
              setOpenedRoomIds(openedRoomIds.filter((roomId) => roomId !== grant.roomId));
              change(grant.roomId, { startsAt: null, endsAt: null });
            }}
          />
        ))}
        {others.length > 0 && (
          <Combobox
            value={null}
            aria-label={t("staff.addPeriod")}
            placeholder={t("staff.addPeriod")}
            className="max-w-64"
            options={others.map(({ roomId }) => ({
              value: roomId,
              label: t("board.roomNamed", { name: nameOf(roomId) }),
            }))}
            onChange={(roomId) => roomId !== null && setOpenedRoomIds([...openedRoomIds, roomId])}
          />
        )}
      </div>
    </fieldset>
  );
}

type PeriodProps = {
  grant: GrantValue;
  name: string;
  onChange: (period: Partial<GrantValue>) => void;
  onDrop: () => void;
};

function Period({ grant, name, onChange, onDrop }: PeriodProps) {
  const id = useId();
  const { startsAt, endsAt } = grant;
  const isReversed = Boolean(startsAt && endsAt && endsAt <= startsAt);
  const room = t("board.roomNamed", { name });
  return (
    <fieldset aria-label={room} className="rounded-md border p-3">
      <div className="mb-2 flex items-center justify-between gap-2">
        <span className="font-medium">{room}</span>
        <IconButton icon={X} label={t("staff.dropPeriod", { room: name })} size="icon-sm" onClick={onDrop} />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <div className="grid content-start gap-1">
          <label htmlFor={`${id}from`} className="text-sm text-muted-foreground">
            {t("doors.from")}
          </label>
          <HotelDateTimeInput
            id={`${id}from`}
            value={startsAt ?? null}
            onChange={(instant) => onChange({ startsAt: instant })}
          />
        </div>
        <div className="grid content-start gap-1">
          <label htmlFor={`${id}to`} className="text-sm text-muted-foreground">
            {t("doors.to")}
          </label>
          <HotelDateTimeInput
            id={`${id}to`}
            value={endsAt ?? null}
            onChange={(instant) => onChange({ endsAt: instant })}
            aria-invalid={isReversed || undefined}
            aria-describedby={isReversed ? `${id}error` : undefined}
          />
          {isReversed && (
            <p id={`${id}error`} className="text-sm text-danger">
              {t("validation.endBeforeStart")}
            </p>
          )}
        </div>
      </div>
    </fieldset>
  );
}

type RoomGrantsProps = { value: readonly number[]; onChange: (roomIds: number[]) => void };

/** Chooses the rooms of a staff member, by group or one by one. */
export function RoomGrants({ value, onChange }: RoomGrantsProps) {
  const id = useId();
  const board = useQuery(boardQuery);
  if (board.error && !board.data) return <ErrorState error={board.error} onRetry={() => void board.refetch()} />;
  if (!board.data) return <Skeleton className="h-40" />;
  const granted = new Set(value);
  const all = board.data.rooms.map((room) => room.id);

  function change(roomIds: readonly number[], on: boolean): void {
    const next = new Set(granted);
    for (const roomId of roomIds) on ? next.add(roomId) : next.delete(roomId);
    onChange([...next].sort((a, b) => a - b));
  }

  return (
    <fieldset>
      <legend className="float-start text-sm font-medium">{t("staff.inRooms")}</legend>
      <div className="mb-2 flex items-center justify-end gap-3 text-sm text-muted-foreground">
        <span aria-live="polite">
          {t("staff.roomCount", { count: value.length, formatted: formatNumber(value.length) })}
        </span>
        <Button variant="link" className="text-sm" onClick={() => change(all, value.length < all.length)}>
          {value.length < all.length ? t("staff.grantAll") : t("staff.grantNone")}
        </Button>
      </div>
      <div className="divide-y rounded-md border">
        {roomGroupsOf(board.data, t("stay.noGroup")).map((group) => {
          const roomIds = group.rooms.map((room) => room.id);
          const count = roomIds.filter((roomId) => granted.has(roomId)).length;
          const state = count === 0 ? false : count === roomIds.length ? true : "indeterminate";
          return (
            <fieldset key={group.id ?? "none"} aria-label={group.name} className="px-4 py-3">
              <div className="mb-2 flex items-center gap-2.5">
                <CheckboxInput id={`${id}${group.id}`} value={state} onChange={(on) => change(roomIds, on)} />
                <label htmlFor={`${id}${group.id}`} className="font-medium">
                  {group.name}
                </label>
                <span className="text-sm text-muted-foreground">
                  <bdi>
                    {formatNumber(count)} / {formatNumber(roomIds.length)}
                  </bdi>
                </span>
              </div>
              <div className="flex flex-wrap gap-1.5">
                {group.rooms.map((room) => {
                  const on = granted.has(room.id);
                  return (
                    <button
                      key={room.id}
                      type="button"
                      aria-pressed={on}
                      onClick={() => change([room.id], !on)}
                      className={cn(
                        "h-8 min-w-12 rounded-md border border-border bg-card px-2 text-sm font-medium text-muted-foreground hover:border-input hover:text-foreground",
                        on && "border-brass bg-brass-soft text-brass-ink hover:border-brass hover:text-brass-ink",
                      )}
                    >
                      <bdi>{room.name}</bdi>
                    </button>
                  );
                })}
              </div>
            </fieldset>
          );
        })}
      </div>
    </fieldset>
  );
}
