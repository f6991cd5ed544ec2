import { CircleDashed, LoaderCircle, type LucideIcon, PlugZap, Unplug } from "lucide-react";
import { useDeskReader } from "@/entities/reader/desk-reader.ts";
import type { Connection } from "@/entities/reader/desk-setting.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { StatusChip, type StatusTone } from "@/ui/primitives/status-chip.tsx";

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
