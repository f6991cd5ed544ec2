import { useQuery } from "@tanstack/react-query";
import { BedDouble, FileUp, LockKeyhole, type LucideIcon, Users } from "lucide-react";
import { formatLocalDate, hotelToday } from "@/lib/format.ts";
import { type TextKey, useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { CardHeading } from "@/ui/card-heading.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { ExplainedLink } from "@/ui/explained-link.tsx";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { CareCard } from "./care-card.tsx";
import { DoorsCard, MovementsCard, RevenueCard, TonightCard } from "./home-cards.tsx";

/** Refresh interval, because a guest becomes late by time alone, without any event. */
const AGAIN_MILLISECONDS = 300_000;

/** Overview of the hotel today; every part links to the list behind it. */
export function HomeScreen() {
  const { t } = useTranslation();
  const can = useCan();
  const { timeZone } = useHotel();
  if (!can("rooms.view")) return <NoPermission />;
  return (
    <>
      <PageHeader
        title={t("nav.home")}
        description={formatLocalDate(hotelToday(timeZone), { weekday: "long", day: "numeric", month: "long" })}
      />
      <Overview />
    </>
  );
}

function Overview() {
  const { data, error, refetch } = useQuery(
    trpc.home.overview.queryOptions(undefined, { refetchInterval: AGAIN_MILLISECONDS }),
  );
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (Object.values(data.rooms).every((rooms) => rooms === 0)) return <FirstSteps />;
  return (
    <div className="grid grid-cols-1 gap-5">
      <TonightCard rooms={data.rooms} nights={data.nights} />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-3">
        <CareCard overview={data} />
        {data.arrivals && <MovementsCard way="arrivals" movements={data.arrivals} />}
        {data.departures && <MovementsCard way="departures" movements={data.departures} />}
      </div>
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
        {data.revenue && <RevenueCard revenue={data.revenue} />}
        {data.traffic && <DoorsCard date={data.date} traffic={data.traffic} />}
      </div>
    </div>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")} className="grid grid-cols-1 gap-5">
      <Skeleton className="h-64 rounded-lg" />
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-3">
        <Skeleton className="h-72 rounded-lg" />
        <Skeleton className="h-72 rounded-lg" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
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
  const { t } = useTranslation();
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
