import { addMonths } from "@innkey/shared/hotel-time";
import type { Statement } from "@innkey/shared/schemas/folio";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight, ScrollText } from "lucide-react";
import { formatLocalDate, formatMoney, formatPrice, hotelToday } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { BarChart } from "@/ui/chart/bar-chart.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { Table, TableBody, TableCell, TableFooter, TableHead, TableHeader, TableRow } from "@/ui/primitives/table.tsx";
import type { BalanceSearch } from "../money-search.ts";

type StatementBarsProps = { rows: Statement["rows"]; nameOf: (date: string) => string; currency: string };

/** Chart with payments upwards and refunds downwards. The table beside it contains the figures. */
function StatementBars({ rows, nameOf, currency }: StatementBarsProps) {
  const maxReceived = Math.max(1, ...rows.map(({ takenMinor }) => takenMinor));
  const maxReturned = Math.max(0, ...rows.map(({ returnedMinor }) => returnedMinor));
  const [first, last] = [rows[0], rows.at(-1)];
  return (
    <figure aria-label={t("balance.plot")} className="px-5 pb-4">
      <div className="mb-2 flex flex-wrap justify-between gap-x-4 text-xs text-muted-foreground">
        <span className="tabular-nums">{formatPrice(maxReceived, currency)}</span>
        <span aria-hidden className="flex gap-4">
          <span className="inline-flex items-center gap-1.5">
            <span className="size-2.5 rounded-xs bg-vacant" />
            {t("balance.taken")}
          </span>
          <span className="inline-flex items-center gap-1.5">
            <span className="size-2.5 rounded-xs bg-danger" />
            {t("balance.returned")}
          </span>
        </span>
      </div>
      <BarChart
        title={t("balance.plot")}
        bars={rows.map(({ date, takenMinor, returnedMinor }) => ({
          key: date,
          above: [{ value: takenMinor, className: "fill-vacant" }],
          below: [{ value: returnedMinor, className: "fill-danger" }],
        }))}
        top={maxReceived}
        bottom={maxReturned}
        lines={[0]}
        className="h-28 w-full"
      />
      <div aria-hidden className="mt-1 flex justify-between text-xs text-muted-foreground">
        <span>{first && nameOf(first.date)}</span>
        {rows.length > 1 && <span>{last && nameOf(last.date)}</span>}
      </div>
    </figure>
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
    <section
      className="scroll-quiet overflow-x-auto border-t *:overflow-visible max-sm:text-sm max-sm:[&_:is(td,th)]:px-1.5 max-sm:[&_:is(td,th):first-child]:ps-3 max-sm:[&_:is(td,th):last-child]:pe-3"
      aria-label={t("balance.statement")}
    >
      <Table>
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
          <TableRow className="border-t-2 font-semibold">
            <th scope="row" className="h-11 ps-5 pe-3 text-start">
              {t("balance.sum")}
            </th>
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
    formatLocalDate(day, span === "day" ? { weekday: "short", day: "numeric", month: "short" } : { month: "long" });
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
