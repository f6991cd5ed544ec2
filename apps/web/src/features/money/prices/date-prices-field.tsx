import { daysBetween, isoWeekday, type LocalDate } from "@innkey/shared/hotel-time";
import { majorUnit } from "@innkey/shared/money";
import { Trash2 } from "lucide-react";
import { type FocusEvent, useEffect, useState } from "react";
import { formatLocalDate, formatMoney, hotelToday } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { MoneyInput } from "@/ui/form/money-input.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { type NightPrice, PriceCalendar } from "./price-calendar.tsx";
import { type DatePrice, type DateRange, ordered, rangesOf, withRange } from "./price-dates.ts";

type DatePricesFieldProps = {
  value: readonly DatePrice[];
  onChange: (dates: DatePrice[]) => void;
  usualMinor: number | null | undefined;
  weekendMinor: number | null | undefined;
  /** Called with true while an amount has been typed for nights but is not applied yet. */
  onTyping?: (typing: boolean) => void;
};

/**
 * Sets prices of single nights: choose a day or range in the calendar and set a price, or go back to the usual price.
 */
export function DatePricesField({ value, onChange, usualMinor, weekendMinor, onTyping }: DatePricesFieldProps) {
  const { t } = useTranslation();
  const { weekendNights, currency, timeZone } = useHotel();
  const [start, setStart] = useState<LocalDate | null>(null);
  const [range, setRange] = useState<DateRange | null>(null);
  const [minor, setMinor] = useState<number | null>(null);
  const [wrong, setWrong] = useState(false);
  const special = new Map(value.map(({ date, priceMinor }) => [date, priceMinor]));
  const coming = rangesOf(value).filter(({ to }) => to >= hotelToday(timeZone));

  const typing = range !== null && minor !== null && minor !== special.get(range.from);
  useEffect(() => onTyping?.(typing), [typing, onTyping]);

  function priceOf(date: LocalDate): NightPrice {
    const own = special.get(date);
    if (own !== undefined) return { minor: own, kind: "special" };
    const weekend = weekendNights.includes(isoWeekday(date));
    const set = weekend ? weekendMinor : usualMinor;
    return { minor: set === undefined || Number.isNaN(set) ? null : set, kind: weekend ? "weekend" : "usual" };
  }

  function pick(date: LocalDate): void {
    const next = start === null ? { from: date, to: date } : ordered(start, date);
    setStart(start === null ? date : null);
    setRange(next);
    if (start === null) setMinor(special.get(date) ?? null);
    setWrong(false);
  }

  function apply(): void {
    if (!range) return;
    if (minor === null || !Number.isInteger(minor) || minor < majorUnit(currency)) {
      setWrong(true);
      return;
    }
    onChange(withRange(value, range, minor));
    clear();
  }

  /** Applies a typed amount once the focus leaves the field, so that saving includes it. */
  function leave({ currentTarget, relatedTarget }: FocusEvent): void {
    if (typing && !currentTarget.contains(relatedTarget) && Number.isInteger(minor)) apply();
  }

  function clear(): void {
    setStart(null);
    setRange(null);
    setMinor(null);
    setWrong(false);
  }

  const words = ({ from, to }: DateRange): string =>
    from === to ? formatLocalDate(from) : t("prices.range", { from: formatLocalDate(from), to: formatLocalDate(to) });

  return (
    <fieldset aria-label={t("prices.special")} className="min-w-0" onBlur={leave}>
      <PriceCalendar priceOf={priceOf} range={range} onPick={pick} />
      <div className="mt-3 min-h-24 rounded-md bg-sunken p-3">
        {range ? (
          <>
            <div className="flex flex-wrap items-end gap-2">
              <div className="min-w-0 flex-1">
                <Label htmlFor="night-price">
                  {t("prices.nights", { count: daysBetween(range.from, range.to) + 1, range: words(range) })}
                </Label>
                <div className="mt-1.5 max-w-44">
                  <MoneyInput
                    id="night-price"
                    key={`${range.from}${range.to}`}
                    value={minor}
                    onChange={setMinor}
                    currency={currency}
                    aria-invalid={wrong || undefined}
                    onKeyDown={(event) => {
                      if (event.key !== "Enter") return;
                      event.preventDefault();
                      apply();
                    }}
                  />
                </div>
              </div>
              <Button onClick={apply}>{t("prices.setNights")}</Button>
              <Button
                variant="ghost"
                onClick={() => {
                  onChange(withRange(value, range, null));
                  clear();
                }}
              >
                {t("prices.usualAgain")}
              </Button>
            </div>
            {wrong && (
              <p role="alert" className="mt-1.5 text-sm font-medium text-danger">
                {t("validation.price")}
              </p>
            )}
          </>
        ) : (
          <p className="text-sm text-muted-foreground">{t("prices.pickHint")}</p>
        )}
      </div>
      {coming.length > 0 && (
        <ul className="mt-3 divide-y border-t" aria-label={t("prices.special")}>
          {coming.map((own) => (
            <li key={own.from} className="flex min-h-10 items-center gap-3 text-sm">
              <span className="flex-1">{words(own)}</span>
              <span className="font-medium">{formatMoney(own.priceMinor, currency)}</span>
              <IconButton
                icon={Trash2}
                size="iconSm"
                label={t("prices.removeRange", { range: words(own) })}
                onClick={() => onChange(withRange(value, own, null))}
              />
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
