import { api } from "@/lib/api.ts";
import { t } from "@/lib/i18n.ts";

/** Undoes the check-in of a stay. Returns the text that announces it, with the names of its guest and room. */
export async function undoCheckIn(stayId: number, names: { guest: string; room: string }): Promise<string> {
  await api.stays.undoCheckIn.mutate({ stayId });
  return t("stay.checkInUndone", names);
}
