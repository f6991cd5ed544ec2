import { useTranslation } from "@/lib/i18n.ts";
import { CONNECTION_LOST_ID, useConnectionLoss } from "@/lib/loading/connection.ts";

/** What a control shows that takes no clicks while the server is away: why. */
export interface LostAct {
  "aria-describedby": string;
  title: string;
}

/** For every control that has the server do something: null while it can, or if the control `needsServer` not. */
export function useLostAct(needsServer: boolean): LostAct | null {
  const { t } = useTranslation();
  const lost = useConnectionLoss() !== null && needsServer;
  return lost ? { "aria-describedby": CONNECTION_LOST_ID, title: t("shell.lostAct") } : null;
}
