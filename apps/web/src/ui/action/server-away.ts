import { useTranslation } from "@/lib/i18n.ts";
import { CONNECTION_LOST_ID, useConnectionLoss } from "@/lib/loading/connection.ts";

/** Props of a control that is disabled while the server is away, with the reason. */
interface AwayProps {
  "aria-describedby": string;
  title: string;
}

/**
 * Returns the props for a control that needs the server, or null if the server is reachable or `needsServer` is false.
 */
export function useServerAway(needsServer: boolean): AwayProps | null {
  const { t } = useTranslation();
  const isAway = useConnectionLoss() !== null && needsServer;
  return isAway ? { "aria-describedby": CONNECTION_LOST_ID, title: t("shell.lostAct") } : null;
}

/** The same for an item of a menu or of a list of commands. */
export function useItemAway(needsServer: boolean): (AwayProps & { disabled: true }) | null {
  const away = useServerAway(needsServer);
  return away && { disabled: true, ...away };
}
