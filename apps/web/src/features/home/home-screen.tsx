import type { HomeOverview } from "@innkey/shared/schemas/overview/home";
import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import {
  BatteryWarning,
  BedDouble,
  Bell,
  BookmarkCheck,
  ChevronRight,
  CircleCheck,
  CircleX,
  Clock,
  FileUp,
  HandCoins,
  LockKeyhole,
  type LucideIcon,
  ServerOff,
  ShieldAlert,
  Unplug,
  Users,
} from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate, formatMoney, formatNumber, formatShort, hotelToday } from "@/lib/format.ts";
import { type TextKey, t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { NoPermission } from "@/ui/can.tsx";
import { CardHeading, ExplainedLink } from "@/ui/card-parts.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { DoorsCard, NightsCard, OccupancyCard, RevenueCard } from "./home-cards.tsx";
import { TodayLists } from "./today-lists.tsx";
import type { TodayList, TodaySearch } from "./today-search.ts";

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
function CareCard({ overview }: { overview: HomeOverview }) {
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

function useConcerns({ overdue, unpaid, locks, unread, outage, unconfirmed }: HomeOverview): Concern[] {
  const { currency, timeZone } = useHotel();
  const seesReports = useCan()("reports.view");
  return [
    {
      id: "outage",
      icon: ServerOff,
      label: t("nav.afterOutage"),
      detail: outage
        ? t("afterOutage.wasOff", {
            from: formatShort(outage.from, timeZone),
            until: formatShort(outage.until, timeZone),
          })
        : "",
      count: outage ? 1 : 0,
      link: { to: "/afterOutage" },
    },
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
      id: "unconfirmed",
      icon: BookmarkCheck,
      label: t("home.care.unconfirmed"),
      // The next one is behind the link: once it is confirmed, the one after it takes its place.
      detail: unconfirmed
        ? [
            `\u2068${unconfirmed.guestName}\u2069`,
            unconfirmed.roomName,
            formatShort(unconfirmed.startsAt, timeZone),
          ].join(" · ")
        : "",
      count: unconfirmed?.count ?? 0,
      link: { to: "/room/thetouristsDetails", search: { id: unconfirmed?.stayGuestId ?? 0 } },
    },
    {
      id: "unpaid",
      icon: HandCoins,
      label: t("home.care.unpaid"),
      detail: formatMoney(unpaid?.owedMinor, currency),
      count: unpaid?.stays ?? 0,
      link: seesReports ? { to: "/nightAudit" } : { to: "/orders" },
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

/** Refresh interval, because a guest becomes late by time alone, without any event. */
const REFRESH_MILLISECONDS = 300_000;

type HomeScreenProps = {
  search: TodaySearch;
  onList: (list: TodayList) => void;
  /** What the last shift left. */
  handOver: ReactNode;
};

/**
 * The clerk's page: who comes, goes and stays today with the act in the row, what needs care, and the day's figures.
 */
export function HomeScreen(props: HomeScreenProps) {
  const can = useCan();
  const { timeZone } = useHotel();
  if (!can("rooms.view")) return <NoPermission />;
  return (
    <>
      <PageHeader
        title={t("nav.home")}
        description={formatLocalDate(hotelToday(timeZone), { weekday: "long", day: "numeric", month: "long" })}
      />
      <Overview {...props} />
    </>
  );
}

function Overview({ search, onList, handOver }: HomeScreenProps) {
  const seesStays = useCan()("stays.view");
  const { data, error, refetch } = useQuery(
    trpc.home.overview.queryOptions(undefined, { refetchInterval: REFRESH_MILLISECONDS }),
  );
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (Object.values(data.rooms).every((rooms) => rooms === 0)) return <FirstSteps />;
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
        {seesStays && <TodayLists moves={data} list={search.list ?? "arrivals"} onList={onList} />}
        <div className="grid min-w-0 grid-cols-1 gap-5 print:hidden">
          {/* On a narrow screen, what has to be done comes before what is. */}
          <OccupancyCard rooms={data.rooms} className="max-xl:order-last" />
          {handOver}
          <CareCard overview={data} />
        </div>
      </div>
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-2 xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none print:hidden">
        <NightsCard nights={data.nights} />
        {data.revenue && <RevenueCard revenue={data.revenue} />}
        {data.traffic && <DoorsCard date={data.date} traffic={data.traffic} />}
      </div>
    </div>
  );
}

function Loading() {
  return (
    <div role="status" aria-label={t("common.loading")} className="grid grid-cols-1 gap-5">
      <div className="grid grid-cols-1 gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Skeleton className="h-96 rounded-lg" />
        <Skeleton className="h-96 rounded-lg" />
      </div>
      <Skeleton className="h-64 rounded-lg" />
    </div>
  );
}

const STEPS: readonly { to: string; icon: LucideIcon; titleKey: TextKey; textKey: TextKey }[] = [
  { to: "/imports", icon: FileUp, titleKey: "home.first.import", textKey: "home.first.importText" },
  { to: "/room", icon: BedDouble, titleKey: "home.first.rooms", textKey: "home.first.roomsText" },
  { to: "/locks", icon: LockKeyhole, titleKey: "home.first.locks", textKey: "home.first.locksText" },
  { to: "/staff", icon: Users, titleKey: "home.first.staff", textKey: "home.first.staffText" },
];

/** First steps for a hotel that has no rooms yet. */
function FirstSteps() {
  return (
    <Card>
      <CardHeading title={t("home.first.title")} description={t("home.first.text")} />
      <ol className="divide-y border-t">
        {STEPS.map(({ to, icon, titleKey, textKey }) => (
          <li key={to}>
            <ExplainedLink to={to} icon={icon} title={t(titleKey)} text={t(textKey)} />
          </li>
        ))}
      </ol>
    </Card>
  );
}
