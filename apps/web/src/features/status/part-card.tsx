import { CircleAlert, CircleCheck, CircleDashed, CircleHelp, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Card } from "@/ui/primitives/card.tsx";
import { StatusChip, type StatusTone } from "@/ui/primitives/status-chip.tsx";
import type { DisplayedPart, PartState, PartStatus } from "./part-states.ts";

const LOOKS: Record<PartState, { tone: StatusTone; icon: LucideIcon }> = {
  well: { tone: "success", icon: CircleCheck },
  care: { tone: "expired", icon: TriangleAlert },
  away: { tone: "danger", icon: CircleAlert },
  silent: { tone: "danger", icon: CircleHelp },
  off: { tone: "neutral", icon: CircleDashed },
  unproven: { tone: "expired", icon: CircleHelp },
};

type PartCardProps = {
  part: DisplayedPart;
  standing: PartStatus;
  /** The one large figure of the card. */
  figure?: ReactNode;
  facts?: readonly Fact[];
  className?: string;
  children?: ReactNode;
};

/** A `value` of null hides the row. */
export type Fact = { label: string; value: ReactNode };

/** Card of one system part: its status as colour, icon and word, and its figures. */
export function PartCard({ part, standing: partStatus, figure, facts = [], className, children }: PartCardProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return (
    <Card aria-labelledby={`part-${part}`} className={cn("flex min-w-0 flex-col p-5", className)}>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        <h2 id={`part-${part}`} className="font-semibold">
          {t(`system.part.${part}`)}
        </h2>
        <StatusChip {...LOOKS[partStatus.state]} size="sm">
          {t(`system.state.${partStatus.state}`)}
        </StatusChip>
      </div>
      {partStatus.since && (
        <p className="mt-1 text-sm text-muted-foreground">
          {t("system.since", { time: formatShort(partStatus.since, timeZone) })}
        </p>
      )}
      {figure && <p className="mt-2 text-2xl font-semibold tracking-tight tabular-nums">{figure}</p>}
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
