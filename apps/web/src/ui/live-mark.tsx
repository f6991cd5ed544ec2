import { cn } from "@/lib/cn.ts";
import { formatTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useConnectionLoss } from "@/lib/loading/connection.ts";
import { useHotel } from "@/lib/session.ts";

export type Connection = "connecting" | "live" | "reconnecting";

type LiveMarkProps = {
  connection: Connection;
  /** milliseconds */
  readAt: number;
  /** The last reading failed: what is shown is older than what is told. */
  failed: boolean;
};

/** Whether what is shown is what is: live, or as of when. */
export function LiveMark({ connection: stream, readAt, failed }: LiveMarkProps) {
  const lost = useConnectionLoss() !== null;
  const connection = (failed || lost) && stream === "live" ? "reconnecting" : stream;
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
