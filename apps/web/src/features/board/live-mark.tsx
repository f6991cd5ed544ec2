import { cn } from "@/lib/cn.ts";
import { formatTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { Connection } from "./use-board-events.ts";

/** Whether what is shown is what is: live, or as of when. `readAt` in milliseconds. */
export function LiveMark({ connection, readAt }: { connection: Connection; readAt: number }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const live = connection === "live";
  const asOf = readAt > 0 ? formatTime(new Date(readAt).toISOString(), timeZone) : "";
  return (
    <span
      role="status"
      className={cn(
        "inline-flex items-center gap-1.5 text-sm",
        connection === "reconnecting" ? "text-expired" : "text-muted-foreground",
      )}
    >
      <span
        aria-hidden
        className={cn(
          "size-2 rounded-full",
          live ? "bg-vacant" : "animate-pulse bg-expired motion-reduce:animate-none",
          connection === "connecting" && "bg-maintenance",
        )}
      />
      {connection === "reconnecting"
        ? t("board.reconnecting", { time: asOf })
        : live
          ? t("board.live")
          : t("board.connecting")}
    </span>
  );
}
