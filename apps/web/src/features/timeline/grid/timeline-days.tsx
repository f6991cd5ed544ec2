import type { Timeline } from "@innkey/shared/schemas/timeline";
import { cn } from "@/lib/cn.ts";
import { isWeekend } from "../timeline-header.tsx";
import { offsetOf, type TimeScale } from "./time-scale.ts";

type DaysProps = { days: Timeline["days"]; scale: TimeScale; today: string; now: number };

/** Behind the lines: where days end, weekends, today, and where now is. */
export function TimelineDays({ days, scale, today, now }: DaysProps) {
  const visible = now >= (scale.starts[0] ?? 0) && now < scale.end;
  return (
    <div aria-hidden className="absolute inset-y-0 start-(--head) end-0 flex">
      {days.map(({ date }) => (
        <div
          key={date}
          className={cn(
            "flex-1 border-e border-border/60 last:border-e-0",
            isWeekend(date) && "bg-sunken",
            date === today && "bg-brass-soft/60",
          )}
        />
      ))}
      {visible && (
        <div
          className="absolute inset-y-0 z-10 w-px bg-brass"
          style={{ insetInlineStart: `${(offsetOf(scale, now) / days.length) * 100}%` }}
        />
      )}
    </div>
  );
}
