import { LOW_POWER_PERCENT } from "@innkey/shared/locks/power";
import { BatteryFull, BatteryLow, BatteryMedium, BatteryWarning } from "lucide-react";
import { percentText } from "@/entities/lock/lock-words.ts";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";

function look(power: number) {
  if (power < LOW_POWER_PERCENT) return { icon: BatteryWarning, ink: "text-danger", bar: "bg-danger" };
  if (power < 50) return { icon: BatteryLow, ink: "text-expired", bar: "bg-expired" };
  return { icon: power < 80 ? BatteryMedium : BatteryFull, ink: "text-muted-foreground", bar: "bg-vacant" };
}

/** Shows the lock's battery as an icon, a bar and a number. */
export function PowerBar({ power }: { power: number | null }) {
  const { t } = useTranslation();
  if (power === null) return <span className="text-muted-foreground">{t("room.powerUnknown")}</span>;
  const { icon: Icon, ink, bar } = look(power);
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
