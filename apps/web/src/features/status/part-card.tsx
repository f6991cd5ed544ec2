import { CircleAlert, CircleCheck, CircleDashed, CircleHelp, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { formatDuration, formatNumber, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Card } from "@/ui/primitives/card.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import type { DisplayedPart, PartState, PartStatus } from "./part-states.ts";

const BYTES_PER_UNIT = 1024;
const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const TEN = 10;

/** Returns e.g. "48 MB", in the largest unit in which the value is at least 1. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unitIndex = 0;
  while (value >= BYTES_PER_UNIT && unitIndex < BYTE_UNITS.length - 1) {
    value /= BYTES_PER_UNIT;
    unitIndex += 1;
  }
  const maximumFractionDigits = value < TEN && unitIndex > 0 ? 1 : 0;
  return formatNumber(value, {
    style: "unit",
    unit: BYTE_UNITS[unitIndex],
    unitDisplay: "short",
    maximumFractionDigits,
  });
}

const MINUTE_SECONDS = 60;

/** Returns e.g. "0.8 s" or "12 s"; from one minute on, a longer format. */
export function formatSeconds(seconds: number): string {
  if (seconds >= MINUTE_SECONDS) return formatDuration(seconds * 1000);
  const maximumFractionDigits = seconds < TEN ? 1 : 0;
  return formatNumber(seconds, { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits });
}

const STYLES: Record<PartState, { tone: StatusTone; icon: LucideIcon }> = {
  well: { tone: "success", icon: CircleCheck },
  care: { tone: "expired", icon: TriangleAlert },
  away: { tone: "danger", icon: CircleAlert },
  silent: { tone: "danger", icon: CircleHelp },
  off: { tone: "neutral", icon: CircleDashed },
  unproven: { tone: "expired", icon: CircleHelp },
};

type PartCardProps = {
  part: DisplayedPart;
  partStatus: PartStatus;
  /** The one large figure of the card. */
  figure?: ReactNode;
  facts?: readonly Fact[];
  className?: string;
  children?: ReactNode;
};

/** A `value` of null hides the row. */
type Fact = { label: string; value: ReactNode };

/** Card of one system part: its status as colour, icon and word, and its figures. */
export function PartCard({ part, partStatus, figure, facts = [], className, children }: PartCardProps) {
  const { timeZone } = useHotel();
  return (
    <Card role="region" aria-labelledby={`part-${part}`} className={cn("flex min-w-0 flex-col p-5", className)}>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        <h2 id={`part-${part}`} className="font-semibold">
          {t(`system.part.${part}`)}
        </h2>
        <StatusChip {...STYLES[partStatus.state]} size="sm">
          {t(`system.state.${partStatus.state}`)}
        </StatusChip>
      </div>
      {partStatus.since && (
        <p className="mt-1 text-sm text-muted-foreground">
          {t("system.since", { time: formatShort(partStatus.since, timeZone) })}
        </p>
      )}
      {figure && <p className="mt-2 figures text-2xl">{figure}</p>}
      <Facts facts={facts} />
      {children}
    </Card>
  );
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  const visible = facts.filter(({ value }) => value !== null);
  if (visible.length === 0) return null;
  return (
    <dl className="mt-3 grid gap-y-1.5 text-sm">
      {visible.map(({ label, value }) => (
        <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className="text-muted-foreground">{label}</dt>
          <dd className="min-w-0 text-end break-words tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
