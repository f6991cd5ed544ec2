import type { UnlockRecord } from "@innkey/shared/schemas/access/unlocks";
import { Link } from "@tanstack/react-router";
import { ChevronDown, ChevronUp, DoorOpen } from "lucide-react";
import { useMemo } from "react";
import { RoomLink } from "@/entities/room/room-link.tsx";
import { cn } from "@/lib/cn.ts";
import { formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { useFresh, useLatestRecords } from "./record-queries.ts";
import { iconOf, isAlarm, personOf, reasonText, resultText, styleText } from "./record-style.ts";

const MAX_RECORDS = 5;

type DoorStripProps = { folded: boolean; onFold: (folded: boolean) => void };

/** Strip on the board with the latest door activity. Its height is fixed. */
export function DoorStrip({ folded, onFold }: DoorStripProps) {
  return (
    <section
      aria-label={t("doors.strip.title")}
      className="flex h-full flex-wrap items-center gap-x-1 ps-4 pe-2 lg:flex-nowrap"
    >
      <h2 className="flex h-9 items-center gap-2 text-sm font-medium">
        <DoorOpen aria-hidden className="size-4 text-muted-foreground" />
        {t("doors.strip.title")}
      </h2>
      {!folded && <Latest />}
      <div className="ms-auto flex items-center max-lg:order-1">
        <Button asChild size="sm" variant="ghost">
          <Link to="/doors">{t("doors.strip.all")}</Link>
        </Button>
        <IconButton
          icon={folded ? ChevronDown : ChevronUp}
          size="icon-sm"
          label={folded ? t("doors.strip.show") : t("doors.strip.hide")}
          aria-expanded={!folded}
          className="aria-expanded:bg-transparent"
          onClick={() => onFold(!folded)}
        />
      </div>
    </section>
  );
}

function Latest() {
  const { data } = useLatestRecords("hotel", MAX_RECORDS);
  const records = data?.records;
  const ids = useMemo(() => records?.map(({ id }) => id), [records]);
  const fresh = useFresh(ids, "strip");
  if (!records) return <span className="min-w-0 flex-1 max-lg:order-2 max-lg:h-27 max-lg:basis-full" />;
  return (
    <div className="min-w-0 flex-1 max-lg:order-2 max-lg:h-27 max-lg:basis-full lg:ms-3">
      {records.length === 0 ? (
        <p className="text-sm text-muted-foreground">{t("doors.strip.none")}</p>
      ) : (
        <ol className="grid lg:grid-cols-4 lg:divide-x 2xl:grid-cols-5">
          {records.map((record, index) => (
            <li
              key={record.id}
              className={cn(
                "min-w-0 rounded-sm transition-colors duration-500 lg:rounded-none",
                index > 2 && "max-lg:hidden",
                index > 3 && "max-2xl:hidden",
                fresh.has(record.id) && "bg-brass-soft",
              )}
            >
              <Event record={record} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const eventStyle = "flex h-9 items-center gap-x-3 rounded-sm text-sm hover:bg-hover lg:gap-x-2 lg:px-2.5";

function Event({ record }: { record: UnlockRecord }) {
  const { timeZone } = useHotel();
  const Icon = iconOf(record);
  const description = record.success
    ? personOf(record) || styleText(record)
    : isAlarm(record)
      ? styleText(record)
      : [resultText(record), reasonText(record) || styleText(record)].join(" · ");
  const content = (
    <>
      <span className="flex shrink-0 items-baseline gap-2 lg:max-w-full">
        <time dateTime={record.at} className="text-muted-foreground tabular-nums">
          {formatTime(record.at, timeZone)}
        </time>
        <bdi className="truncate font-semibold">{record.roomName ?? "–"}</bdi>
      </span>
      <span
        className={cn(
          "flex min-w-0 items-center gap-1.5 lg:max-w-full",
          record.success ? "text-muted-foreground" : "text-danger",
        )}
      >
        <Icon aria-hidden className="size-3.5 shrink-0" />
        {record.success && personOf(record) && <span className="sr-only">{styleText(record)}</span>}
        <span className="truncate" title={description}>
          {description}
        </span>
      </span>
    </>
  );
  if (record.roomId === null) return <div className={eventStyle}>{content}</div>;
  return (
    <RoomLink roomId={record.roomId} className={eventStyle}>
      {content}
    </RoomLink>
  );
}
