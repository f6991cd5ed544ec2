import type { LocalDate } from "@innkey/shared/hotel-time";
import { useState } from "react";
import { formatLocalDate, hotelToday } from "@/lib/format.ts";
import { language, t } from "@/lib/i18n.ts";
import { hotelZone } from "@/lib/session.ts";
import { CalendarPopover } from "./calendar-popover.tsx";
import { MonthCalendar } from "./month-calendar.tsx";
import { readDate } from "./read-dates.ts";
import { type TextControlProps, TypedInput } from "./typed-input.tsx";

type DateInputProps = TextControlProps & {
  value: LocalDate | null | undefined;
  /** Receives null for an empty input and for text that is no date. */
  onChange: (date: LocalDate | null) => void;
  /** The first and the last date that can be picked; another can be typed, and the form says what is wrong with it. */
  min?: LocalDate | undefined;
  max?: LocalDate | undefined;
};

/** Input for a date of the hotel: typed in the order of the language or as ISO 8601, or picked in a calendar. */
export function DateInput({ value, onChange, min, max, onKeyDown, className, ...props }: DateInputProps) {
  const today = hotelToday(hotelZone());
  const [picks, setPicks] = useState(0);
  const example = formatLocalDate(today);
  return (
    <CalendarPopover
      label={t("dates.choose")}
      disabled={props.disabled}
      className={className}
      input={({ button, onKeyDown: open }) => (
        <TypedInput
          placeholder={t("dates.example", { example })}
          {...props}
          written={value ? formatLocalDate(value) : ""}
          read={(text) => {
            const read = readDate(text, { tag: language.tag, today, max });
            return read && { value: read.date, isComplete: read.isComplete };
          }}
          onRead={onChange}
          problem={t("dates.notADate", { example, iso: today })}
          end={button}
          picks={picks}
          onKeyDown={(event) => {
            open(event);
            onKeyDown?.(event);
          }}
        />
      )}
    >
      {(close) => (
        <MonthCalendar
          value={value || null}
          today={today}
          min={min}
          max={max}
          onPick={(date) => {
            onChange(date);
            setPicks(picks + 1);
            close();
          }}
        />
      )}
    </CalendarPopover>
  );
}
