import type { GuestState, StayDetail } from "@innkey/shared/schemas/stays/stays";
import { Ban, DoorClosed, type LucideIcon, UserX } from "lucide-react";
import { t } from "@/lib/i18n.ts";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";

const STYLES: Record<GuestState, { tone: StatusTone; icon?: LucideIcon }> = {
  reserved: { tone: "reserved" },
  in: { tone: "checkedIn" },
  expired: { tone: "expired" },
  out: { tone: "neutral", icon: DoorClosed },
  cancelled: { tone: "neutral", icon: Ban },
  no_show: { tone: "neutral", icon: UserX },
};

export function guestStateOf({ state, expired }: Pick<StayDetail, "state" | "expired">): GuestState {
  if (state === "checked_in") return expired ? "expired" : "in";
  return state === "checked_out" ? "out" : state;
}

export function GuestStateChip({ state, size }: { state: GuestState; size?: "sm" | "md" }) {
  return (
    <StatusChip {...STYLES[state]} size={size}>
      {t(`guest.state.${state}`)}
    </StatusChip>
  );
}
