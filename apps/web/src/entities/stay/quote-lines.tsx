import type { QuoteLine } from "@innkey/shared/quote";
import { groupLines, type LineGroup } from "@innkey/shared/quote-groups";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate, formatMoney, formatNumber } from "@/lib/format.ts";
import { language, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";

type MoneyRowProps = { label: ReactNode; minor: number | undefined; strong?: boolean; className?: string };

/** A labelled amount; `strong` for the total of a column. */
export function MoneyRow({ label, minor, strong, className }: MoneyRowProps) {
  const { currency } = useHotel();
  return (
    <div
      className={cn("flex items-baseline justify-between gap-4", strong && "border-t pt-2.5 font-semibold", className)}
    >
      <dt className={cn(!strong && "text-muted-foreground")}>{label}</dt>
      <dd className={cn("shrink-0", strong && "text-lg")}>{formatMoney(minor, currency)}</dd>
    </div>
  );
}

const ranges = new Intl.DateTimeFormat(language.tag, { timeZone: "UTC", day: "numeric", month: "short" });

/** Formats one date as "Sun, Nov 22" and several as "Nov 20 – 21", in the chosen language. */
function dates({ from, to }: LineGroup): string {
  if (from === to) return formatLocalDate(from, { weekday: "short", day: "numeric", month: "short" });
  return ranges.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
}

/** Shows the lines of a charge as they will stand on the entry. */
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
              {group.count > 1 && ` · ${formatNumber(group.count)} × ${formatMoney(group.unitMinor, currency)}`}
            </span>
          </span>
          <span className="shrink-0">{formatMoney(group.amountMinor, currency)}</span>
        </li>
      ))}
    </ul>
  );
}
