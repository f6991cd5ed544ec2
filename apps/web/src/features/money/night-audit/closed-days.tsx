import { useQuery } from "@tanstack/react-query";
import { formatDateTime, formatLocalDate } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardHeader } from "@/ui/primitives/card.tsx";

export function ClosedDays({ onDate }: { onDate: (date: string) => void }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { data = [] } = useQuery(trpc.nightAudit.closedDays.queryOptions());
  return (
    <Card>
      <CardHeader
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
