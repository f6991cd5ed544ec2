import type { TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import { formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import type { StatusTone } from "@/ui/status-chip.tsx";

export const BAR_TONES = ["reserved", "checkedIn", "expired", "maintenance", "neutral"] as const satisfies StatusTone[];
export type BarTone = (typeof BAR_TONES)[number];

export function toneOf({ kind, state, stay }: TimelineBar): BarTone {
  if (state === "ended") return "neutral";
  if (kind === "maintenance") return "maintenance";
  if (state === "held") return "reserved";
  return stay?.expired ? "expired" : "checkedIn";
}

export function toneLabel(tone: BarTone): string {
  if (tone === "neutral") return t("timeline.over");
  if (tone === "checkedIn") return t("status.checked_in");
  return tone === "expired" ? t("status.overdue") : t(`status.${tone}`);
}

/** Returns the guests' name, or the reason why the room is out of service. */
export function barName({ stay, note }: TimelineBar): string {
  if (!stay) return note || t("status.maintenance");
  if (stay.guestCount < 2) return stay.guestName;
  return t("board.party", { name: `\u2068${stay.guestName}\u2069`, others: stay.guestCount - 1 });
}

export function periodLabel(startsAt: string, endsAt: string | null, timeZone: string): string {
  const start = formatShort(startsAt, timeZone);
  if (endsAt === null) return t("timeline.period", { start, end: t("board.untilFurtherNotice") });
  return t("timeline.period", { start, end: formatShort(endsAt, timeZone) });
}

/** Returns all texts of a bar for its tooltip and for screen readers. */
export function barLabels(bar: TimelineBar, timeZone: string): string[] {
  return [
    barName(bar),
    toneLabel(toneOf(bar)),
    periodLabel(bar.startsAt, bar.endsAt, timeZone),
    ...(bar.stay?.owed ? [t("timeline.owed")] : []),
    ...(bar.stay?.breakfast ? [t("board.breakfast")] : []),
  ];
}
