import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { api } from "@/lib/api.ts";
import { t } from "@/lib/i18n.ts";
import { guestNameOf } from "./stay-dialog.tsx";

/** Undoes the check-out of a stay. Returns what to say then. */
export async function undoCheckOut(stay: Pick<StayDetail, "id" | "guests" | "room">): Promise<string> {
  const { keysLost } = await api.stays.undoCheckOut.mutate({ stayId: stay.id });
  const done = t("stay.checkOutUndone", { guest: guestNameOf(stay), room: stay.room.name });
  return keysLost > 0 ? `${done} ${t("stay.keysLost")}` : done;
}
