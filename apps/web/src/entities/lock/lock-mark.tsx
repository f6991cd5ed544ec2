import { LOW_POWER_PERCENT } from "@innkey/shared/locks/lock-status";
import { BatteryFull, BatteryLow, BatteryMedium, BatteryWarning, LockKeyhole, WifiOff } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";

function batteryOf(power: number) {
  if (power < LOW_POWER_PERCENT) return BatteryWarning;
  if (power < 50) return BatteryLow;
  return power < 80 ? BatteryMedium : BatteryFull;
}

type LockMarkProps = {
  lock: { power: number | null; online: boolean; setUp: boolean } | null;
  detailed?: boolean;
  className?: string;
};

/** Shows battery and connection of a door's lock; inconspicuous while all is well. */
export function LockMark({ lock, detailed, className }: LockMarkProps) {
  if (!lock)
    return detailed ? <span className={cn("text-muted-foreground", className)}>{t("room.noLock")}</span> : null;
  const { power, online, setUp } = lock;
  const low = power !== null && power < LOW_POWER_PERCENT;
  const Battery = power === null ? LockKeyhole : batteryOf(power);
  const percent = power === null ? null : formatNumber(power / 100, { style: "percent" });
  const description = [
    percent === null ? t("room.powerUnknown") : t("room.power", { percent }),
    setUp ? (online ? t("room.online") : t("room.offline")) : t("room.notConnected"),
  ].join(" · ");
  return (
    <span
      title={description}
      className={cn("inline-flex items-center gap-1.5 text-sm text-muted-foreground", className)}
    >
      <Battery aria-hidden className={cn("size-4 shrink-0", low ? "text-danger" : "text-faint-foreground")} />
      {detailed ? (
        <span>{description}</span>
      ) : (
        <>
          <span className="sr-only">{description}</span>
          {low && (
            <span aria-hidden className="text-xs font-medium text-danger max-sm:hidden">
              {percent}
            </span>
          )}
        </>
      )}
      {setUp && !online && <WifiOff aria-hidden className="size-3.5 shrink-0" />}
    </span>
  );
}
