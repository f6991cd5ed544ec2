import type { Board, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { useId, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { EmptyCorridor } from "@/ui/drawings.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { EmptyState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { roomGroups } from "./board-query.ts";

type RoomChoiceProps = {
  board: Board;
  value: ReadonlySet<number>;
  onChange: (next: ReadonlySet<number>) => void;
  /** Whether rooms without a lock can be chosen too, because the choice isn't about doors. */
  withoutLock?: boolean;
};

/** Chooses rooms as buttons by group. If the choice is about doors, rooms without a lock can't be chosen. */
export function RoomChoice({ board, value, onChange, withoutLock = false }: RoomChoiceProps) {
  const id = useId();
  const [query, setQuery] = useState("");
  const groups = roomGroups(board, query, t("stay.noGroup"));
  const choosable = ({ lock }: BoardRoom): boolean => withoutLock || lock !== null;
  const matches = groups.flatMap(({ rooms }) => rooms.filter(choosable).map((room) => room.id));
  const all = matches.length > 0 && matches.every((roomId) => value.has(roomId));

  function change(roomIds: readonly number[], on: boolean): void {
    const next = new Set(value);
    for (const roomId of roomIds) on ? next.add(roomId) : next.delete(roomId);
    onChange(next);
  }

  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <SearchInput label={t("card.findRoom")} value={query} onChange={setQuery} delayMilliseconds={0} />
        <Button variant="outline" size="sm" disabled={matches.length === 0} onClick={() => change(matches, !all)}>
          {all ? t("card.chooseNone") : t("card.chooseAll")}
        </Button>
      </div>
      <div className="divide-y rounded-lg border bg-card shadow-card">
        {groups.length === 0 && <EmptyState drawing={EmptyCorridor} title={t("common.nothingFound")} />}
        {groups.map((group) => {
          const doors = group.rooms.filter(choosable).map((room) => room.id);
          const count = doors.filter((roomId) => value.has(roomId)).length;
          return (
            <fieldset key={group.id ?? "none"} aria-label={group.name} className="px-4 py-4 sm:px-5">
              <div className="mb-3 flex items-center gap-2.5">
                <CheckboxInput
                  id={`${id}${group.id}`}
                  disabled={doors.length === 0}
                  value={count === 0 ? false : count === doors.length ? true : "indeterminate"}
                  onChange={(on) => change(doors, on)}
                />
                <label htmlFor={`${id}${group.id}`} className="font-medium">
                  {group.name}
                </label>
                <bdi className="text-sm text-muted-foreground tabular-nums">
                  {formatNumber(count)} / {formatNumber(doors.length)}
                </bdi>
              </div>
              <div className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-2">
                {group.rooms.map((room) => {
                  const on = value.has(room.id);
                  return (
                    <button
                      key={room.id}
                      type="button"
                      aria-pressed={on}
                      disabled={!choosable(room)}
                      onClick={() => change([room.id], !on)}
                      className={cn(
                        "flex min-h-12 min-w-0 flex-col items-center justify-center rounded-md border border-border bg-card px-1.5 font-medium hover:border-input",
                        "disabled:border-dashed disabled:text-muted-foreground disabled:hover:border-border",
                        on && "border-brass bg-brass-soft text-brass-ink hover:border-brass",
                      )}
                    >
                      <bdi className="max-w-full truncate">{room.name}</bdi>
                      {!choosable(room) && <span className="text-xs font-normal">{t("room.noLock")}</span>}
                    </button>
                  );
                })}
              </div>
            </fieldset>
          );
        })}
      </div>
    </div>
  );
}
