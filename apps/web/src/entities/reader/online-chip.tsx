import { PlugZap, Unplug } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { StatusChip } from "@/ui/status-chip.tsx";

/** Shows whether a desk with this reader was online a moment ago. */
export function OnlineChip({ online, size = "sm" }: { online: boolean; size?: "sm" | "md" }) {
  const { t } = useTranslation();
  return (
    <StatusChip tone={online ? "success" : "neutral"} icon={online ? PlugZap : Unplug} size={size}>
      {online ? t("cardReader.online") : t("cardReader.offline")}
    </StatusChip>
  );
}
