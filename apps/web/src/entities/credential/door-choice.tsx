import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, X } from "lucide-react";
import { useMemo, useState } from "react";
import { cn } from "@/lib/cn.ts";
import { formatList } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { OptionList } from "@/ui/form/combobox.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/primitives/popover.tsx";
import { pickerStyle } from "@/ui/styles.ts";
import { boardQuery } from "../room/board-query.ts";
import { collator } from "../room/room-groups.ts";

type DoorChoiceProps = {
  value: readonly number[];
  onChange: (roomIds: number[]) => void;
  /** Whether only one door can be chosen, so that a new choice replaces the previous one. */
  single?: boolean;
  id?: string;
  onBlur?: () => void;
  "aria-invalid"?: boolean;
  "aria-describedby"?: string;
};

/** Chooses rooms by name, one after the other. A door without a lock takes neither codes nor faces. */
export function DoorChoice({ value, onChange, single = false, ...trigger }: DoorChoiceProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { data: board } = useQuery(boardQuery);
  const rooms = useMemo(() => (board?.rooms ?? []).toSorted((a, b) => collator.compare(a.name, b.name)), [board]);
  const options = rooms.map(({ id, name, remarkName, current, lock }) => ({
    value: id,
    label: name,
    detail: lock === null ? t("room.noLock") : current?.guestName,
    keywords: [remarkName, current?.guestName ?? ""],
    unavailable: lock === null,
  }));
  const chosen = rooms.filter(({ id }) => value.includes(id));

  function toggle(roomId: number): void {
    if (single) {
      onChange([roomId]);
      setOpen(false);
    } else onChange(value.includes(roomId) ? value.filter((id) => id !== roomId) : [...value, roomId]);
  }

  return (
    <div>
      <Popover
        open={open}
        onOpenChange={(next) => {
          setOpen(next);
          if (!next) trigger.onBlur?.();
        }}
      >
        <PopoverTrigger
          type="button"
          role="combobox"
          aria-expanded={open}
          id={trigger.id}
          // The list takes the focus during the choice, which doesn't mean that the field was left empty.
          onBlur={() => !open && trigger.onBlur?.()}
          aria-invalid={trigger["aria-invalid"]}
          aria-describedby={trigger["aria-describedby"]}
          className={pickerStyle}
        >
          <span className={cn("truncate", chosen.length === 0 && "text-faint-foreground")}>
            {chosen.length === 0 ? t("passcode.chooseRooms") : formatList(chosen.map(({ name }) => name))}
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted-foreground" aria-hidden />
        </PopoverTrigger>
        <PopoverContent align="start" className="w-(--radix-popover-trigger-width) min-w-56 p-0">
          <OptionList
            options={options}
            isChosen={(roomId) => value.includes(roomId)}
            onChoose={toggle}
            loading={!board}
          />
        </PopoverContent>
      </Popover>
      {chosen.length > 1 && (
        <ul className="mt-2 flex flex-wrap gap-1.5">
          {chosen.map((room) => (
            <li
              key={room.id}
              className="inline-flex h-7 items-center rounded-md border bg-card ps-2.5 text-sm font-medium"
            >
              <bdi>{room.name}</bdi>
              <button
                type="button"
                aria-label={t("passcode.dropRoom", { room: room.name })}
                onClick={() => toggle(room.id)}
                className="grid size-7 place-items-center rounded-sm text-muted-foreground hover:text-foreground"
              >
                <X className="size-3.5" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
