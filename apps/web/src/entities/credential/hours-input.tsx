import { MAX_HOURS, weekHours } from "@innkey/shared/locks/week-hours";
import * as f from "@innkey/shared/schemas/fields";
import { Clock, X } from "lucide-react";
import { z } from "zod";
import { t } from "@/lib/i18n.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { TimeInput } from "@/ui/form/dates/time-input.tsx";
import type { FieldControl } from "@/ui/form/field.tsx";
import { WeekdayToggle } from "@/ui/form/weekday-toggle.tsx";
import { Button } from "@/ui/primitives/button.tsx";

/** Days and hours while they are edited: what is wrong with them is said once, for all lines. */
export const editedHours = z
  .array(z.object({ days: z.array(z.int()), from: z.string(), to: z.string() }))
  .refine((hours) => hours.length > MAX_HOURS || weekHours.safeParse(hours).success, f.v.hours)
  .max(MAX_HOURS, f.v.tooManyHours);
type EditedHours = z.infer<typeof editedHours>;

const WORKING_HOURS = { days: [1, 2, 3, 4, 5], from: "07:00", to: "15:00" };

type HoursInputProps = Pick<FieldControl<EditedHours>, "value" | "onChange" | "ref" | "aria-describedby">;

/** Edits the days and hours of a key, one period of the week per line. */
export function HoursInput({ value, onChange, ref, ...aria }: HoursInputProps) {
  const change = (index: number, part: Partial<EditedHours[number]>): void =>
    onChange(value.map((line, at) => (at === index ? { ...line, ...part } : line)));
  return (
    <div className="grid gap-3">
      {value.map(({ days, from, to }, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and their controls no state of their own
          key={index}
          aria-label={t("card.hours.title")}
          className="grid gap-2 rounded-md border p-3 sm:grid-cols-[1fr_auto]"
        >
          <WeekdayToggle value={days} onChange={(next) => change(index, { days: next })} />
          <div className="flex items-center gap-2">
            <TimeInput
              aria-label={t("card.hours.from")}
              className="w-28"
              value={from}
              onChange={(time) => change(index, { from: time })}
            />
            <span aria-hidden>–</span>
            <TimeInput
              aria-label={t("card.hours.to")}
              className="w-28"
              value={to}
              onChange={(time) => change(index, { to: time })}
            />
            <IconButton
              icon={X}
              label={t("card.hours.remove")}
              variant="ghost"
              needsServer={false}
              onClick={() => onChange(value.filter((_, at) => at !== index))}
            />
          </div>
        </fieldset>
      ))}
      {value.length < MAX_HOURS && (
        <Button
          ref={ref}
          variant="outline"
          size="sm"
          className="justify-self-start"
          aria-describedby={aria["aria-describedby"]}
          onClick={() => onChange([...value, WORKING_HOURS])}
        >
          <Clock aria-hidden />
          {t("card.hours.add")}
        </Button>
      )}
    </div>
  );
}
