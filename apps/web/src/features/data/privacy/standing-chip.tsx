import type { PersonRow } from "@innkey/shared/schemas/privacy";
import { CalendarClock, House, LogOut } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { StatusChip } from "@/ui/primitives/status-chip.tsx";

const LOOKS = {
  here: { tone: "checkedIn", icon: House },
  expected: { tone: "reserved", icon: CalendarClock },
  gone: { tone: "neutral", icon: LogOut },
} as const;

export function PresenceChip({ standing }: { standing: PersonRow["standing"] }) {
  const { t } = useTranslation();
  const { tone, icon } = LOOKS[standing];
  return (
    <StatusChip tone={tone} icon={icon} size="sm">
      {t(`privacy.standing.${standing}`)}
    </StatusChip>
  );
}
