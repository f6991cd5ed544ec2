import type { RoomStatus } from "@innkey/shared/enums";
import type { HomeOverview } from "@innkey/shared/schemas/home";
import { Link } from "@tanstack/react-router";
import { STATUS_TONE } from "@/entities/room/room-status.tsx";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { DayPlot } from "@/ui/day-plot.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { STATUS_ICONS } from "@/ui/primitives/status-chip.tsx";

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

/** Occupancy: room statuses now, the share taken tonight, and the nights to come. */
export function TonightCard({ rooms, nights }: Pick<HomeOverview, "rooms" | "nights">) {
  const { t } = useTranslation();
  const seesStays = useCan()("stays.view");
  const share = (night: HomeOverview["nights"][number] | undefined): string =>
    formatNumber(night && night.rooms > 0 ? night.taken / night.rooms : 0, { style: "percent" });
  const takenText = (night: HomeOverview["nights"][number]): string =>
    t("home.taken", { taken: formatNumber(night.taken), rooms: formatNumber(night.rooms) });
  const [tonight] = nights;
  const rate =
    nights.reduce((sum, night) => sum + night.taken / Math.max(1, night.rooms), 0) / Math.max(1, nights.length);
  const average = formatNumber(rate, { style: "percent" });
  const top = Math.max(1, ...nights.map((night) => night.rooms));
  return (
    <Card className="grid gap-x-10 gap-y-6 p-5 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
      <div className="min-w-0">
        <h2 className="text-muted-foreground">{t("home.tonight")}</h2>
        <p className="mt-1 flex flex-wrap items-baseline gap-x-3">
          <span className="text-[2.75rem] leading-tight font-semibold tracking-tight tabular-nums">
            {share(tonight)}
          </span>
          {tonight && <span className="text-muted-foreground">{takenText(tonight)}</span>}
        </p>
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
      </div>
      <DayPlot
        title={t("home.nights")}
        unit={t("home.night")}
        summary={t("home.average", { share: average })}
        top={top}
        fill="bg-checked-in"
        days={nights.map((night, index) => ({
          key: night.date,
          // We use a bare number: fourteen labels like "22日" would overlap on a phone.
          tick: formatNumber(Number(night.date.slice(-2))),
          when: formatLocalDate(night.date, { weekday: "short", day: "numeric", month: "short" }),
          figure: `${share(night)}, ${takenText(night)}`,
          value: night.taken,
          strong: index === 0,
          link: seesStays ? { to: "/timeline", search: { from: night.date } } : undefined,
        }))}
      />
    </Card>
  );
}
