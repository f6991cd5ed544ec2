import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";

/** In place of the choice how money goes back, for who may not pay it out. */
export function CreditStays({ minor }: { minor: number }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  return <p className="text-muted-foreground">{t("stay.creditStays", { amount: formatMoney(minor, currency) })}</p>;
}
