import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { CardHeading } from "@/ui/card-parts.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { useLatestRecords } from "./record-queries.ts";
import { iconOf, reasonText, resultText, styleText } from "./record-style.ts";

const MAX_RECORDS = 5;

/** Lists the doors that a guest's keys opened last. */
export function GuestDoors({ stayGuestId, stayId }: { stayGuestId: number; stayId: number }) {
  const { timeZone } = useHotel();
  const subject = useMemo(() => ({ stayGuestId }), [stayGuestId]);
  const { data, error, refetch } = useLatestRecords(subject, MAX_RECORDS);
  const records = data?.records;

  return (
    <Card>
      <CardHeading
        title={t("doors.ofGuest")}
        actions={
          <>
            <Button asChild size="sm" variant="ghost">
              <Link to="/doors/entered" search={{ stay: stayId }}>
                {t("entered.open")}
              </Link>
            </Button>
            {records?.length ? (
              <Button asChild size="sm" variant="ghost">
                <Link to="/doors" search={{ person: stayGuestId }}>
                  {t("doors.all")}
                </Link>
              </Button>
            ) : null}
          </>
        }
      />
      {error && !records ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !records ? (
        <CardContent aria-busy>
          <Skeleton className="h-10" />
        </CardContent>
      ) : records.length === 0 ? (
        <CardContent className="text-muted-foreground">{t("doors.noneOfGuest")}</CardContent>
      ) : (
        <ul className="divide-y border-t">
          {records.map((record) => {
            const Icon = iconOf(record);
            return (
              <li key={record.id} className="flex items-center gap-3 px-5 py-2.5">
                <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
                <div className="min-w-0 flex-1">
                  <p className="truncate">
                    {[record.roomName && t("board.roomNamed", { name: record.roomName }), styleText(record)]
                      .filter(Boolean)
                      .join(" · ")}
                  </p>
                  <p className="text-sm text-muted-foreground">
                    <time dateTime={record.at}>{formatShort(record.at, timeZone)}</time>
                    {reasonText(record) && ` · ${reasonText(record)}`}
                  </p>
                </div>
                <StatusChip tone={record.success ? "success" : "danger"} size="sm">
                  {resultText(record)}
                </StatusChip>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
