import { CircleCheck } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";

/** What all their stays together come to; positive: they owe it. */
export function CustomerBalance({ minor }: { minor: number }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const label = minor > 0 ? t("customer.owe") : minor < 0 ? t("customer.credit") : t("customer.settled");
  return (
    <Card>
      <CardHeader title={t("customer.balance")} />
      <CardBody>
        <p
          className={cn(
            "text-sm text-muted-foreground",
            minor === 0 && "flex items-center gap-1.5 font-medium text-vacant",
          )}
        >
          {minor === 0 && <CircleCheck aria-hidden className="size-4" />}
          {label}
        </p>
        <p className={cn("text-2xl font-semibold tracking-tight", minor > 0 && "text-expired")}>
          {formatMoney(Math.abs(minor), currency)}
        </p>
        <p className="mt-1 text-sm text-muted-foreground">{t("customer.balanceText")}</p>
      </CardBody>
    </Card>
  );
}
