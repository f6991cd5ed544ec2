import type { SetStatusInput, SetStatusOutput } from "@innkey/shared/schemas/property/rooms";
import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api.ts";
import { formatList } from "@/lib/format.ts";
import { t, textOf } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { toastWithUndo } from "@/lib/undo-toast.ts";

/** Long enough to read which rooms failed, and why. */
const FAILURE_MILLISECONDS = 12_000;

/** Sets the status of rooms. Says what changed, with a way back, and names the failed rooms by reason. */
export function useSetRoomStatus(options?: { shownInForm?: boolean }) {
  return useMutation(
    trpc.rooms.setStatus.mutationOptions({
      meta: options,
      onSuccess: ({ updated, failed, changed }, { status }) => {
        const [first] = changed;
        const done =
          first && changed.length === 1
            ? t(`status.is.${status}`, { room: first.roomName })
            : t("status.changed", { count: updated.length });
        if (first) toastWithUndo(done, () => restore(status, changed));
        else if (updated.length > 0) toast.success(done);
        reportFailed(failed);
      },
    }),
  );
}

/** Names the rooms whose status was not changed, by reason. */
function reportFailed(failed: SetStatusOutput["failed"]): void {
  for (const code of new Set(failed.map((failure) => failure.code))) {
    const rooms = failed.filter((failure) => failure.code === code);
    toast.error(
      t("status.notChanged", { rooms: formatList(rooms.map((room) => room.roomName)), count: rooms.length }),
      { description: textOf(`errors.${code}`), duration: FAILURE_MILLISECONDS },
    );
  }
}

/** Undoes the change. Returns what was undone, or null if nothing was. */
async function restore(status: SetStatusInput["status"], changed: SetStatusOutput["changed"]): Promise<string | null> {
  const rooms = changed.map(({ roomId, condition, maintenance }) => ({ roomId, condition, maintenance }));
  const { updated, failed } = await api.rooms.restoreStatus.mutate({ status, rooms });
  reportFailed(failed);
  return updated.length > 0 ? t("status.restored", { count: updated.length }) : null;
}
