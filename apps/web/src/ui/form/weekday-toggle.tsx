import { addDays, isoWeekday } from "@innkey/shared/hotel-time";
import { ToggleGroup } from "radix-ui";
import { firstWeekday, formatLocalDate } from "@/lib/format.ts";

type WeekdayToggleProps = {
  /** ISO weekdays, 1 = Monday. */
  value: number[] | undefined;
  onChange: (weekdays: number[]) => void;
  disabled?: boolean;
  "aria-labelledby"?: string;
  "aria-describedby"?: string;
};

const A_MONDAY = "2024-01-01";

/** Toggles for the days of the week, starting with the first weekday of the language. */
export function WeekdayToggle({ value = [], onChange, disabled, ...aria }: WeekdayToggleProps) {
  const days = [0, 1, 2, 3, 4, 5, 6].map((offset) => addDays(A_MONDAY, firstWeekday() - 1 + offset));
  return (
    <ToggleGroup.Root
      type="multiple"
      disabled={disabled}
      value={value.map(String)}
      onValueChange={(next) => onChange(next.map(Number).sort())}
      className="grid grid-cols-7 gap-1"
      aria-labelledby={aria["aria-labelledby"]}
      aria-describedby={aria["aria-describedby"]}
    >
      {days.map((date) => (
        <ToggleGroup.Item
          key={date}
          value={String(isoWeekday(date))}
          title={formatLocalDate(date, { weekday: "long" })}
          className="h-10 truncate rounded-md border border-border bg-card px-1 text-sm font-medium text-muted-foreground hover:border-input disabled:opacity-50 data-[state=on]:border-brass data-[state=on]:bg-brass-soft data-[state=on]:text-brass-ink lg:h-9"
        >
          <span className="max-sm:hidden">{formatLocalDate(date, { weekday: "short" })}</span>
          <span className="sm:hidden">{formatLocalDate(date, { weekday: "narrow" })}</span>
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
