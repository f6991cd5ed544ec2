import type { RoomStatus } from "@innkey/shared/enums";
import { t } from "@/lib/i18n.ts";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";

export const STATUS_TONE: Record<RoomStatus, StatusTone> = {
  vacant: "vacant",
  reserved: "reserved",
  checked_in: "checkedIn",
  dirty: "dirty",
  maintenance: "maintenance",
};

export function RoomStatusChip({
  status,
  size,
  className,
}: {
  status: RoomStatus;
  size?: "sm" | "md";
  className?: string;
}) {
  return (
    <StatusChip tone={STATUS_TONE[status]} size={size} className={className}>
      {t(`status.${status}`)}
    </StatusChip>
  );
}
