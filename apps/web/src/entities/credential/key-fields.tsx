import { DAY_MS, HOUR_MS } from "@innkey/shared/durations";
import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, X } from "lucide-react";
import { useMemo, useState } from "react";
import type { Path, UseFormReturn } from "react-hook-form";
import { boardQuery, collator } from "@/entities/room/board-query.ts";
import { cn } from "@/lib/cn.ts";
import { formatList } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { OptionList } from "@/ui/form/combobox.tsx";
import { HotelDateTimeInput } from "@/ui/form/dates/hotel-date-time-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/primitives/popover.tsx";
import { pickerStyle } from "@/ui/styles.ts";

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

/** Chooses rooms by name, one after the other. A door without a lock accepts neither codes nor faces. */
export function DoorChoice({ value, onChange, single = false, ...trigger }: DoorChoiceProps) {
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
  const selectedRooms = rooms.filter(({ id }) => value.includes(id));

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
          <span className={cn("truncate", selectedRooms.length === 0 && "text-faint-foreground")}>
            {selectedRooms.length === 0 ? t("passcode.chooseRooms") : formatList(selectedRooms.map(({ name }) => name))}
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
      {selectedRooms.length > 1 && (
        <ul className="mt-2 flex flex-wrap gap-1.5">
          {selectedRooms.map((room) => (
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

/** Period as instants; `validFrom` null means from now. */
type KeyPeriod = { ends: "until" | "permanent"; validFrom: string | null; validTo: string | null };

/** Returns a period of one day from now; the end is rounded up to the full hour. */
export function oneDayFromNow(now = Date.now()): KeyPeriod {
  const hour = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return { ends: "until", validFrom: null, validTo: new Date(hour + DAY_MS).toISOString() };
}

type KeyPeriodFieldsProps<Input extends KeyPeriod, Output> = { form: UseFormReturn<Input, unknown, Output> };

/** Chooses the validity period of a code or face, with or without an end. */
export function KeyPeriodFields<Input extends KeyPeriod, Output>({ form }: KeyPeriodFieldsProps<Input, Output>) {
  const name = (field: keyof KeyPeriod): Path<Input> => field as Path<Input>;
  const isPermanent = form.watch(name("ends")) === "permanent";
  return (
    <div className="grid gap-4">
      <Field form={form} name={name("ends")} label={t("passcode.howLong")} layout="group" required>
        {({ value: _value, ...control }) => (
          <Segmented<KeyPeriod["ends"]>
            {...control}
            value={isPermanent ? "permanent" : "until"}
            options={[
              { value: "until", label: t("passcode.untilDate") },
              { value: "permanent", label: t("passcode.permanent") },
            ]}
          />
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field form={form} name={name("validFrom")} label={t("passcode.validFrom")} hint={t("passcode.fromNow")}>
          {(control) => <HotelDateTimeInput {...control} />}
        </Field>
        {!isPermanent && (
          <Field form={form} name={name("validTo")} label={t("passcode.validTo")} required>
            {(control) => <HotelDateTimeInput {...control} />}
          </Field>
        )}
      </div>
    </div>
  );
}
