import { atLocal } from "@innkey/shared/hotel-time";
import type { BreakfastDay } from "@innkey/shared/schemas/breakfast";
import { formatMoney, formatNumber, formatTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { useNow } from "@/lib/time/use-clock.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Progress } from "@/ui/primitives/progress.tsx";

/** Shows how many guests are expected, served and still to come; outside breakfast hours, it shows those hours. */
export function BreakfastSummary({ day }: { day: BreakfastDay }) {
  const { t } = useTranslation();
  const { timeZone, currency } = useHotel();
  const now = useNow();
  const expected = day.guests.length;
  const served = day.guests.filter(({ usedAt }) => usedAt !== null).length;
  const from = atLocal(day.date, day.from, timeZone);
  const to = atLocal(day.date, day.to, timeZone);
  const open = now >= Date.parse(from) && now < Date.parse(to);
  const counts = [
    ["expected", expected],
    ["served", served],
    ["left", expected - served],
  ] as const;
  return (
    <>
      <Card className="p-4">
        <dl className="grid grid-cols-3 gap-4 text-center">
          {counts.map(([name, count]) => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-sm text-muted-foreground">{t(`breakfast.${name}`)}</dt>
              <dd className="text-2xl font-semibold tabular-nums">{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
        {expected > 0 && (
          <Progress
            className="mt-3"
            value={(served / expected) * 100}
            label={t("breakfast.progress", { served: formatNumber(served), expected: formatNumber(expected) })}
          />
        )}
        {day.priceMinor > 0 && (
          <p className="mt-3 text-sm text-muted-foreground">
            {t("breakfast.value", {
              served: formatMoney(served * day.priceMinor, currency),
              expected: formatMoney(expected * day.priceMinor, currency),
            })}
          </p>
        )}
      </Card>
      {day.date > day.today ? (
        <Alert tone="info" title={t("breakfast.future")} />
      ) : (
        day.date === day.today &&
        !open && (
          <Alert
            tone="info"
            title={t("breakfast.closed", { from: formatTime(from, timeZone), to: formatTime(to, timeZone) })}
          />
        )
      )}
    </>
  );
}
