import { t } from "@/lib/i18n.ts";
import type { DayRange } from "@/lib/search-params.ts";
import { DateInput } from "./form/dates/date-input.tsx";
import { SelectInput } from "./form/select-input.tsx";

const ANY = "any";
const CUSTOM = "custom";

type QuickRangeSelectProps<Range extends DayRange> = {
  ranges: readonly Range[];
  value: Range | undefined;
  onChange: (range: Range | undefined) => void;
  label: string;
};

/** Selects a quick range of days. */
export function QuickRangeSelect<Range extends DayRange>({
  ranges,
  value,
  onChange,
  label,
}: QuickRangeSelectProps<Range>) {
  return (
    <SelectInput
      aria-label={label}
      className="w-auto min-w-36"
      value={value ?? ANY}
      onChange={(next) => onChange(next === ANY ? undefined : (next as Range))}
      options={[
        { value: ANY, label: t("guest.range.any") },
        ...ranges.map((range) => ({ value: range, label: t(`guest.range.${range}`) })),
      ]}
    />
  );
}

/** A quick range, or the hotel-local days from `from` to `to`, of which either may be missing. */
export type DayPeriod = { range?: DayRange | typeof CUSTOM; from?: string; to?: string };

type DayPeriodSelectProps = {
  ranges: readonly DayRange[];
  value: DayPeriod;
  onChange: (period: DayPeriod) => void;
  label: string;
};

/** Selects a quick range of days, or any days from–to. */
export function DayPeriodSelect({ ranges, value: { range, from, to }, onChange, label }: DayPeriodSelectProps) {
  return (
    <>
      <SelectInput
        aria-label={label}
        className="w-auto min-w-36"
        value={range ?? ANY}
        onChange={(next) =>
          onChange({ range: next === ANY ? undefined : (next as DayPeriod["range"]), from: undefined, to: undefined })
        }
        options={[
          { value: ANY, label: t("guest.range.any") },
          ...ranges.map((one) => ({ value: one, label: t(`guest.range.${one}`) })),
          { value: CUSTOM, label: t("guest.range.custom") },
        ]}
      />
      {range === CUSTOM && (
        <span className="flex items-center gap-1.5">
          <DateInput
            className="w-44"
            aria-label={t("guest.range.from")}
            value={from}
            max={to}
            onChange={(date) => onChange({ range, from: date ?? undefined, to })}
          />
          <span aria-hidden>–</span>
          <DateInput
            className="w-44"
            aria-label={t("guest.range.to")}
            value={to}
            min={from}
            onChange={(date) => onChange({ range, from, to: date ?? undefined })}
          />
        </span>
      )}
    </>
  );
}
