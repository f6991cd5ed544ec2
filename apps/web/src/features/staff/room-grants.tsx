import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { boardQuery } from "@/entities/room/board-query.ts";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Checkbox } from "@/ui/primitives/checkbox.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { roomGroupsOf } from "./room-groups.ts";

type RoomGrantsProps = { value: readonly number[]; onChange: (roomIds: number[]) => void };

/** Chooses the rooms of a staff member, by group or one by one. */
export function RoomGrants({ value, onChange }: RoomGrantsProps) {
  const { t } = useTranslation();
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
                <Checkbox id={`${id}${group.id}`} value={state} onChange={(on) => change(roomIds, on)} />
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
