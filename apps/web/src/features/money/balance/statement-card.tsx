import { addMonths } from "@innkey/shared/hotel-time";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, ScrollText } from "lucide-react";
import { formatLocalDate, formatMoney, hotelToday } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { Card, CardHeader } from "@/ui/primitives/card.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import type { BalanceSearch } from "./balance-search.ts";
import { StatementBars } from "./statement-bars.tsx";
import { StatementTable } from "./statement-table.tsx";

const DATE = /^\d{4}-(0[1-9]|1[0-2])-\d{2}$/;

type StatementCardProps = { search: BalanceSearch; onSearch: (patch: BalanceSearch) => void };

/** Statement by the days of a month or the months of a year. */
export function StatementCard({ search, onSearch }: StatementCardProps) {
  const { t } = useTranslation();
  const { timeZone, currency } = useHotel();
  const span = search.span ?? "day";
  const today = hotelToday(timeZone);
  const requestedDate = search.date !== undefined && DATE.test(search.date) ? search.date : today;
  const date = `${requestedDate.slice(0, 7)}-01`;
  const { data, error, refetch } = useQuery(trpc.balance.statement.queryOptions({ span, date }));
  const step = (by: 1 | -1): string => addMonths(date, span === "day" ? by : 12 * by);
  const show = (next: string): void => onSearch({ date: next.slice(0, 7) === today.slice(0, 7) ? undefined : next });
  const hasBegun = (next: string): boolean => (span === "day" ? next <= today : next.slice(0, 4) <= today.slice(0, 4));
  const nameOf = (day: string): string =>
    formatLocalDate(day, span === "day" ? { weekday: "short", day: "numeric", month: "short" } : { month: "long" });
  return (
    <Card>
      <CardHeader
        title={t("balance.statement")}
        description={formatLocalDate(date, span === "day" ? { month: "long", year: "numeric" } : { year: "numeric" })}
        actions={
          <>
            <Segmented
              options={[
                { value: "day", label: t("balance.byDay") },
                { value: "month", label: t("balance.byMonth") },
              ]}
              value={span}
              onChange={(next) => onSearch({ span: next === "month" ? "month" : undefined })}
              aria-label={t("balance.span")}
            />
            <IconButton icon={ChevronLeft} flip label={t("balance.earlier")} onClick={() => show(step(-1))} />
            <IconButton
              icon={ChevronRight}
              flip
              label={t("balance.later")}
              disabled={!hasBegun(step(1))}
              onClick={() => show(step(1))}
            />
          </>
        }
      />
      {error && !data ? (
        <div className="p-5">
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      ) : !data ? (
        <div className="p-5">
          <Skeleton className="h-80" />
        </div>
      ) : data.rows.length === 0 ? (
        <EmptyState icon={ScrollText} title={t("balance.none")} description={t("balance.noneText")} />
      ) : (
        <>
          <StatementBars rows={data.rows} nameOf={nameOf} currency={currency} />
          <StatementTable rows={data.rows} nameOf={nameOf} span={span} />
          <p className="border-t px-5 py-3 text-sm text-muted-foreground">
            {t("balance.opening", { amount: formatMoney(data.openingMinor, currency) })}
          </p>
        </>
      )}
    </Card>
  );
}
