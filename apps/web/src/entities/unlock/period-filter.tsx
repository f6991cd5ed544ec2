import { addDays, atLocal } from "@innkey/shared/hotel-time";
import { CalendarRange } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { formatShort, hotelToday } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { HotelDateTimeInput } from "@/ui/form/dates/hotel-date-time-input.tsx";
import { unreadableControl } from "@/ui/form/dates/unreadable.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "@/ui/primitives/popover.tsx";
import { RECORD_RANGES, type RecordRange, type RecordSearch } from "./record-search.ts";

/** Returns the instants of a search; quick ranges (today, yesterday, the last seven days) follow the hotel's days. */
export function periodOf({ range, from, to }: RecordSearch, zone: string): { from?: string; to?: string } {
  if (from !== undefined || to !== undefined) return { from, to };
  const today = hotelToday(zone);
  const midnight = (days: number): string => atLocal(addDays(today, days), "00:00", zone);
  if (range === "today") return { from: midnight(0), to: midnight(1) };
  if (range === "yesterday") return { from: midnight(-1), to: midnight(0) };
  return range === "week" ? { from: midnight(-7), to: midnight(1) } : {};
}

interface Period {
  from?: string;
  to?: string;
}
type PeriodChoiceProps = { value: Period; onChange: (period: Period) => void };

/** Chooses the start and end of a period in the hotel's time zone. */
function PeriodChoice({ value, onChange }: PeriodChoiceProps) {
  const { timeZone } = useHotel();
  const [open, setOpen] = useState(false);
  const formatBound = (instant: string | undefined): string => (instant ? formatShort(instant, timeZone) : "…");
  const hasPeriod = value.from !== undefined || value.to !== undefined;
  const close = (period: Period): void => {
    onChange(period);
    setOpen(false);
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="outline" aria-pressed={hasPeriod}>
          <CalendarRange aria-hidden />
          {hasPeriod ? `${formatBound(value.from)} – ${formatBound(value.to)}` : t("guest.range.custom")}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" className="w-80" aria-label={t("guest.range.custom")}>
        <PeriodForm value={value} onChange={close} />
      </PopoverContent>
    </Popover>
  );
}

function PeriodForm({ value, onChange }: PeriodChoiceProps) {
  const id = useId();
  const [from, setFrom] = useState(value.from ?? null);
  const [to, setTo] = useState(value.to ?? null);
  const isReversed = from !== null && to !== null && from >= to;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const unreadable = unreadableControl(event.currentTarget);
    if (unreadable) unreadable.focus();
    else if (!isReversed) onChange({ from: from ?? undefined, to: to ?? undefined });
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <div>
        <Label htmlFor={`${id}from`}>{t("doors.from")}</Label>
        <HotelDateTimeInput id={`${id}from`} value={from} onChange={setFrom} usualTime="00:00" />
      </div>
      <div>
        <Label htmlFor={`${id}to`}>{t("doors.to")}</Label>
        <HotelDateTimeInput
          id={`${id}to`}
          value={to}
          onChange={setTo}
          usualTime="00:00"
          min={from ?? undefined}
          aria-invalid={isReversed}
        />
      </div>
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onClick={() => onChange({})}>
          {t("common.clear")}
        </Button>
        <ActionButton variant="outline" type="submit" disabled={isReversed}>
          {t("doors.apply")}
        </ActionButton>
      </div>
    </form>
  );
}

type FilteredPeriod = { range?: RecordRange; from?: string; to?: string };
type PeriodFilterProps = { value: FilteredPeriod; onChange: (patch: FilteredPeriod) => void };

const CUSTOM = "custom";

/**
 * Filters by a quick range (today, yesterday, the last seven days) or by start and end; choosing one clears the other.
 */
export function PeriodFilter({ value: { range = "all", from, to }, onChange }: PeriodFilterProps) {
  const custom = from !== undefined || to !== undefined;
  return (
    <>
      <Segmented<RecordRange | typeof CUSTOM>
        options={RECORD_RANGES.map((value) => ({ value, label: t(`room.range.${value}`) }))}
        value={custom ? CUSTOM : range}
        onChange={(next) =>
          onChange({ range: next === "all" || next === CUSTOM ? undefined : next, from: undefined, to: undefined })
        }
        aria-label={t("room.rangeLabel")}
      />
      <PeriodChoice
        value={{ from, to }}
        onChange={(period) => onChange({ from: undefined, to: undefined, ...period })}
      />
    </>
  );
}
