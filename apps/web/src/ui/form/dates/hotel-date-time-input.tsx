import { fromLocalInput, toLocalInput } from "@innkey/shared/hotel-time";
import { useId, useRef, useState } from "react";
import { formatDateTime, formatFullDateTime, formatWeekday, hotelToday } from "@/lib/format.ts";
import { language, t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { CalendarPopover } from "./calendar-popover.tsx";
import { MonthCalendar } from "./month-calendar.tsx";
import { readDateTime, type TimeOfDay } from "./read-dates.ts";
import { TimeInput } from "./time-input.tsx";
import { type TextControlProps, TypedInput } from "./typed-input.tsx";

type HotelDateTimeInputProps = TextControlProps & {
  /** An ISO instant. */
  value: string | null | undefined;
  /** Receives null for an empty input and for text that is no date. */
  onChange: (instant: string | null) => void;
  /** ISO instants between which dates can be picked; others can be typed, and the form says what is wrong with them. */
  min?: string | undefined;
  max?: string | undefined;
  /** The time that goes with a date alone; the hotel's check-out time if left out. */
  usualTime?: TimeOfDay;
};

/** Input for a date and time in the hotel's zone, whatever the browser's zone is: typed, or picked in a calendar. */
export function HotelDateTimeInput(props: HotelDateTimeInputProps) {
  const { value, onChange, min, max, usualTime, onKeyDown, className, ...input } = props;
  const { timeZone, checkOutTime } = useHotel();
  const [picks, setPicks] = useState(0);
  const id = useId();
  const timeInput = useRef<HTMLInputElement>(null);
  const today = hotelToday(timeZone);
  const [date = null, time = usualTime ?? checkOutTime] = value ? toLocalInput(value, timeZone).split("T") : [];
  const dateOf = (instant: string | undefined) => (instant ? toLocalInput(instant, timeZone).slice(0, 10) : undefined);
  const instantOf = (day: string, timeOfDay: TimeOfDay): string | null =>
    fromLocalInput(`${day}T${timeOfDay}`, timeZone);
  const example = formatDateTime(instantOf(today, "14:30"), timeZone);

  function pick(instant: string | null): void {
    onChange(instant);
    setPicks(picks + 1);
  }

  return (
    <CalendarPopover
      label={t("dates.chooseTime")}
      disabled={input.disabled}
      className={className}
      input={({ button, onKeyDown: open }) => (
        <>
          <TypedInput
            placeholder={t("dates.example", { example })}
            {...input}
            aria-describedby={[input["aria-describedby"], value && id].filter(Boolean).join(" ") || undefined}
            written={value ? formatDateTime(value, timeZone) : ""}
            read={(text) => {
              const read = readDateTime(text, { tag: language.tag, today });
              const instant = read && instantOf(read.date, read.time ?? time);
              return instant ? { value: instant, isComplete: read.isComplete } : null;
            }}
            onRead={onChange}
            problem={t("dates.notADateTime", { example, iso: `${today} 14:30` })}
            end={
              <>
                {value && (
                  <span aria-hidden className="bg-card ps-1 text-sm text-muted-foreground max-sm:hidden">
                    {formatWeekday(value, timeZone)}
                  </span>
                )}
                {button}
              </>
            }
            picks={picks}
            onKeyDown={(event) => {
              open(event);
              onKeyDown?.(event);
            }}
          />
          {value && (
            <span id={id} className="sr-only">
              {formatFullDateTime(value, timeZone)}
            </span>
          )}
        </>
      )}
    >
      {(close) => (
        <>
          <MonthCalendar
            value={date}
            today={today}
            min={dateOf(min)}
            max={dateOf(max)}
            onPick={(day) => {
              pick(instantOf(day, time));
              timeInput.current?.select();
            }}
          />
          <div className="mt-2 flex items-center gap-2 border-t pt-3">
            <Label htmlFor={`${id}-time`} className="shrink-0">
              {t("dates.time")}
            </Label>
            <TimeInput
              id={`${id}-time`}
              ref={timeInput}
              className="min-w-0 flex-1"
              value={time}
              onChange={(next) => next && pick(instantOf(date ?? today, next))}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.preventDefault();
                if (event.currentTarget.validity.valid) close();
              }}
            />
            <Button variant="outline" onClick={close}>
              {t("dates.done")}
            </Button>
          </div>
        </>
      )}
    </CalendarPopover>
  );
}
