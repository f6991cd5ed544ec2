import type { RoomStatus } from "@innkey/shared/enums";
import { t } from "@/lib/i18n.ts";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import type { RoomLabels } from "./room-labels.ts";

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
  size?: "icon" | "sm" | "fit" | "md";
  className?: string;
}) {
  return (
    <StatusChip tone={STATUS_TONE[status]} size={size} className={className}>
      {t(`status.${status}`)}
    </StatusChip>
  );
}

/** All states of a room in words: its status, or that the guests are overdue, and what is to be done besides. */
export function RoomStates({ room, labels }: { room: { status: RoomStatus }; labels: RoomLabels }) {
  return (
    <>
      {labels.overdue ? (
        <StatusChip tone="expired">{t("status.overdue")}</StatusChip>
      ) : (
        <RoomStatusChip status={room.status} />
      )}
      {labels.needsCleaning && <StatusChip tone="dirty">{t("status.dirty")}</StatusChip>}
      {labels.arriving && <StatusChip tone="reserved">{t("status.arriving")}</StatusChip>}
    </>
  );
}
