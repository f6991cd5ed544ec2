import { Ban } from "lucide-react";
import { t } from "@/lib/i18n.ts";
import { StatusChip } from "@/ui/status-chip.tsx";

/** Says that a block-out card keeps guests out of a door. Renders nothing otherwise. */
export function BlockOutMark({ lock }: { lock: { blockedOutAt: string | null } | null }) {
  if (lock === null || lock.blockedOutAt === null) return null;
  return (
    <StatusChip tone="danger" size="sm" icon={Ban} className="print:border print:border-current">
      {t("blockOut.mark")}
    </StatusChip>
  );
}
