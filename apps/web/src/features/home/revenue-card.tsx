import type { HomeOverview } from "@innkey/shared/schemas/home";
import { formatLocalDate, formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { DayPlot } from "@/ui/day-plot.tsx";
import { Card } from "@/ui/primitives/card.tsx";

const DAYS_PER_TICK = 7;
/** Position of the labelled bar in each group of days. Labels are wider than bars, so none is at an edge. */
const MIDDLE = 3;

/** Chart of the revenue of the last days: charges less refunds. */
export function RevenueCard({ revenue }: { revenue: NonNullable<HomeOverview["revenue"]> }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const total = revenue.reduce((sum, day) => sum + day.minor, 0);
  const today = revenue.at(-1)?.minor ?? 0;
  return (
    <Card className="flex flex-col p-5">
      <h2 className="text-muted-foreground">{t("home.revenue.today")}</h2>
      <p className="mt-1 mb-5 text-2xl font-semibold tracking-tight tabular-nums">{formatMoney(today, currency)}</p>
      <DayPlot
        title={t("home.revenue.days")}
        unit={t("home.revenue.day")}
        summary={formatMoney(total, currency)}
        top={Math.max(1, ...revenue.map((day) => day.minor))}
        fill="bg-vacant"
        className="flex-1"
        days={revenue.map((day, index) => ({
          key: day.date,
          tick:
            (revenue.length - 1 - index) % DAYS_PER_TICK === MIDDLE
              ? formatLocalDate(day.date, { day: "numeric", month: "short" })
              : "",
          when: formatLocalDate(day.date, { weekday: "short", day: "numeric", month: "short" }),
          figure: formatMoney(day.minor, currency),
          value: day.minor,
          strong: index === revenue.length - 1,
        }))}
      />
    </Card>
  );
}
