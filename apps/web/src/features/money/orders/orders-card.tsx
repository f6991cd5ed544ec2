import type { StayDetail } from "@innkey/shared/schemas/stays";
import { ChevronDown, Undo2 } from "lucide-react";
import { useState } from "react";
import { QuoteLines } from "@/entities/stay/quote-lines.tsx";
import { formatMoney, formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { Card, CardHeader } from "@/ui/primitives/card.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import { ReceiptButton } from "../receipts/receipt-dialog.tsx";
import { ORDER_ICONS, signedAmount } from "./order-look.ts";
import { RefundDialog } from "./refund-dialog.tsx";

type Order = StayDetail["orders"][number];

/** Lists all money entries of the stay, newest first. Charges expand to their lines. */
export function OrdersCard({ stay }: { stay: StayDetail }) {
  const { t } = useTranslation();
  const [refunded, setRefunded] = useState<Order | null>(null);
  const orders = stay.orders.toSorted((a, b) => b.id - a.id);
  return (
    <Card>
      <CardHeader
        title={t("order.ofStay")}
        actions={<ReceiptButton stayId={stay.id} nationality={stay.guests[0]?.nationality ?? null} />}
      />
      <ul className="divide-y border-t">
        {orders.map((order) => (
          <OrderItem key={order.id} order={order} onRefund={() => setRefunded(order)} />
        ))}
      </ul>
      {refunded && <RefundDialog order={refunded} onClose={() => setRefunded(null)} />}
    </Card>
  );
}

function OrderItem({ order, onRefund }: { order: Order; onRefund: () => void }) {
  const { t } = useTranslation();
  const { currency, timeZone } = useHotel();
  const can = useCan();
  const [open, setOpen] = useState(false);
  const Icon = ORDER_ICONS[order.type];
  const facts = [
    formatShort(order.createdAt, timeZone),
    order.channel && t(`stay.channel.${order.channel}`),
    order.operatorName,
  ];
  return (
    <li className="px-5 py-3">
      <div className="flex items-start gap-3">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{t(`order.typeOf.${order.type}`)}</p>
          <p className="text-sm text-muted-foreground">{facts.filter(Boolean).join(" · ")}</p>
          {order.note && <p className="mt-0.5 text-sm break-words">{order.note}</p>}
        </div>
        <span className="shrink-0 font-medium">{formatMoney(signedAmount(order), currency)}</span>
        <div className="-my-1.5 -me-2 flex">
          {order.lines.length > 0 && (
            <IconButton
              icon={ChevronDown}
              size="iconSm"
              label={t("order.lines")}
              aria-expanded={open}
              className="aria-expanded:rotate-180 aria-expanded:bg-transparent"
              onClick={() => setOpen(!open)}
            />
          )}
          {order.refundableMinor > 0 && (can("orders.refund") || (order.type === "deposit" && can("stays.manage"))) && (
            <IconButton icon={Undo2} needsServer flip size="iconSm" label={t("order.refund")} onClick={onRefund} />
          )}
        </div>
      </div>
      {open && (
        <div className="mt-2.5 ms-7 rounded-md bg-sunken p-3 text-sm">
          <QuoteLines lines={order.lines} label={t("order.lines")} />
        </div>
      )}
    </li>
  );
}
