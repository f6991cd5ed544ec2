import { addDays, addMonths, daysBetween } from "@innkey/shared/hotel-time";
import {
  addFigures,
  averageRateMinor,
  type OccupancyFigures,
  occupancyShare,
  revenuePerRoomMinor,
} from "@innkey/shared/occupancy";
import { MAX_OCCUPANCY_DAYS, type OccupancyRow } from "@innkey/shared/schemas/overview/occupancy";
import { OCCUPANCY_SPANS } from "@innkey/shared/words";
import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { useMemo } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate, formatMoney, formatNumber, hotelToday } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { BarChart } from "@/ui/chart/bar-chart.tsx";
import { EmptyLedger } from "@/ui/drawings.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { DateInput } from "@/ui/form/dates/date-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import type { DataColumn } from "@/ui/table/table-model.ts";
import type { OccupancySearch } from "../money-search.ts";

type Span = (typeof OCCUPANCY_SPANS)[number];

function formatShare(figures: OccupancyFigures): string {
  const share = occupancyShare(figures);
  return share === null ? "–" : formatNumber(share, { style: "percent", maximumFractionDigits: 1 });
}

/** Names the nights of a row: "20 Nov 2026", "16 – 22 Nov 2026", "November 2026". */
function nameOf({ from, to }: OccupancyRow, by: Span): string {
  const isWholeMonth = from.endsWith("-01") && addDays(addMonths(from, 1), -1) === to;
  if (by === "month" && isWholeMonth) return formatLocalDate(from, { month: "long", year: "numeric" });
  if (from === to) return formatLocalDate(from, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
  return t("timeline.period", { start: formatLocalDate(from), end: formatLocalDate(to) });
}

const MAX_TICKS = 8;

/** Labels every n-th bar, because not all have space for one. */
function tickOf({ from }: OccupancyRow, index: number, count: number, by: Span): string {
  if (index % Math.ceil(count / MAX_TICKS) !== 0) return "";
  return formatLocalDate(from, by === "month" ? { month: "short" } : { day: "numeric", month: "short" });
}

function useColumns(by: Span): DataColumn<OccupancyRow>[] {
  const { currency } = useHotel();
  return useMemo(
    () =>
      listColumns<"occupancy", OccupancyRow>("occupancy", {
        when: { card: "title", cell: (row) => nameOf(row, by), fixed: true },
        rooms: { align: "end", cell: ({ rooms }) => formatNumber(rooms) },
        sold: { align: "end", cell: ({ sold }) => formatNumber(sold) },
        share: { align: "end", cell: formatShare },
        rate: { align: "end", cell: (row) => formatMoney(averageRateMinor(row), currency) },
        perRoom: { align: "end", cell: (row) => formatMoney(revenuePerRoomMinor(row), currency) },
        revenue: { align: "end", cell: ({ revenueMinor }) => formatMoney(revenueMinor, currency) },
      }),
    [by, currency],
  );
}

/** The figures of the whole period. */
function Figures({ total }: { total: OccupancyFigures }) {
  const { currency } = useHotel();
  const figures = [
    [t("occupancy.share"), formatShare(total)],
    [t("occupancy.sold"), t("occupancy.soldOf", { sold: formatNumber(total.sold), rooms: formatNumber(total.rooms) })],
    [t("occupancy.rate"), formatMoney(averageRateMinor(total), currency)],
    [t("occupancy.perRoom"), formatMoney(revenuePerRoomMinor(total), currency)],
    [t("occupancy.revenue"), formatMoney(total.revenueMinor, currency)],
  ] as const;
  return (
    <dl aria-live="polite" className="mb-4 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {figures.map(([label, value]) => (
        <Card key={label} className="gap-0 px-4 py-3">
          <dt className="text-sm text-muted-foreground">{label}</dt>
          <dd className="figures text-xl">{value}</dd>
        </Card>
      ))}
    </dl>
  );
}

type OccupancyPageProps = { search: OccupancySearch; onSearch: (patch: OccupancySearch) => void };

/** Occupancy, rates and room revenue of any nights, past or booked. */
export function OccupancyPage({ search, onSearch }: OccupancyPageProps) {
  const { timeZone } = useHotel();
  const by = search.by ?? "day";
  const columns = useColumns(by);
  const today = hotelToday(timeZone);
  const month = `${today.slice(0, 7)}-01`;
  const lastOf = (first: string): string => addDays(addMonths(first, 1), -1);
  const from = search.from ?? month;
  const to = search.to ?? (search.from ? lastOf(`${from.slice(0, 7)}-01`) : lastOf(month));
  const isValid = from <= to && daysBetween(from, to) < MAX_OCCUPANCY_DAYS;
  const input = { from, to, by };
  const report = useQuery(
    trpc.reports.occupancy.queryOptions(input, { enabled: isValid, placeholderData: keepPreviousData }),
  );
  const rows = isValid ? report.data?.rows : [];
  const presets = [
    { label: t("occupancy.thisMonth"), from: month, to: lastOf(month) },
    { label: t("occupancy.lastMonth"), from: addMonths(month, -1), to: addDays(month, -1) },
    { label: t("occupancy.nextDays"), from: today, to: addDays(today, 29) },
  ];

  return (
    <>
      <PageHeader title={t("nav.occupancy")} description={t("occupancy.text")} />
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <DateInput
          aria-label={t("occupancy.from")}
          value={from}
          max={to}
          onChange={(date) => date && onSearch({ from: date, to })}
          className="w-[calc(50%-0.25rem)] sm:w-46"
        />
        <DateInput
          aria-label={t("occupancy.to")}
          value={to}
          min={from}
          onChange={(date) => date && onSearch({ from, to: date })}
          className="w-[calc(50%-0.25rem)] sm:w-46"
        />
        <Segmented
          aria-label={t("occupancy.by")}
          options={OCCUPANCY_SPANS.map((value) => ({ value, label: t(`occupancy.spanOf.${value}`) }))}
          value={by}
          onChange={(value) => onSearch({ by: value === "day" ? undefined : value })}
        />
        {presets.map((preset) => (
          <Button
            key={preset.label}
            variant="ghost"
            size="sm"
            aria-pressed={preset.from === from && preset.to === to}
            onClick={() => onSearch({ from: preset.from, to: preset.to })}
          >
            {preset.label}
          </Button>
        ))}
      </div>
      {report.error && !report.data ? (
        <ErrorState error={report.error} onRetry={() => void report.refetch()} />
      ) : !rows ? (
        <Skeleton className="h-96" />
      ) : (
        <div className={cn("transition-opacity", report.isPlaceholderData && "opacity-60")}>
          <Figures total={addFigures(rows)} />
          {rows.length > 0 && (
            <Card className="mb-4 px-5 py-4">
              <BarChart
                title={t("occupancy.share")}
                unit={t("occupancy.period")}
                series={[{ label: t("occupancy.share"), fill: "bg-checked-in" }]}
                bars={rows.map((row, index) => ({
                  key: row.from,
                  tick: tickOf(row, index, rows.length, by),
                  when: nameOf(row, by),
                  values: [occupancyShare(row) ?? 0],
                  figures: [formatShare(row)],
                  isCurrent: row.from <= today && today <= row.to,
                }))}
                full={1}
                summary={formatShare(addFigures(rows))}
                formatMark={(share) => formatNumber(share, { style: "percent" })}
              />
            </Card>
          )}
          <ExportedTable
            label={t("occupancy.table")}
            columns={columns}
            rows={rows}
            rowId={(row) => row.from}
            error={report.error}
            onRetry={() => void report.refetch()}
            exportList={{ list: "occupancy", filters: input }}
            empty={{ drawing: EmptyLedger, title: t("occupancy.none") }}
          />
        </div>
      )}
    </>
  );
}
