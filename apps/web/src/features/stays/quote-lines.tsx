import type { QuoteLine } from "@innkey/shared/quote";
import { useTranslation } from "react-i18next";
import { formatLocalDate, formatMoney } from "@/lib/format.ts";
import { useHotel } from "@/lib/session.ts";
import { groupLines, type LineGroup } from "./quote-groups.ts";

const SHORT = { weekday: "short", day: "numeric", month: "short" } as const;

function dates({ from, to }: LineGroup): string {
  return from === to ? formatLocalDate(from, SHORT) : `${formatLocalDate(from, SHORT)} – ${formatLocalDate(to, SHORT)}`;
}

/** What is charged, line by line, as it will stand on the order. */
export function QuoteLines({ lines, label }: { lines: readonly QuoteLine[]; label: string }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  return (
    <ul aria-label={label} className="grid gap-2">
      {groupLines(lines).map((group) => (
        <li key={`${group.kind}${group.from}${group.unitMinor}`} className="flex items-baseline justify-between gap-4">
          <span className="min-w-0">
            <span className="block">{t(`stay.line.${group.kind}`, { count: group.count })}</span>
            <span className="block text-sm text-muted-foreground">
              {dates(group)}
              {group.count > 1 && (
                <>
                  {" · "}
                  {t("stay.line.each", { count: group.count, price: formatMoney(group.unitMinor, currency) })}
                </>
              )}
            </span>
          </span>
          <span className="shrink-0">{formatMoney(group.amountMinor, currency)}</span>
        </li>
      ))}
    </ul>
  );
}
