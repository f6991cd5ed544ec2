import type { Movements } from "@innkey/shared/schemas/home";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { formatNumber, formatTime, formatWeekdayDate, hotelToday } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { hotelDate } from "@/lib/time/hotel-clock.ts";
import { Card, CardHeader } from "@/ui/primitives/card.tsx";

type MovementsCardProps = { way: "arrivals" | "departures"; movements: Movements };

/** Lists the arrivals or departures that are still to come today. */
export function MovementsCard({ way, movements: { done, left, rows } }: MovementsCardProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const today = hotelToday(timeZone);
  const when = (at: string): string =>
    hotelDate(Date.parse(at), timeZone) === today ? formatTime(at, timeZone) : formatWeekdayDate(at, timeZone);
  return (
    <Card className="flex flex-col">
      <CardHeader
        title={t(`home.${way}.title`)}
        description={t(`home.${way}.figures`, { left: formatNumber(left), done: formatNumber(done) })}
        actions={
          <Link
            to="/room"
            search={{ status: way === "arrivals" ? "arriving" : "leaving" }}
            className="inline-flex items-center gap-1 rounded-sm text-sm font-medium text-brass-ink hover:underline"
          >
            {t("home.showAll")}
            <span className="sr-only">: {t(`home.${way}.title`)}</span>
            <ChevronRight aria-hidden className="flip-rtl size-4" />
          </Link>
        }
      />
      {rows.length === 0 ? (
        <p className="px-5 pb-5 text-muted-foreground">{t(`home.${way}.none`)}</p>
      ) : (
        <ul className="divide-y border-t">
          {rows.map(({ stayId, stayGuestId, guestName, roomName, at }) => (
            <li key={stayId}>
              <Link
                to="/room/thetouristsDetails"
                search={{ id: stayGuestId }}
                className="flex min-h-11 items-center gap-4 px-5 py-2 -outline-offset-2 hover:bg-hover"
              >
                <span className="w-14 shrink-0 font-semibold tabular-nums">
                  <bdi>{roomName}</bdi>
                </span>
                <span dir="auto" className="name-run min-w-0 flex-1 truncate">
                  {guestName}
                </span>
                <span className="shrink-0 text-sm text-muted-foreground tabular-nums">{when(at)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
