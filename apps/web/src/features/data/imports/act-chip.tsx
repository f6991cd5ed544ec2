import { IMPORT_ACTS, type ImportAct, type ImportOutput } from "@innkey/shared/schemas/imports";
import { CircleMinus, CirclePlus, Pencil } from "lucide-react";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { STATUS_ICONS, StatusChip } from "@/ui/primitives/status-chip.tsx";

const LOOKS = {
  create: { tone: "success", icon: CirclePlus, key: "imports.act.create" },
  update: { tone: "info", icon: Pencil, key: "imports.act.update" },
  skip: { tone: "neutral", icon: CircleMinus, key: "imports.act.skip" },
  checkIn: { tone: "checkedIn", icon: STATUS_ICONS.checkedIn, key: "room.state.in" },
  reserve: { tone: "reserved", icon: STATUS_ICONS.reserved, key: "room.state.reserved" },
  error: { tone: "danger", icon: STATUS_ICONS.danger, key: "imports.act.error" },
} as const;

/** Shows what the import does with a row. */
export function ActChip({ act }: { act: ImportAct }) {
  const { t } = useTranslation();
  const { tone, icon, key } = LOOKS[act];
  return (
    <StatusChip tone={tone} icon={icon} size="sm">
      {t(key)}
    </StatusChip>
  );
}

/** Shows how many rows get each kind of import result. */
export function ActCounts({ acts }: { acts: ImportOutput["acts"] }) {
  const { t } = useTranslation();
  const counted = IMPORT_ACTS.map((act) => ({ act, count: acts.filter((one) => one === act).length }));
  return (
    <ul className="flex flex-wrap gap-2">
      {counted
        .filter(({ count }) => count > 0)
        .map(({ act, count }) => (
          <li key={act}>
            <StatusChip tone={LOOKS[act].tone} icon={LOOKS[act].icon}>
              {t(LOOKS[act].key)} · <span className="tabular-nums">{formatNumber(count)}</span>
            </StatusChip>
          </li>
        ))}
    </ul>
  );
}
