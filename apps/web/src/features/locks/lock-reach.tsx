import { OctagonPause, PlugZap, Unplug, Wifi, WifiOff } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { StatusChip } from "@/ui/primitives/status-chip.tsx";

export type Reach = {
  online: boolean;
  lastSeenAt: string | null;
  configuredAt: string | null;
  breakerOpenedAt: string | null;
};

/** Shows whether the lock is online. */
export function ReachChip({ online, size = "sm" }: { online: boolean; size?: "sm" | "md" }) {
  const { t } = useTranslation();
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
    </span>
  );
}

/**
 * Shows another reason why a lock doesn't work: never set up, or stopped after three failures. Renders nothing
 * otherwise.
 */
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
