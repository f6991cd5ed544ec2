import { OctagonPause, PlugZap, Unplug, Wifi, WifiOff } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { StatusChip } from "@/ui/primitives/status-chip.tsx";

export type Reach = {
  online: boolean;
  lastSeenAt: string | null;
  configuredAt: string | null;
  breakerOpenedAt: string | null;
};

/** Whether the lock can be reached now. */
export function ReachChip({ online, size = "sm" }: { online: boolean; size?: "sm" | "md" }) {
  const { t } = useTranslation();
  return (
    <StatusChip tone={online ? "success" : "danger"} icon={online ? Wifi : WifiOff} size={size}>
      {online ? t("locks.online") : t("locks.offline")}
    </StatusChip>
  );
}

/** How a lock stands. One that was never set up and was not heard from either is said to be not set up alone. */
export function LockState({ lock, size = "sm" }: { lock: Reach; size?: "sm" | "md" }) {
  const showsReach = lock.online || lock.configuredAt !== null;
  return (
    <span className="flex flex-wrap gap-1.5">
      {showsReach && <ReachChip online={lock.online} size={size} />}
      <LockTrouble lock={lock} size={size} />
    </span>
  );
}

/** What else keeps a lock from working: never set up, or given up after three failures. Nothing while all is well. */
function LockTrouble({ lock, size = "sm" }: { lock: Reach; size?: "sm" | "md" }) {
  const { t } = useTranslation();
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
