import type { orderListOutput } from "@innkey/shared/schemas/orders";
import { type LucideIcon, ReceiptText } from "lucide-react";
import type { z } from "zod";
import { CHANNEL_ICONS } from "@/entities/stay/channel-choice.tsx";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";

/** Totals of the listed orders: the charges, and the amount moved by each payment channel. */
export function OrderTotals({ totals }: { totals: z.infer<typeof orderListOutput>["totals"] }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  return (
    <dl className="mb-4 grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-border shadow-card sm:grid-cols-3 lg:grid-flow-col lg:auto-cols-fr lg:grid-cols-none">
      <Total icon={ReceiptText} label={t("order.charged")} amount={formatMoney(totals.chargedMinor, currency)} />
      {totals.channels.map(({ channel, takenMinor, returnedMinor }) => {
        const amounts = { taken: formatMoney(takenMinor, currency), returned: formatMoney(returnedMinor, currency) };
        return (
          <Total
            key={channel}
            icon={CHANNEL_ICONS[channel]}
            label={t(`stay.channel.${channel}`)}
            amount={formatMoney(takenMinor - returnedMinor, currency)}
            detail={returnedMinor > 0 ? t("order.takenReturned", amounts) : undefined}
          />
        );
      })}
    </dl>
  );
}

function Total({
  icon: Icon,
  label,
  amount,
  detail,
}: {
  icon: LucideIcon;
  label: string;
  amount: string;
  detail?: string;
}) {
  return (
    <div className="bg-card px-4 py-3">
      <dt className="flex items-center gap-1.5 text-sm text-muted-foreground">
        <Icon aria-hidden className="size-4" />
        {label}
      </dt>
      <dd className="mt-0.5 text-lg font-semibold">{amount}</dd>
      {detail && <dd className="text-sm text-muted-foreground">{detail}</dd>}
    </div>
  );
}
