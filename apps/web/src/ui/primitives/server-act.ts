import { useTranslation } from "@/lib/i18n.ts";
import { CONNECTION_LOST_ID, useConnectionLoss } from "@/lib/loading/connection.ts";

/** Props of a control that is disabled while the server is away, with the reason. */
export interface LostAct {
  "aria-describedby": string;
  title: string;
}

/**
 * Returns the props for a control that needs the server, or null if the server is reachable or `needsServer` is false.
 */
export function useLostAct(needsServer: boolean): LostAct | null {
  const { t } = useTranslation();
  const lost = useConnectionLoss() !== null && needsServer;
  return lost ? { "aria-describedby": CONNECTION_LOST_ID, title: t("shell.lostAct") } : null;
}
