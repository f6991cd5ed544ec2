import type { Balance } from "@innkey/shared/schemas/balance";
import { Landmark } from "lucide-react";
import { CHANNEL_ICONS } from "@/entities/stay/channel-choice.tsx";
import { cn } from "@/lib/cn.ts";
import { formatMoney } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { destinationOf } from "./destination.ts";

/** Shows the available balance, the guests' share, and where the money is. */
export function BalanceFigures({ balance, onAccount }: { balance: Balance; onAccount: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const money = (minor: number): string => formatMoney(minor, currency);
  const { availableMinor, moneyMinor, heldMinor, creditsMinor, channels, account } = balance;
  return (
    <Card className="mb-6 overflow-hidden">
      <dl className="grid gap-px bg-border sm:grid-cols-2">
        <div className="bg-card px-5 py-4">
          <dt className="text-sm text-muted-foreground">{t("balance.available")}</dt>
          <dd className={cn("text-2xl font-semibold tracking-tight", availableMinor < 0 && "text-danger")}>
            {money(availableMinor)}
          </dd>
          <dd className="text-sm text-muted-foreground">{t("balance.ofMoney", { amount: money(moneyMinor) })}</dd>
        </div>
        <div className="bg-card px-5 py-4">
          <dt className="text-sm text-muted-foreground">{t("balance.held")}</dt>
          <dd className="text-2xl font-semibold tracking-tight">{money(heldMinor + creditsMinor)}</dd>
          <dd className="text-sm text-muted-foreground">
            {t("balance.heldOf", { deposits: money(heldMinor), credits: money(creditsMinor) })}
          </dd>
        </div>
      </dl>
      <dl className="grid grid-cols-2 gap-px border-t bg-border sm:grid-cols-4">
        {channels.map(({ channel, amountMinor }) => {
          const Icon = CHANNEL_ICONS[channel];
          return (
            <div key={channel} className="bg-card px-5 py-3">
              <dt className="flex items-center gap-1.5 text-sm text-muted-foreground">
                <Icon aria-hidden className="size-4" />
                {t(`stay.channel.${channel}`)}
              </dt>
              <dd className={cn("mt-0.5 text-lg font-semibold", amountMinor < 0 && "text-danger")}>
                {money(amountMinor)}
              </dd>
            </div>
          );
        })}
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t px-5 py-3">
        <p className="flex min-w-0 items-center gap-2.5">
          <Landmark aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          <span className="min-w-0">
            <span className="block text-sm text-muted-foreground">{t("balance.account")}</span>
            <bdi className="block break-words">{account ? destinationOf(t, account) : t("balance.accountNone")}</bdi>
          </span>
        </p>
        {onAccount && (
          <Button size="sm" needsServer onClick={onAccount}>
            {account ? t("balance.changeAccount") : t("balance.setAccount")}
          </Button>
        )}
      </div>
    </Card>
  );
}
