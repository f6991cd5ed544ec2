import type { Statement } from "@innkey/shared/schemas/balance";
import { useId } from "react";
import { formatPrice } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";

type StatementBarsProps = { rows: Statement["rows"]; nameOf: (date: string) => string; currency: string };

/** Chart with payments upwards and refunds downwards. The table beside it contains the figures. */
export function StatementBars({ rows, nameOf, currency }: StatementBarsProps) {
  const { t } = useTranslation();
  const id = useId();
  const most = Math.max(1, ...rows.map(({ takenMinor }) => takenMinor));
  const least = Math.max(0, ...rows.map(({ returnedMinor }) => returnedMinor));
  const [first, last] = [rows[0], rows.at(-1)];
  return (
    <figure aria-labelledby={id} className="px-5 pb-4">
      <div className="mb-2 flex flex-wrap justify-between gap-x-4 text-xs text-muted-foreground">
        <span className="tabular-nums">{formatPrice(most, currency)}</span>
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
      <svg
        viewBox={`0 0 ${rows.length} ${most + least}`}
        preserveAspectRatio="none"
        className="h-28 w-full rtl:-scale-x-100"
        role="img"
        aria-labelledby={id}
      >
        <title id={id}>{t("balance.plot")}</title>
        {rows.map(({ date, takenMinor, returnedMinor }, index) => (
          <g key={date}>
            <rect x={index + 0.15} width={0.7} y={most - takenMinor} height={takenMinor} className="fill-vacant" />
            <rect x={index + 0.15} width={0.7} y={most} height={returnedMinor} className="fill-danger" />
          </g>
        ))}
        <line x1={0} x2={rows.length} y1={most} y2={most} vectorEffect="non-scaling-stroke" className="stroke-border" />
      </svg>
      <div aria-hidden className="mt-1 flex justify-between text-xs text-muted-foreground">
        <span>{first && nameOf(first.date)}</span>
        {rows.length > 1 && <span>{last && nameOf(last.date)}</span>}
      </div>
    </figure>
  );
}
