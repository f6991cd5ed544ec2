import { useMutation } from "@tanstack/react-query";
import { formatList } from "@/lib/format.ts";
import { t, textOf } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";

/** Long enough to read which rooms failed, and why. */
const FAILURE_MILLISECONDS = 12_000;

/** Sets the status of rooms. Reports how many changed, and the failed rooms by reason. */
export function useSetRoomStatus(options?: { shownInForm?: boolean }) {
  return useMutation(
    trpc.rooms.setStatus.mutationOptions({
      meta: options,
      onSuccess: ({ updated, failed }) => {
        if (updated.length > 0) toast.success(t("status.changed", { count: updated.length }));
        for (const code of new Set(failed.map((failure) => failure.code))) {
          const rooms = failed.filter((failure) => failure.code === code);
          toast.error(
            t("status.notChanged", { rooms: formatList(rooms.map((room) => room.roomName)), count: rooms.length }),
            {
              description: textOf(`errors.${code}`),
              duration: FAILURE_MILLISECONDS,
            },
          );
        }
      },
    }),
  );
}
