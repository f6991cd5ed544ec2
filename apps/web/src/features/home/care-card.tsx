import type { HomeOverview } from "@innkey/shared/schemas/overview/home";
import { Link, type LinkProps } from "@tanstack/react-router";
import {
  BatteryWarning,
  Bell,
  ChevronRight,
  CircleCheck,
  CircleX,
  Clock,
  HandCoins,
  type LucideIcon,
  ShieldAlert,
  Unplug,
} from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { formatMoney, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { CardHeading } from "@/ui/card-heading.tsx";
import { Card } from "@/ui/primitives/card.tsx";

type Concern = {
  id: string;
  icon: LucideIcon;
  label: string;
  count: number;
  detail?: string;
  urgent?: true;
  link: LinkProps;
};

/** Lists problems that need attention, each with a link to the page where it can be solved. */
export function CareCard({ overview }: { overview: HomeOverview }) {
  const { t } = useTranslation();
  const concerns = useConcerns(overview).filter(({ count }) => count > 0);
  return (
    <Card>
      <CardHeading title={t("home.care.title")} />
      {concerns.length === 0 ? (
        <p className="flex items-center gap-2.5 px-5 pb-5 text-vacant">
          <CircleCheck aria-hidden className="size-5 shrink-0" strokeWidth={1.75} />
          {t("home.care.none")}
        </p>
      ) : (
        <ul className="divide-y border-t">
          {concerns.map(({ id, icon: Icon, label, count, detail, urgent, link }) => (
            <li key={id}>
              <Link {...link} className="flex min-h-11 items-center gap-3 px-5 py-2 -outline-offset-2 hover:bg-hover">
                <Icon
                  aria-hidden
                  className={cn("size-4 shrink-0", urgent ? "text-danger" : "text-muted-foreground")}
                  strokeWidth={2}
                />
                <span className="min-w-0 flex-1">
                  {label}
                  {detail && <span className="block text-sm text-muted-foreground">{detail}</span>}
                </span>
                <span className={cn("font-semibold tabular-nums", urgent && "text-danger")}>{formatNumber(count)}</span>
                <ChevronRight aria-hidden className="flip-rtl size-4 shrink-0 text-faint-foreground" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function useConcerns({ overdue, unpaid, locks, unread }: HomeOverview): Concern[] {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const reads = useCan()("reports.view");
  return [
    {
      id: "overdue",
      icon: Clock,
      label: t("home.care.overdue"),
      count: overdue ?? 0,
      urgent: true,
      link: { to: "/room", search: { status: "overdue" } },
    },
    {
      id: "risk",
      icon: ShieldAlert,
      label: t("nav.risk"),
      count: locks?.risk ?? 0,
      urgent: true,
      link: { to: "/risk" },
    },
    {
      id: "unpaid",
      icon: HandCoins,
      label: t("home.care.unpaid"),
      detail: formatMoney(unpaid?.owedMinor, currency),
      count: unpaid?.stays ?? 0,
      link: reads ? { to: "/nightAudit" } : { to: "/orders" },
    },
    {
      id: "offline",
      icon: Unplug,
      label: t("home.care.offline"),
      count: locks?.offline ?? 0,
      link: { to: "/locks", search: { show: "offline" } },
    },
    {
      id: "notSetUp",
      icon: Unplug,
      label: t("home.care.notSetUp"),
      count: locks?.notSetUp ?? 0,
      link: { to: "/locks", search: { show: "new" } },
    },
    {
      id: "stopped",
      icon: CircleX,
      label: t("home.care.stopped"),
      count: locks?.stopped ?? 0,
      link: { to: "/locks", search: { show: "stopped" } },
    },
    {
      id: "low",
      icon: BatteryWarning,
      label: t("home.care.low"),
      count: locks?.low ?? 0,
      link: { to: "/locks", search: { show: "low" } },
    },
    {
      id: "unread",
      icon: Bell,
      label: t("home.care.unread"),
      count: unread ?? 0,
      link: { to: "/alerts" },
    },
  ];
}
