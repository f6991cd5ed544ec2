import type { Statement } from "@innkey/shared/schemas/balance";
import { Link } from "@tanstack/react-router";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Table, Td, Th, Tr } from "@/ui/primitives/table.tsx";

type StatementTableProps = {
  rows: Statement["rows"];
  nameOf: (date: string) => string;
  /** A day links to its orders, a month to its days. */
  span: "day" | "month";
};

type Figure = "chargedMinor" | "takenMinor" | "returnedMinor" | "rechargedMinor" | "withdrawnMinor";

/** Statement, newest first. The payment channels are listed below the amount taken. */
export function StatementTable({ rows, nameOf, span }: StatementTableProps) {
  const { t } = useTranslation();
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
      className="scroll-quiet overflow-x-auto border-t max-sm:text-sm max-sm:[&_:is(td,th)]:px-1.5 max-sm:[&_:is(td,th):first-child]:ps-3 max-sm:[&_:is(td,th):last-child]:pe-3"
      aria-label={t("balance.statement")}
    >
      <Table>
        <thead>
          <tr>
            <Th>{span === "day" ? t("balance.byDay") : t("balance.byMonth")}</Th>
            <Th className={`text-end ${wide}`}>{t("balance.charged")}</Th>
            <Th className="text-end">
              {t("balance.taken")}
              <span className={below}>{t("balance.returned")}</span>
            </Th>
            <Th className={`text-end ${wide}`}>{t("balance.returned")}</Th>
            <Th className={`text-end ${wide}`}>{t("balance.deposits")}</Th>
            <Th className={`text-end ${wide}`}>{t("balance.putIn")}</Th>
            <Th className={`text-end ${wide}`}>{t("balance.takenOut")}</Th>
            <Th className="text-end">{t("balance.closing")}</Th>
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <Tr key={row.date}>
              <Td className="whitespace-nowrap">
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
              </Td>
              <Td className={`${cell} ${wide}`}>{money(row.chargedMinor)}</Td>
              <Td className={cell}>
                {money(row.takenMinor)}
                <span className={`block text-xs text-muted-foreground ${wide}`}>
                  {row.taken
                    .filter(({ amountMinor }) => amountMinor > 0)
                    .map(({ channel, amountMinor }) => `${t(`stay.channel.${channel}`)} ${money(amountMinor)}`)
                    .join(" · ")}
                </span>
                <span className={below}>{negated(row.returnedMinor)}</span>
              </Td>
              <Td className={`${cell} ${wide}`}>{money(row.returnedMinor)}</Td>
              <Td className={`${cell} ${wide}`}>
                {row.depositsInMinor === 0 && row.depositsOutMinor === 0
                  ? "–"
                  : `${money(row.depositsInMinor)} · ${money(row.depositsOutMinor)}`}
              </Td>
              <Td className={`${cell} ${wide}`}>{money(row.rechargedMinor)}</Td>
              <Td className={`${cell} ${wide}`}>{money(row.withdrawnMinor)}</Td>
              <Td className={`${cell} font-medium`}>{formatMoney(row.closingMinor, currency)}</Td>
            </Tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t-2 font-semibold">
            <th scope="row" className="h-11 ps-5 pe-3 text-start">
              {t("balance.sum")}
            </th>
            <Td className={`${cell} ${wide}`}>{money(sum("chargedMinor"))}</Td>
            <Td className={cell}>
              {money(sum("takenMinor"))}
              <span className={below}>{negated(sum("returnedMinor"))}</span>
            </Td>
            <Td className={`${cell} ${wide}`}>{money(sum("returnedMinor"))}</Td>
            <Td className={wide} />
            <Td className={`${cell} ${wide}`}>{money(sum("rechargedMinor"))}</Td>
            <Td className={`${cell} ${wide}`}>{money(sum("withdrawnMinor"))}</Td>
            <Td />
          </tr>
        </tfoot>
      </Table>
    </section>
  );
}
