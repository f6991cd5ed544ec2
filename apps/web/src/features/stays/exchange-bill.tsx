import type { QuoteLine } from "@innkey/shared/quote";
import type { changeRoomQuote } from "@innkey/shared/schemas/stays";
import type { z } from "zod";
import { MoneyRow } from "@/entities/stay/money-row.tsx";
import { QuoteLines } from "@/entities/stay/quote-lines.tsx";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

type ExchangeBillProps = {
  quote: z.infer<typeof changeRoomQuote> | undefined;
  error: unknown;
  /** What the rest of the stay costs instead of the quoted charge. */
  agreedMinor: number | null;
  differenceMinor: number | undefined;
};

/** What the old room gives back, what the new one costs for the rest, and the difference. */
export function ExchangeBill({ quote, error, agreedMinor, differenceMinor }: ExchangeBillProps) {
  const { t } = useTranslation();
  if (error) return <p className="font-medium text-danger">{failureText(failureOf(error))}</p>;
  if (!quote) return <Skeleton className="h-24" />;
  return (
    <section aria-label={t("stay.bill")} className="grid gap-3 border-t pt-4">
      {quote.credit.length > 0 && <Part lines={quote.credit} label={t("stay.credit")} />}
      {agreedMinor === null && quote.charge.length > 0 && <Part lines={quote.charge} label={t("stay.charge")} />}
      {agreedMinor !== null && (
        <dl>
          <MoneyRow label={t("stay.agreedTotal")} minor={agreedMinor} />
        </dl>
      )}
      <dl aria-live="polite">
        <MoneyRow
          label={differenceMinor !== undefined && differenceMinor < 0 ? t("stay.inFavour") : t("stay.difference")}
          minor={differenceMinor}
          strong
        />
      </dl>
    </section>
  );
}

function Part({ lines, label }: { lines: readonly QuoteLine[]; label: string }) {
  return (
    <div>
      <p className="mb-1.5 text-xs font-medium text-muted-foreground">{label}</p>
      <QuoteLines lines={lines} label={label} />
    </div>
  );
}
