import { CalendarRange } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { HotelDateTimeInput } from "./form/hotel-date-time-input.tsx";
import { Button } from "./primitives/button.tsx";
import { Label } from "./primitives/label.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "./primitives/popover.tsx";

interface Period {
  from?: string;
  to?: string;
}
type PeriodChoiceProps = { value: Period; onChange: (period: Period) => void };

/** From when until when, on the hotel's clock. */
export function PeriodChoice({ value, onChange }: PeriodChoiceProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const [open, setOpen] = useState(false);
  const end = (instant: string | undefined): string => (instant ? formatShort(instant, timeZone) : "…");
  const chosen = value.from !== undefined || value.to !== undefined;
  const close = (period: Period): void => {
    onChange(period);
    setOpen(false);
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button aria-pressed={chosen}>
          <CalendarRange aria-hidden />
          {chosen ? `${end(value.from)} – ${end(value.to)}` : t("doors.period")}
        </Button>
      </PopoverTrigger>
      <PopoverContent className="w-80" aria-label={t("doors.period")}>
        <PeriodForm value={value} onChange={close} />
      </PopoverContent>
    </Popover>
  );
}

function PeriodForm({ value, onChange }: PeriodChoiceProps) {
  const { t } = useTranslation();
  const id = useId();
  const [from, setFrom] = useState(value.from ?? null);
  const [to, setTo] = useState(value.to ?? null);
  const turned = from !== null && to !== null && from >= to;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!turned) onChange({ from: from ?? undefined, to: to ?? undefined });
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <div>
        <Label htmlFor={`${id}from`}>{t("doors.from")}</Label>
        <HotelDateTimeInput id={`${id}from`} value={from} onChange={setFrom} />
      </div>
      <div>
        <Label htmlFor={`${id}to`}>{t("doors.to")}</Label>
        <HotelDateTimeInput id={`${id}to`} value={to} onChange={setTo} min={from ?? undefined} aria-invalid={turned} />
      </div>
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onClick={() => onChange({})}>
          {t("common.clear")}
        </Button>
        <Button type="submit" disabled={turned}>
          {t("doors.apply")}
        </Button>
      </div>
    </form>
  );
}
