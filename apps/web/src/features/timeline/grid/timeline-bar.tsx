import type { TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import { Banknote, Coffee } from "lucide-react";
import { memo } from "react";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { STATUS_ICONS } from "@/ui/status-chip.tsx";
import { WithTooltip } from "@/ui/with-tooltip.tsx";
import { isStayBar } from "../change/change-draft.ts";
import { type BarTone, barName, barWords, toneOf } from "../timeline-words.ts";
import type { Span } from "./time-scale.ts";
import { barKey } from "./timeline-stops.ts";

export const BAR_STYLE: Record<BarTone, string> = {
  reserved: "border-reserved/45 bg-reserved-soft text-reserved",
  checkedIn: "border-checked-in/45 bg-checked-in-soft text-checked-in",
  expired: "border-expired/60 bg-expired-soft text-expired",
  maintenance: "hatched border-maintenance/45 bg-maintenance-soft text-maintenance",
  neutral: "border-border bg-sunken text-muted-foreground",
};

/** Returns position and width as percentages of the line. */
export function positionStyle({ from, to }: Pick<Span, "from" | "to">, days: number) {
  return { insetInlineStart: `${(from / days) * 100}%`, width: `${((to - from) / days) * 100}%` };
}

/**
 * Shares of the displayed days. A bar of at least the first has room for marks beside the name; one below the second
 * shows only its icon.
 */
const ROOMY_SHARE = 0.09;
const TINY_SHARE = 0.025;

type BarProps = {
  bar: TimelineBar;
  span: Span;
  days: number;
  timeZone: string;
  canManage: boolean;
  active: boolean;
  /** True while the bar is being dragged elsewhere. */
  lifted: boolean;
  onOpen: (bar: TimelineBar, element: HTMLElement) => void;
};

/** Bar for a stay's time in a room, to the hour. If the stay can still change, its end is a handle. */
export const Bar = memo(function Bar({ bar, span, days, timeZone, canManage, active, lifted, onOpen }: BarProps) {
  const { t } = useTranslation();
  const tone = toneOf(bar);
  const Icon = STATUS_ICONS[tone];
  const words = barWords(t, bar, timeZone);
  const movable = canManage && isStayBar(bar);
  const share = (span.to - span.from) / days;
  const [roomy, tiny] = [share > ROOMY_SHARE, share < TINY_SHARE];
  return (
    <WithTooltip
      content={
        <span className="grid gap-0.5 text-start">
          {words.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </span>
      }
    >
      <button
        type="button"
        tabIndex={active ? 0 : -1}
        data-bar={bar.occupancyId}
        data-stop={barKey(bar)}
        aria-label={words.join(", ")}
        aria-haspopup={bar.stay ? "menu" : undefined}
        style={positionStyle(span, days)}
        onClick={(event) => onOpen(bar, event.currentTarget)}
        className={cn(
          "absolute inset-y-1 z-10 flex min-w-1.5 items-center gap-1 overflow-hidden rounded-sm border px-1.5 text-start text-sm font-medium select-none focus-visible:z-20 focus-visible:outline-offset-0",
          BAR_STYLE[tone],
          span.cutStart && "rounded-s-none border-s-0",
          span.cutEnd && "rounded-e-none border-e-0",
          movable && "cursor-grab",
          tiny && "justify-center px-0",
          lifted && "border-dashed bg-card",
        )}
      >
        <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={2.25} />
        {!tiny && (
          <span aria-hidden dir="auto" className="name-run min-w-0 flex-1 truncate">
            {barName(t, bar)}
          </span>
        )}
        {roomy && bar.stay?.owed && <Banknote aria-hidden className="size-3.5 shrink-0" />}
        {roomy && bar.stay?.breakfast && <Coffee aria-hidden className="size-3.5 shrink-0 max-sm:hidden" />}
        {movable && !span.cutEnd && (
          <span data-edge aria-hidden className="absolute inset-y-0 end-0 w-2 cursor-ew-resize pointer-coarse:hidden" />
        )}
      </button>
    </WithTooltip>
  );
});
