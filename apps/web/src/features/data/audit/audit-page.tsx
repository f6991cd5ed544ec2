import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { ExportButton } from "@/entities/export/export-button.tsx";
import { formatWeekdayDate, hotelToday } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { api, trpc } from "@/lib/trpc.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { AuditEntry, type AuditRow } from "./audit-entry.tsx";

/** Groups entries by hotel-local day and keeps their order. */
function byDay(rows: readonly AuditRow[], zone: string): AuditRow[][] {
  const days = new Map<string, AuditRow[]>();
  for (const row of rows) {
    const day = hotelToday(zone, new Date(row.at));
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return [...days.values()];
}

export function AuditPage() {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const auditEntry = useInfiniteQuery({
    queryKey: trpc.audit.list.pathKey(),
    queryFn: ({ pageParam, signal }) => api.audit.list.query({ before: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextBefore ?? undefined,
  });
  const rows = auditEntry.data?.pages.flatMap((page) => page.rows);

  return (
    <>
      <PageHeader
        title={t("nav.audit")}
        description={t("audit.text")}
        actions={rows && <ExportButton list="audit" filters={{}} page={1} pageSize={Math.max(1, rows.length)} />}
      />
      {auditEntry.error && !rows ? (
        <Card>
          <ErrorState error={auditEntry.error} onRetry={() => void auditEntry.refetch()} />
        </Card>
      ) : !rows ? (
        <Card className="grid gap-3 p-5" aria-busy>
          {[0, 1, 2, 3, 4, 5].map((line) => (
            <Skeleton key={line} className="h-9" />
          ))}
        </Card>
      ) : rows.length === 0 ? (
        <Card>
          <EmptyState icon={ScrollText} title={t("audit.none")} />
        </Card>
      ) : (
        <div className="grid grid-cols-1 gap-6">
          {byDay(rows, timeZone).map((day) => (
            <section key={day[0]?.seq} aria-label={formatWeekdayDate(day[0]?.at, timeZone)}>
              <h2 className="mb-2 text-sm font-medium text-muted-foreground">
                {formatWeekdayDate(day[0]?.at, timeZone)}
              </h2>
              <Card>
                <ul className="divide-y">
                  {day.map((row) => (
                    <AuditEntry key={row.seq} row={row} />
                  ))}
                </ul>
              </Card>
            </section>
          ))}
          {auditEntry.hasNextPage && (
            <Button
              className="justify-self-center"
              pending={auditEntry.isFetchingNextPage}
              onClick={() => void auditEntry.fetchNextPage()}
            >
              {t("common.loadMore")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
