import type { StayDetail } from "@innkey/shared/schemas/stays";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { MoneyRow } from "@/entities/stay/money-row.tsx";
import { cn } from "@/lib/cn.ts";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { PayDialog } from "./pay-dialog.tsx";
import { PayOutDialog } from "./pay-out-dialog.tsx";

/** Shows the stay's balance, with the amounts it is made of below. */
export function MoneyCard({ stay }: { stay: StayDetail }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const can = useCan();
  const [paying, setPaying] = useState(false);
  const [payingOut, setPayingOut] = useState(false);
  const { chargedMinor, paidMinor, owedMinor, depositHeldMinor, unusedMinor } = stay.money;
  const seesOrders = can("orders.view");
  const settled = owedMinor === 0 && seesOrders;
  const label = owedMinor > 0 ? t("guest.owes") : owedMinor < 0 ? t("guest.credit") : t("guest.settled");

  return (
    <Card>
      <CardHeader title={t("guest.money")} />
      <CardBody className="grid gap-4">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div>
            <p
              className={cn(
                "text-sm text-muted-foreground",
                settled && "flex items-center gap-1.5 font-medium text-vacant",
              )}
            >
              {settled && <CircleCheck aria-hidden className="size-4" />}
              {label}
            </p>
            <p className={cn("text-2xl font-semibold tracking-tight", owedMinor > 0 && "text-expired")}>
              {formatMoney(settled ? chargedMinor : Math.abs(owedMinor), currency)}
            </p>
          </div>
          {owedMinor < 0 && can("orders.refund") && (
            <Button needsServer onClick={() => setPayingOut(true)}>
              {t("order.payOutCredit")}
            </Button>
          )}
          {owedMinor > 0 && can("stays.manage") && (
            <Button needsServer onClick={() => setPaying(true)}>
              {t("guest.pay")}
            </Button>
          )}
        </div>
        <dl className="grid gap-2 border-t pt-4">
          {seesOrders && <MoneyRow label={t("stay.charged")} minor={chargedMinor} />}
          {seesOrders && <MoneyRow label={t("stay.paid")} minor={paidMinor} />}
          <MoneyRow label={t("stay.depositHeld")} minor={depositHeldMinor} />
          {unusedMinor > 0 && <MoneyRow label={t("guest.unused")} minor={unusedMinor} />}
        </dl>
      </CardBody>
      {payingOut && <PayOutDialog stayId={stay.id} creditMinor={-owedMinor} onClose={() => setPayingOut(false)} />}
      {paying && <PayDialog stayId={stay.id} owedMinor={owedMinor} onClose={() => setPaying(false)} />}
    </Card>
  );
}
