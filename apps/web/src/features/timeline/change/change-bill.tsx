import type { QuoteLine } from "@innkey/shared/quote";
import type { ChangePreview } from "@innkey/shared/schemas/timeline";
import { MoneyRow } from "@/entities/stay/money-row.tsx";
import { QuoteLines } from "@/entities/stay/quote-lines.tsx";
import { useTranslation } from "@/lib/i18n.ts";

/** What is given back, what is charged anew, and the difference. */
export function ChangeBill({ preview: { credit, charge, differenceMinor } }: { preview: ChangePreview }) {
  const { t } = useTranslation();
  if (credit.length + charge.length === 0) {
    return <p className="border-t pt-4 text-muted-foreground">{t("timeline.costsNothing")}</p>;
  }
  return (
    <section aria-label={t("stay.bill")} className="grid gap-3 border-t pt-4">
      {credit.length > 0 && <Part lines={credit} label={t("timeline.givenBack")} />}
      {charge.length > 0 && <Part lines={charge} label={t("timeline.charged")} />}
      <dl aria-live="polite">
        <MoneyRow
          label={differenceMinor < 0 ? t("stay.inFavour") : t("stay.difference")}
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
