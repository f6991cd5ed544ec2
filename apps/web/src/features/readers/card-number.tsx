import { Copy } from "lucide-react";
import type { ReactNode } from "react";
import { kindName } from "@/entities/reader/reader-words.ts";
import { copyText } from "@/lib/copy-text.ts";
import { formatTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { spaced } from "@/readers/hex.ts";
import type { CardOnDesk } from "@/readers/reading-desk.ts";
import { formsOf } from "@/readers/uid.ts";
import { IconButton } from "@/ui/primitives/icon-button.tsx";

function Form({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="min-w-0 text-end break-words">
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

/** Shows the card that was read last, with its number in all common notations. */
export function CardNumber({ card }: { card: CardOnDesk }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { uid, reversed, decimal, reversedDecimal } = formsOf(card.uid);
  return (
    <section aria-label={t("reader.number")} className="rounded-lg border bg-card shadow-card">
      <div className="flex items-center justify-between gap-3 border-b border-dashed px-4 py-3">
        <div className="min-w-0">
          <p className="text-sm text-muted-foreground">{t("reader.number")}</p>
          <p dir="ltr" className="font-mono text-xl font-medium tracking-wide break-words rtl:text-end">
            {spaced(uid)}
          </p>
        </div>
        <IconButton icon={Copy} label={t("reader.copyNumber")} onClick={() => void copyText(uid)} />
      </div>
      <dl className="grid gap-1.5 px-4 py-3 text-sm">
        {card.kind && <Form label={t("reader.kind")}>{kindName(card.kind)}</Form>}
        <Form label={t("reader.reversed")}>
          <span className="font-mono">{spaced(reversed)}</span>
        </Form>
        {decimal && reversedDecimal && (
          <>
            <Form label={t("reader.decimal")}>{decimal}</Form>
            <Form label={t("reader.reversedDecimal")}>{reversedDecimal}</Form>
          </>
        )}
        <Form label={t("reader.readAt")}>{formatTime(new Date(card.at).toISOString(), timeZone)}</Form>
      </dl>
    </section>
  );
}
