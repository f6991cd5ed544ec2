import { addMonths } from "@innkey/shared/hotel-time";
import type { Statement } from "@innkey/shared/schemas/folio";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import {
  formatLocalDate,
  formatMoney,
  formatMoneyBriefly,
  formatMonth,
  formatNumber,
  hotelToday,
} from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { BarChart } from "@/ui/chart/bar-chart.tsx";
import { EmptyLedger } from "@/ui/drawings.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { Table, TableBody, TableCell, TableFooter, TableHead, TableHeader, TableRow } from "@/ui/primitives/table.tsx";
import type { BalanceSearch } from "../money-search.ts";

type StatementBarsProps = { rows: Statement["rows"]; nameOf: (date: string) => string; span: "day" | "month" };

const DAYS_PER_TICK = 5;
const MONTHS_PER_TICK = 3;

/** Returns the label below the bar of a day or month. Not every bar has space for one. */
function tickOf(date: string, span: "day" | "month"): string {
  const number = Number(span === "day" ? date.slice(8) : date.slice(5, 7));
  if (span === "month") return number % MONTHS_PER_TICK === 1 ? formatLocalDate(date, { month: "short" }) : "";
  return number === 1 || number % DAYS_PER_TICK === 0 ? formatNumber(number) : "";
}

/** Chart with payments upwards and refunds downwards. */
function StatementBars({ rows, nameOf, span }: StatementBarsProps) {
  const { currency } = useHotel();
  const sum = (figure: "takenMinor" | "returnedMinor"): number => rows.reduce((total, row) => total + row[figure], 0);
  const textOf = (takenMinor: number, returnedMinor: number): string =>
    `${t("balance.taken")} ${formatMoney(takenMinor, currency)} · ${t("balance.returned")} ${formatMoney(returnedMinor, currency)}`;
  return (
    <BarChart
      title={t("balance.plot")}
      unit={span === "day" ? t("balance.byDay") : t("balance.byMonth")}
      series={[
        { label: t("balance.taken"), fill: "bg-muted-foreground" },
        { label: t("balance.returned"), fill: "bg-brass" },
      ]}
      bars={rows.map(({ date, takenMinor, returnedMinor }) => ({
        key: date,
        tick: tickOf(date, span),
        when: nameOf(date),
        values: [takenMinor, -returnedMinor],
        figures: [formatMoney(takenMinor, currency), formatMoney(returnedMinor, currency)],
        text: textOf(takenMinor, returnedMinor),
      }))}
      summary={textOf(sum("takenMinor"), sum("returnedMinor"))}
      formatMark={(minor) => formatMoneyBriefly(minor, currency)}
      className="px-5 pb-4"
    />
  );
}

type StatementTableProps = {
  rows: Statement["rows"];
  nameOf: (date: string) => string;
  /** A day links to its entries, a month to its days. */
  span: "day" | "month";
};

type Figure = "chargedMinor" | "takenMinor" | "returnedMinor" | "rechargedMinor" | "withdrawnMinor";

/** Statement, newest first. The payment channels are listed below the amount taken. */
function StatementTable({ rows, nameOf, span }: StatementTableProps) {
  const { currency } = useHotel();
  const money = (minor: number): string => (minor === 0 ? "–" : formatMoney(minor, currency));
  const sum = (figure: Figure): number => rows.reduce((total, row) => total + row[figure], 0);
  const cell = "text-end whitespace-nowrap tabular-nums";
  // A phone has room for only two columns of money, so outgoing amounts are shown below incoming ones.
  const wide = "max-sm:hidden";
  const below = "block text-xs font-normal text-muted-foreground sm:hidden";
  const negated = (minor: number): string => (minor === 0 ? "" : formatMoney(-minor, currency));
  return (
    <section className="scroll-quiet overflow-x-auto border-t" aria-label={t("balance.statement")}>
      <Table className="max-sm:text-sm max-sm:[--cell-x:--spacing(1.5)] max-sm:[--edge-x:--spacing(3)]">
        <TableHeader>
          <TableRow>
            <TableHead>{span === "day" ? t("balance.byDay") : t("balance.byMonth")}</TableHead>
            <TableHead className={`text-end ${wide}`}>{t("balance.charged")}</TableHead>
            <TableHead className="text-end">
              {t("balance.taken")}
              <span className={below}>{t("balance.returned")}</span>
            </TableHead>
            <TableHead className={`text-end ${wide}`}>{t("balance.returned")}</TableHead>
            <TableHead className={`text-end ${wide}`}>{t("balance.deposits")}</TableHead>
            <TableHead className={`text-end ${wide}`}>{t("balance.putIn")}</TableHead>
            <TableHead className={`text-end ${wide}`}>{t("balance.takenOut")}</TableHead>
            <TableHead className="text-end">{t("balance.closing")}</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {rows.toReversed().map((row) => (
            <TableRow key={row.date}>
              <TableCell className="whitespace-nowrap">
                {span === "day" ? (
                  <Link to="/orders" search={{ day: row.date }} className="font-medium text-brass-ink hover:underline">
                    {nameOf(row.date)}
                  </Link>
                ) : (
                  <Link
                    to="/balance"
                    search={{ date: row.date }}
                    className="font-medium text-brass-ink hover:underline"
                  >
                    {nameOf(row.date)}
                  </Link>
                )}
              </TableCell>
              <TableCell className={`${cell} ${wide}`}>{money(row.chargedMinor)}</TableCell>
              <TableCell className={cell}>
                {money(row.takenMinor)}
                <span className={`block text-xs text-muted-foreground ${wide}`}>
                  {row.taken
                    .filter(({ amountMinor }) => amountMinor > 0)
                    .map(({ channel, amountMinor }) => `${t(`stay.channel.${channel}`)} ${money(amountMinor)}`)
                    .join(" · ")}
                </span>
                <span className={below}>{negated(row.returnedMinor)}</span>
              </TableCell>
              <TableCell className={`${cell} ${wide}`}>{money(row.returnedMinor)}</TableCell>
              <TableCell className={`${cell} ${wide}`}>
                {row.depositsInMinor === 0 && row.depositsOutMinor === 0
                  ? "–"
                  : `${money(row.depositsInMinor)} · ${money(row.depositsOutMinor)}`}
              </TableCell>
              <TableCell className={`${cell} ${wide}`}>{money(row.rechargedMinor)}</TableCell>
              <TableCell className={`${cell} ${wide}`}>{money(row.withdrawnMinor)}</TableCell>
              <TableCell className={`${cell} font-medium`}>{formatMoney(row.closingMinor, currency)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
        <TableFooter>
          <TableRow>
            <TableHead scope="row" className="font-semibold">
              {t("balance.sum")}
            </TableHead>
            <TableCell className={`${cell} ${wide}`}>{money(sum("chargedMinor"))}</TableCell>
            <TableCell className={cell}>
              {money(sum("takenMinor"))}
              <span className={below}>{negated(sum("returnedMinor"))}</span>
            </TableCell>
            <TableCell className={`${cell} ${wide}`}>{money(sum("returnedMinor"))}</TableCell>
            <TableCell className={wide} />
            <TableCell className={`${cell} ${wide}`}>{money(sum("rechargedMinor"))}</TableCell>
            <TableCell className={`${cell} ${wide}`}>{money(sum("withdrawnMinor"))}</TableCell>
            <TableCell />
          </TableRow>
        </TableFooter>
      </Table>
    </section>
  );
}

const DATE = /^\d{4}-(0[1-9]|1[0-2])-\d{2}$/;

type StatementCardProps = { search: BalanceSearch; onSearch: (patch: BalanceSearch) => void };

/** Statement by the days of a month or the months of a year. */
export function StatementCard({ search, onSearch }: StatementCardProps) {
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
    span === "day" ? formatLocalDate(day, { weekday: "short", day: "numeric", month: "short" }) : formatMonth(day);
  return (
    <Card>
      <CardHeading
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
        <EmptyState drawing={EmptyLedger} title={t("balance.none")} description={t("balance.noneText")} />
      ) : (
        <>
          <StatementBars rows={data.rows} nameOf={nameOf} span={span} />
          <StatementTable rows={data.rows} nameOf={nameOf} span={span} />
          <p className="border-t px-5 py-3 text-sm text-muted-foreground">
            {t("balance.opening", { amount: formatMoney(data.openingMinor, currency) })}
          </p>
        </>
      )}
    </Card>
  );
}
