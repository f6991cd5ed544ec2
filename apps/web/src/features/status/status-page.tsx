import type { SystemStatus } from "@innkey/shared/schemas/overview/system";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { askUnattended } from "@/lib/browser/unattended.ts";
import { formatNumber, formatTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { DatabaseCard, LocksCard, QueueCard } from "./main-cards.tsx";
import { hotelParts, needingCare, partStates } from "./part-states.ts";
import {
  AuditCard,
  BackupCard,
  CertificateCard,
  LiveEventsCard,
  SendersCard,
  StorageCard,
  WebhooksCard,
} from "./small-cards.tsx";
import { JobsCard, ProcessesCard } from "./wide-cards.tsx";

const REFRESH_MILLISECONDS = 10_000;

/** Status of all parts of the console, for its owner. */
export function StatusPage() {
  return useCan()("system.view") ? <Status /> : <NoPermission />;
}

function Status() {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { data, error, refetch } = useQuery({
    queryKey: ["system.status"],
    queryFn: ({ signal }) => askUnattended<SystemStatus>("system.status", signal),
    refetchInterval: REFRESH_MILLISECONDS,
  });
  if (!data) {
    return (
      <>
        <PageHeader title={t("nav.status")} description={t("system.text")} />
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading />}
      </>
    );
  }
  const states = partStates(data);
  const { installation } = data;
  const { version, build } = data.version;
  return (
    <>
      <PageHeader
        title={t("nav.status")}
        status={<Summary care={needingCare(installation ? states : hotelParts(states))} />}
        description={
          <>
            {t("system.version", { version: build === "" ? version : `${version} (${build})` })}
            {" · "}
            {t("system.asOf", { time: formatTime(data.at, timeZone) })}
          </>
        }
      />
      <div className="grid gap-5">
        <div className="grid gap-5 lg:grid-cols-3">
          {installation && <DatabaseCard status={data} standing={states.database} />}
          {installation && <QueueCard status={data} standing={states.queue} />}
          <LocksCard status={data} standing={states.locks} />
        </div>
        {data.queue.jobs && <JobsCard jobs={data.queue.jobs} />}
        <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-4">
          {installation && (
            <>
              <BackupCard status={data} standing={states.backup} />
              <StorageCard status={data} standing={states.storage} />
              <CertificateCard status={data} standing={states.certificate} />
              <AuditCard status={data} standing={states.journal} />
              <LiveEventsCard status={data} standing={states.liveEvents} />
            </>
          )}
          <SendersCard status={data} standing={states.senders} />
          <WebhooksCard status={data} standing={states.webhooks} />
        </div>
        {data.processes && <ProcessesCard processes={data.processes} at={data.at} />}
      </div>
    </>
  );
}

function Summary({ care }: { care: number }) {
  const { t } = useTranslation();
  if (care === 0) return <StatusChip tone="success">{t("system.allWell")}</StatusChip>;
  return (
    <StatusChip tone="expired" icon={TriangleAlert}>
      {t("system.needsCare", { count: care, formatted: formatNumber(care) })}
    </StatusChip>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")} className="grid gap-5 lg:grid-cols-3">
      {[0, 1, 2].map((card) => (
        <Skeleton key={card} className="h-72 rounded-lg" />
      ))}
    </div>
  );
}
