import { CircleDashed, LoaderCircle, type LucideIcon, PlugZap, Unplug } from "lucide-react";
import { StatusChip, type StatusTone } from "@/components/ui/status-chip.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useDeskReader } from "./desk-reader.ts";
import type { Connection } from "./desk-setting.ts";

const LOOKS: Record<Connection, { tone: StatusTone; icon: LucideIcon }> = {
  untried: { tone: "neutral", icon: CircleDashed },
  trying: { tone: "neutral", icon: LoaderCircle },
  connected: { tone: "success", icon: PlugZap },
  broken: { tone: "danger", icon: Unplug },
};

export function ConnectionChip() {
  const { t } = useTranslation();
  const { connection } = useDeskReader();
  return (
    <span role="status">
      <StatusChip {...LOOKS[connection]}>{t(`reader.connection.${connection}`)}</StatusChip>
    </span>
  );
}
