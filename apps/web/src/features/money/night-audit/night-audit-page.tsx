import { addDays } from "@innkey/shared/hotel-time";
import type { NightAudit } from "@innkey/shared/schemas/overview/night-audit";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Printer } from "lucide-react";
import { useState } from "react";
import { formatDateTime, formatLocalDate } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { DateInput } from "@/ui/form/dates/date-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { PrintSheet } from "@/ui/printing.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import type { NightSearch } from "../money-search.ts";
import { CloseDayDialog } from "./close-day-dialog.tsx";
import { NightFiguresCard, NightLists } from "./night-report.tsx";

type NightAuditPageProps = { search: NightSearch; onDate: (date: string | undefined) => void };

/** Shows one business day, and closes it once it is over. */
export function NightAuditPage({ search, onDate }: NightAuditPageProps) {
  const { name } = useHotel();
  const can = useCan();
  const canView = can("reports.view");
  const [isClosing, setIsClosing] = useState(false);
  const date = search.date ?? null;
  const { data, error, refetch } = useQuery(trpc.nightAudit.read.queryOptions({ date }, { enabled: canView }));
  if (!canView) return <NoPermission />;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHeader
        title={t("nav.nightAudit")}
        description={t("nightAudit.text")}
        status={
          data && (
            <StatusChip tone={data.closed ? "success" : "neutral"}>
              {data.closed ? t("nightAudit.closed") : t("nightAudit.open")}
            </StatusChip>
          )
        }
        actions={
          data && (
            <>
              <Button variant="outline" onClick={() => window.print()}>
                <Printer aria-hidden />
                {t("nightAudit.print")}
              </Button>
              {data.whole && !data.closed && can("reports.close") && (
                <ActionButton disabled={!data.over} onClick={() => setIsClosing(true)}>
                  {t("nightAudit.close")}
                </ActionButton>
              )}
            </>
          )
        }
      />
      {data ? (
        <>
          <DayChoice audit={data} onDate={onDate} />
          <NightFiguresCard figures={data.figures} />
          <NightLists audit={data} />
          <ClosedDays onDate={onDate} />
          <PrintSheet>
            <h1 className="text-xl font-semibold">
              {name} · {t("nav.nightAudit")}
            </h1>
            <p className="mb-4">
              {formatLocalDate(data.date, { dateStyle: "full" })} · <DayStatusText audit={data} />
            </p>
            <NightFiguresCard figures={data.figures} />
            <NightLists audit={data} />
          </PrintSheet>
        </>
      ) : (
        <Skeleton className="h-120" />
      )}
      {isClosing && data && <CloseDayDialog audit={data} onClose={() => setIsClosing(false)} />}
    </>
  );
}

function DayChoice({ audit, onDate }: { audit: NightAudit; onDate: (date: string | undefined) => void }) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="inline-flex items-center">
        <IconButton
          icon={ChevronLeft}
          flip
          label={t("nightAudit.before")}
          onClick={() => onDate(addDays(audit.date, -1))}
        />
        <DateInput
          value={audit.date}
          required
          aria-label={t("nightAudit.date")}
          onChange={(date) => date && onDate(date)}
          className="w-46"
        />
        <IconButton
          icon={ChevronRight}
          flip
          label={t("nightAudit.after")}
          onClick={() => onDate(addDays(audit.date, 1))}
        />
      </span>
      <p className="text-muted-foreground">
        <span className="font-medium text-foreground">{formatLocalDate(audit.date, { dateStyle: "full" })}</span>
        {" · "}
        <DayStatusText audit={audit} />
      </p>
    </div>
  );
}

/** Shows whether the business day is still running, can be closed, or was closed and by whom. */
function DayStatusText({ audit }: { audit: NightAudit }) {
  const { timeZone } = useHotel();
  const { closed, over, to, whole } = audit;
  if (!closed) return over ? t("nightAudit.ready") : t("nightAudit.endsAt", { at: formatDateTime(to, timeZone) });
  // The figures as of closing are those of the whole hotel; of certain rooms, the present ones are shown.
  const text = whole
    ? t("nightAudit.closedBy", { at: formatDateTime(closed.at, timeZone), name: closed.operatorName ?? "–" })
    : t("nightAudit.closedDone", { date: formatLocalDate(audit.date) });
  return closed.note ? `${text} ${closed.note}` : text;
}

function ClosedDays({ onDate }: { onDate: (date: string) => void }) {
  const { timeZone } = useHotel();
  const { data = [] } = useQuery(trpc.nightAudit.closedDays.queryOptions());
  return (
    <Card>
      <CardHeading
        title={t("nightAudit.closedDays")}
        description={data.length === 0 ? t("nightAudit.noneClosed") : undefined}
      />
      {data.length > 0 && (
        <ul className="scroll-quiet max-h-96 divide-y overflow-y-auto border-t">
          {data.map(({ date, closedAt, operatorName, note }) => (
            <li key={date} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-5 py-2.5">
              <Button variant="link" onClick={() => onDate(date)}>
                {formatLocalDate(date, { weekday: "short", day: "numeric", month: "short", year: "numeric" })}
              </Button>
              <span dir="auto" className="name-run min-w-0 flex-1 truncate text-muted-foreground">
                {note}
              </span>
              <span className="text-sm text-muted-foreground">
                {[formatDateTime(closedAt, timeZone), operatorName].filter(Boolean).join(" · ")}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
