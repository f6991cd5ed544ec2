import type { RoomStatus } from "@innkey/shared/enums";
import type { HomeOverview } from "@innkey/shared/schemas/overview/home";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { STATUS_TONE } from "@/entities/room/room-status.tsx";
import { barsOf, TrafficBars } from "@/entities/unlock/traffic-bars.tsx";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate, formatMoney, formatMoneyBriefly, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { CardHeading } from "@/ui/card-parts.tsx";
import { BarChart } from "@/ui/chart/bar-chart.tsx";
import { Dial } from "@/ui/dial.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { STATUS_ICONS } from "@/ui/status-chip.tsx";

const STATUSES: readonly RoomStatus[] = ["checked_in", "reserved", "vacant", "dirty", "maintenance"];
const INK: Record<RoomStatus, string> = {
  checked_in: "text-checked-in",
  reserved: "text-reserved",
  vacant: "text-vacant",
  dirty: "text-dirty",
  maintenance: "text-maintenance",
};
const SOLID: Record<RoomStatus, string> = {
  checked_in: "bg-checked-in",
  reserved: "bg-reserved",
  vacant: "bg-vacant",
  dirty: "bg-dirty",
  maintenance: "bg-maintenance",
};

type Taken = Pick<HomeOverview["nights"][number], "taken" | "rooms">;

const shareOf = ({ taken, rooms }: Taken): string => formatNumber(rooms > 0 ? taken / rooms : 0, { style: "percent" });
const takenText = ({ taken, rooms }: Taken): string =>
  t("home.taken", { taken: formatNumber(taken), rooms: formatNumber(rooms) });

/** The share of the rooms that can be let and are taken, as the board says it. */
export function OccupancyCard({ rooms, className }: Pick<HomeOverview, "rooms"> & { className?: string }) {
  const counts = Object.values(rooms).reduce((sum, count) => sum + count, 0) - rooms.maintenance;
  const now = { taken: rooms.checked_in, rooms: counts };
  return (
    <Card className={cn("p-5", className)}>
      <h2 className="text-lg font-semibold">{t("home.occupancy")}</h2>
      <div className="mt-2 flex items-center gap-5">
        <div className="relative size-32 shrink-0">
          <Dial
            ticks={counts}
            filled={rooms.checked_in}
            label={`${takenText(now)}, ${shareOf(now)}`}
            className="size-full"
          />
          <span aria-hidden className="absolute inset-0 grid place-items-center figures text-2xl">
            {shareOf(now)}
          </span>
        </div>
        <div className="min-w-0">
          <p aria-hidden>{takenText(now)}</p>
          {rooms.maintenance > 0 && <p className="text-sm text-muted-foreground">{t("board.occupiedHow")}</p>}
        </div>
      </div>
      <div aria-hidden className="mt-4 flex h-2 gap-0.5 overflow-hidden rounded-full bg-hover">
        {STATUSES.filter((status) => rooms[status] > 0).map((status) => (
          <span key={status} style={{ flexGrow: rooms[status] }} className={cn("basis-0", SOLID[status])} />
        ))}
      </div>
      <ul className="mt-3 grid grid-cols-2 gap-x-4 text-sm">
        {STATUSES.map((status) => {
          const Icon = STATUS_ICONS[STATUS_TONE[status]];
          return (
            <li key={status}>
              <Link
                to="/room"
                search={{ status }}
                className="-mx-2 flex h-8 items-center gap-2 rounded-md px-2 hover:bg-hover pointer-coarse:h-10"
              >
                <Icon aria-hidden className={cn("size-3.5 shrink-0", INK[status])} strokeWidth={2.25} />
                <span className="min-w-0 flex-1 truncate">{t(`status.${status}`)}</span>
                <span className="font-medium tabular-nums">{formatNumber(rooms[status])}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** How full the nights to come are. A bar links to the timeline. */
export function NightsCard({ nights }: Pick<HomeOverview, "nights">) {
  const seesStays = useCan()("stays.view");
  const navigate = useNavigate();
  const rate =
    nights.reduce((sum, night) => sum + night.taken / Math.max(1, night.rooms), 0) / Math.max(1, nights.length);
  const average = formatNumber(rate, { style: "percent" });
  const most = Math.max(1, ...nights.map((night) => night.rooms));
  return (
    <Card className="flex flex-col px-5 pt-4 pb-5">
      <h2 className="mb-4 text-lg font-semibold">{t("home.nights")}</h2>
      <BarChart
        title={t("occupancy.share")}
        unit={t("home.night")}
        series={[{ label: t("occupancy.share"), fill: "bg-checked-in" }]}
        summary={t("home.average", { share: average })}
        full={most}
        formatMark={(taken) => formatNumber(taken / most, { style: "percent" })}
        onChoose={
          seesStays ? (index) => void navigate({ to: "/timeline", search: { from: nights[index]?.date } }) : undefined
        }
        bars={nights.map((night, index) => ({
          key: night.date,
          // We use a bare number: fourteen labels like "22日" would overlap on a phone.
          tick: formatNumber(Number(night.date.slice(-2))),
          when: formatLocalDate(night.date, { weekday: "short", day: "numeric", month: "short" }),
          values: [night.taken],
          figures: [`${shareOf(night)}, ${takenText(night)}`],
          isCurrent: index === 0,
        }))}
        className="flex-1"
      />
    </Card>
  );
}

type DoorsCardProps = { date: string; traffic: NonNullable<HomeOverview["traffic"]> };

/** Chart of today's door openings. A bar links to its records. */
export function DoorsCard({ date, traffic }: DoorsCardProps) {
  const { timeZone } = useHotel();
  const navigate = useNavigate();
  const bars = useMemo(() => barsOf(traffic, "day", date, timeZone), [traffic, date, timeZone]);
  return (
    <Card className="flex flex-col">
      <CardHeading title={t("home.doors")} />
      <CardContent className="flex flex-1 flex-col">
        <TrafficBars
          title={t("home.doors")}
          unit={t("doors.traffic.hour")}
          bars={bars}
          onChoose={({ from, to }) => void navigate({ to: "/doors", search: { from, to } })}
          className="flex-1"
        />
      </CardContent>
    </Card>
  );
}

const DAYS_PER_TICK = 7;
/** Position of the labelled bar in each group of days. Labels are wider than bars, so none is at an edge. */
const MIDDLE = 3;

/** Chart of the revenue of the last days: charges less refunds. */
export function RevenueCard({ revenue }: { revenue: NonNullable<HomeOverview["revenue"]> }) {
  const { currency } = useHotel();
  const total = revenue.reduce((sum, day) => sum + day.minor, 0);
  const { minor: today, returnedMinor } = revenue.at(-1) ?? { minor: 0, returnedMinor: 0 };
  return (
    <Card className="flex flex-col px-5 pt-4 pb-5">
      <h2 className="text-lg font-semibold">{t("home.revenue.today")}</h2>
      <p className="mt-1 figures text-2xl">{formatMoney(today, currency)}</p>
      <p className="mb-5 text-sm text-muted-foreground">
        {returnedMinor > 0 &&
          t("home.revenue.returned", {
            charged: formatMoney(today + returnedMinor, currency),
            returned: formatMoney(returnedMinor, currency),
          })}
      </p>
      <BarChart
        title={t("home.revenue.days")}
        unit={t("home.revenue.day")}
        series={[{ label: t("home.revenue.days"), fill: "bg-muted-foreground" }]}
        summary={formatMoney(total, currency)}
        formatMark={(minor) => formatMoneyBriefly(minor, currency)}
        className="flex-1"
        bars={revenue.map((day, index) => ({
          key: day.date,
          tick:
            (revenue.length - 1 - index) % DAYS_PER_TICK === MIDDLE
              ? formatLocalDate(day.date, { day: "numeric", month: "short" })
              : "",
          when: formatLocalDate(day.date, { weekday: "short", day: "numeric", month: "short" }),
          values: [day.minor],
          figures: [formatMoney(day.minor, currency)],
          isCurrent: index === revenue.length - 1,
        }))}
      />
    </Card>
  );
}
