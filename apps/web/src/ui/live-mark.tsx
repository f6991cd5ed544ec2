import { cn } from "@/lib/cn.ts";
import { useStreamState } from "@/lib/events/console-stream.ts";
import { formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useConnectionLoss } from "@/lib/loading/connection.ts";
import { useHotel } from "@/lib/session.ts";

type LiveMarkProps = {
  /** Time of the last successful read, milliseconds. */
  readAt: number;
  /** Whether the last read failed, so that the shown data is outdated. */
  failed: boolean;
};

/** Shows whether the data is live, or from when it is. */
export function LiveMark({ readAt, failed }: LiveMarkProps) {
  const stream = useStreamState();
  const lost = useConnectionLoss() !== null;
  const connection = (failed || lost) && stream === "live" ? "reconnecting" : stream;
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
