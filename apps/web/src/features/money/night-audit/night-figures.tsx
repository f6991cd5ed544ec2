import type { NightFigures } from "@innkey/shared/schemas/night-audit";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { formatMoney, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Card } from "@/ui/primitives/card.tsx";

/** Key figures of the day. Figures that need attention are coloured unless they are zero. */
export function NightFiguresCard({ figures }: { figures: NightFigures }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const { arrivals, departures, inHouse, unpaid, revenueMinor, channels, doors } = figures;
  const money = (minor: number): string => formatMoney(minor, currency);
  const moved = channels.filter(({ takenMinor, returnedMinor }) => takenMinor > 0 || returnedMinor > 0);
  return (
    <Card className="mb-6 overflow-hidden print:shadow-none">
      <div className="grid gap-px bg-border sm:grid-cols-2 lg:grid-cols-3 print:grid-cols-3">
        <Block title={t("nightAudit.arrivals")}>
          <Figure label={t("nightAudit.expected")} value={formatNumber(arrivals.expected)} />
          <Figure label={t("nightAudit.arrived")} value={formatNumber(arrivals.arrived)} />
          <Figure
            label={t("nightAudit.notCome")}
            value={formatNumber(arrivals.notCome)}
            wanted={arrivals.notCome > 0}
          />
        </Block>
        <Block title={t("nightAudit.departures")}>
          <Figure label={t("nightAudit.expected")} value={formatNumber(departures.expected)} />
          <Figure label={t("nightAudit.left")} value={formatNumber(departures.left)} />
          <Figure
            label={t("nightAudit.overstaying")}
            value={formatNumber(departures.overstaying)}
            wanted={departures.overstaying > 0}
          />
        </Block>
        <Block title={t("nightAudit.inHouse")}>
          <Figure label={t("nightAudit.stays")} value={formatNumber(inHouse.stays)} />
          <Figure label={t("nightAudit.guests")} value={formatNumber(inHouse.guests)} />
        </Block>
        <Block title={t("nightAudit.money")}>
          <Figure label={t("nightAudit.revenue")} value={money(revenueMinor)} />
          {moved.map(({ channel, takenMinor, returnedMinor }) => (
            <Figure
              key={channel}
              label={t(`stay.channel.${channel}`)}
              value={returnedMinor > 0 ? `${money(takenMinor)} − ${money(returnedMinor)}` : money(takenMinor)}
            />
          ))}
        </Block>
        <Block title={t("nightAudit.unpaid")}>
          <Figure label={t("nightAudit.stays")} value={formatNumber(unpaid.stays)} wanted={unpaid.stays > 0} />
          <Figure label={t("nightAudit.owed")} value={money(unpaid.owedMinor)} />
        </Block>
        <Block title={t("nightAudit.doors")}>
          <Figure
            label={t("nightAudit.neverOpened")}
            value={formatNumber(doors.neverOpened)}
            wanted={doors.neverOpened > 0}
          />
          <Figure
            label={t("nightAudit.afterCheckOut")}
            value={formatNumber(doors.afterCheckOut)}
            wanted={doors.afterCheckOut > 0}
          />
          <Figure
            label={t("nightAudit.vacantOpened")}
            value={formatNumber(doors.vacantOpened)}
            wanted={doors.vacantOpened > 0}
          />
        </Block>
      </div>
    </Card>
  );
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="bg-card px-5 py-4">
      <h2 className="mb-2 font-semibold">{title}</h2>
      <dl className="grid gap-1.5">{children}</dl>
    </section>
  );
}

function Figure({ label, value, wanted = false }: { label: string; value: string; wanted?: boolean }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="min-w-0 text-muted-foreground">{label}</dt>
      <dd className={cn("shrink-0 font-medium tabular-nums", wanted && "text-expired")}>{value}</dd>
    </div>
  );
}
