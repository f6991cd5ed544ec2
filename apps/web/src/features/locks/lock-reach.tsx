import { isBatteryDue, isClockWrong, LOW_POWER_PERCENT } from "@innkey/shared/locks/lock-status";
import {
  BatteryFull,
  BatteryLow,
  BatteryMedium,
  BatteryWarning,
  ClockAlert,
  OctagonPause,
  PlugZap,
  Unplug,
  Wifi,
  WifiOff,
} from "lucide-react";
import { BlockOutMark } from "@/entities/lock/block-out-mark.tsx";
import { batteryText, percentText } from "@/entities/lock/lock-labels.ts";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { StatusChip } from "@/ui/status-chip.tsx";

type Reach = {
  online: boolean;
  lastSeenAt: string | null;
  configuredAt: string | null;
  breakerOpenedAt: string | null;
  blockedOutAt: string | null;
};

/** Shows whether the lock is online. */
export function ReachChip({ online, size = "sm" }: { online: boolean; size?: "sm" | "md" }) {
  return (
    <StatusChip tone={online ? "success" : "danger"} icon={online ? Wifi : WifiOff} size={size}>
      {online ? t("locks.online") : t("locks.offline")}
    </StatusChip>
  );
}

/** Shows a lock's status. An offline lock that was never set up is shown only as not set up. */
export function LockState({ lock, size = "sm" }: { lock: Reach; size?: "sm" | "md" }) {
  const showsReach = lock.online || lock.configuredAt !== null;
  return (
    <span className="flex flex-wrap gap-1.5">
      {showsReach && <ReachChip online={lock.online} size={size} />}
      <LockTrouble lock={lock} size={size} />
      <BlockOutMark lock={lock} />
    </span>
  );
}

/**
 * Shows another reason why a lock doesn't work: never set up, or stopped after three failures. Renders nothing
 * otherwise.
 */
function LockTrouble({ lock, size = "sm" }: { lock: Reach; size?: "sm" | "md" }) {
  if (lock.breakerOpenedAt)
    return (
      <StatusChip tone="expired" icon={OctagonPause} size={size}>
        {t("locks.stopped")}
      </StatusChip>
    );
  if (!lock.configuredAt)
    return (
      <StatusChip tone="neutral" icon={lock.lastSeenAt ? PlugZap : Unplug} size={size}>
        {t("locks.notSetUp")}
      </StatusChip>
    );
  return null;
}

function batteryStyle(power: number) {
  if (power < LOW_POWER_PERCENT) return { icon: BatteryWarning, ink: "text-danger", bar: "bg-danger" };
  if (power < 50) return { icon: BatteryLow, ink: "text-expired", bar: "bg-expired" };
  return { icon: power < 80 ? BatteryMedium : BatteryFull, ink: "text-muted-foreground", bar: "bg-vacant" };
}

function driftText(seconds: number): string {
  const amount = formatNumber(Math.abs(seconds), { style: "unit", unit: "second", unitDisplay: "short" });
  if (Math.abs(seconds) <= 1) return t("locks.clockRight");
  return seconds > 0 ? t("locks.clockAhead", { amount }) : t("locks.clockBehind", { amount });
}

/** Shows how wrong the lock's clock is, and a warning if keys are affected. */
export function ClockDrift({ lock }: { lock: { driftSeconds: number | null } }) {
  if (lock.driftSeconds === null) return <span className="text-muted-foreground">–</span>;
  if (!isClockWrong(lock)) return driftText(lock.driftSeconds);
  return (
    <span className="block max-w-56">
      <span className="inline-flex items-center gap-1.5 font-medium text-expired">
        <ClockAlert aria-hidden className="size-4 shrink-0" />
        {driftText(lock.driftSeconds)}
      </span>
      <span className="block text-sm text-pretty text-muted-foreground">{t("locks.clockKeys")}</span>
    </span>
  );
}

/** Shows how long a battery probably lasts, marked if it has to be replaced soon. */
export function BatteryEstimate({ battery }: { battery: { power: number | null; weeksLeft: number | null } }) {
  const { weeksLeft } = battery;
  return (
    <span
      className={cn(weeksLeft === null ? "text-muted-foreground" : isBatteryDue(battery) && "font-medium text-danger")}
    >
      {batteryText(weeksLeft)}
    </span>
  );
}

/** Shows the lock's battery as an icon, a bar and a number. */
export function PowerBar({ power }: { power: number | null }) {
  if (power === null) return <span className="text-muted-foreground">{t("room.powerUnknown")}</span>;
  const { icon: Icon, ink, bar } = batteryStyle(power);
  return (
    <span className="inline-flex items-center gap-2">
      <Icon aria-hidden className={cn("size-4 shrink-0", ink)} />
      <span aria-hidden className="h-1.5 w-12 overflow-hidden rounded-full bg-sunken max-sm:hidden">
        <span className={cn("block h-full rounded-full", bar)} style={{ inlineSize: `${power}%` }} />
      </span>
      <span className={cn("tabular-nums", power < LOW_POWER_PERCENT && "font-medium text-danger")}>
        {percentText(power)}
      </span>
    </span>
  );
}
