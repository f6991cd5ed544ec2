import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { guestStateOf } from "@/entities/guest/guest-state-chip.tsx";
import { cn } from "@/lib/cn.ts";
import { formatDateTime, formatDuration } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { useNow } from "@/lib/time/timers.ts";

/** Shows how far the stay has come between arrival and departure. */
export function StayProgress({ stay }: { stay: StayDetail }) {
  const { timeZone } = useHotel();
  const now = useNow();
  const state = guestStateOf(stay);
  const starts = Date.parse(stay.checkedInAt ?? stay.startsAt);
  const ends = Date.parse(stay.checkedOutAt ?? stay.endsAt);
  const neverCame = state === "reserved" || state === "cancelled" || state === "no_show";
  const share = state === "out" ? 1 : neverCame ? 0 : Math.min(1, Math.max(0, (now - starts) / (ends - starts)));
  const text = {
    reserved:
      now < starts
        ? t("guest.startsIn", { time: formatDuration(starts - now) })
        : t("guest.lateBy", { time: formatDuration(now - starts) }),
    in: t("guest.remaining", { time: formatDuration(ends - now) }),
    expired: t("guest.overdueBy", { time: formatDuration(now - ends) }),
    out: t("guest.stayed", { time: formatDuration(ends - starts) }),
    cancelled: t("guest.state.cancelled"),
    no_show: t("guest.state.no_show"),
  }[state];

  return (
    <div>
      <div className="flex items-end justify-between gap-4">
        <Moment
          label={neverCame ? t("guest.arrival") : t("guest.arrived")}
          instant={new Date(starts).toISOString()}
          zone={timeZone}
        />
        <Moment
          label={state === "out" ? t("guest.left") : t("guest.departure")}
          instant={new Date(ends).toISOString()}
          zone={timeZone}
          alignEnd
        />
      </div>
      <div className="mt-3 h-2 overflow-hidden rounded-full bg-hover" aria-hidden>
        <div
          className={cn(
            "h-full rounded-full",
            state === "expired" ? "bg-expired" : state === "out" ? "bg-maintenance" : "bg-checked-in",
          )}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <p className={cn("mt-2 text-center font-medium", state === "expired" ? "text-expired" : "text-muted-foreground")}>
        {text}
      </p>
    </div>
  );
}

function Moment({
  label,
  instant,
  zone,
  alignEnd,
}: {
  label: string;
  instant: string;
  zone: string;
  alignEnd?: boolean;
}) {
  return (
    <div className={cn("min-w-0", alignEnd && "text-end")}>
      <p className="text-sm text-muted-foreground">{label}</p>
      <p className="font-semibold sm:text-lg">{formatDateTime(instant, zone)}</p>
    </div>
  );
}
