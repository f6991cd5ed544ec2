import type { JobStatus, ProcessStatus, SystemStatus } from "@innkey/shared/schemas/overview/system";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { formatDuration, formatNumber, formatRelative, formatShort, formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { askUnattended } from "@/lib/rest.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { NoPermission } from "@/ui/can.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { formatBytes } from "./part-card.tsx";
import { countNeedingCare, hotelParts, partStates } from "./part-states.ts";
import {
  AuditCard,
  BackupCard,
  CertificateCard,
  DatabaseCard,
  LiveEventsCard,
  LocksCard,
  QueueCard,
  SendersCard,
  StorageCard,
  WebhooksCard,
} from "./status-cards.tsx";

const ROLES = ["all", "web", "worker"] as const;
const isRole = (text: string): text is (typeof ROLES)[number] => (ROLES as readonly string[]).includes(text);

/** Lists the console's processes. A process that stopped reporting is shown for an hour. */
function ProcessesCard({ processes, at }: { processes: readonly ProcessStatus[]; at: string }) {
  return (
    <Card>
      <CardHeading title={t("system.part.processes")} />
      <ul className="divide-y border-t">
        {processes.map(({ id, role, host, version, startedAt, seenAt, alive, memoryBytes, node }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-6 gap-y-1 px-5 py-3">
            <span className="min-w-48 flex-1 font-medium">
              {isRole(role) ? t(`system.role.${role}`) : role}
              <span className="block text-sm font-normal text-muted-foreground">
                <bdi className="break-all">{host}</bdi>
              </span>
            </span>
            <span className="text-sm text-muted-foreground tabular-nums">
              <bdi>
                {version} · Node {node.replace(/^v/, "")}
              </bdi>
            </span>
            <span className="text-sm text-muted-foreground tabular-nums">{formatBytes(memoryBytes)}</span>
            <span className="text-sm text-muted-foreground tabular-nums">
              {t("system.runsFor", { time: formatDuration(Date.parse(at) - Date.parse(startedAt)) })}
            </span>
            <StatusChip tone={alive ? "success" : "danger"} size="sm">
              {alive ? t("system.alive") : t("system.silentSince", { time: formatRelative(seenAt) })}
            </StatusChip>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Lists the job types that have waiting, active or failed jobs. */
function JobsCard({ jobs }: { jobs: readonly JobStatus[] }) {
  const { timeZone } = useHotel();
  const visible = jobs.filter(({ waiting, active, failed }) => waiting + active + failed > 0);
  if (visible.length === 0) return null;
  return (
    <Card>
      <CardHeading title={t("system.jobs")} />
      <ul className="divide-y border-t">
        {visible.map(({ name, waiting, active, failed, waitingSince, lastFailure }) => (
          <li key={name} className="flex flex-wrap items-baseline gap-x-6 gap-y-1 px-5 py-3">
            <bdi className="ltr-run min-w-48 flex-1 font-medium">{name}</bdi>
            <dl className="flex flex-wrap gap-x-5 text-sm tabular-nums">
              {(
                [
                  ["waiting", waiting],
                  ["running", active],
                  ["failed", failed],
                ] as const
              ).map(([fact, number]) => (
                <div key={fact} className="flex gap-1.5">
                  <dt className="text-muted-foreground">{t(`system.fact.${fact}`)}</dt>
                  <dd className={fact === "failed" && number > 0 ? "font-medium text-danger" : ""}>
                    {formatNumber(number)}
                  </dd>
                </div>
              ))}
            </dl>
            {waitingSince && (
              <span className="text-sm text-muted-foreground">
                {t("system.since", { time: formatShort(waitingSince, timeZone) })}
              </span>
            )}
            {lastFailure && (
              <p className="basis-full text-sm text-muted-foreground">
                {formatShort(lastFailure.at, timeZone)}{" "}
                <bdi lang="en" className="ltr-run break-words text-danger">
                  {lastFailure.reason}
                </bdi>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const REFRESH_MILLISECONDS = 10_000;

/** Status of all parts of the console, for its owner. */
export function StatusPage() {
  return useCan()("system.view") ? <Status /> : <NoPermission />;
}

function Status() {
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
        status={<Summary care={countNeedingCare(installation ? states : hotelParts(states))} />}
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
          {installation && <DatabaseCard status={data} partStatus={states.database} />}
          {installation && <QueueCard status={data} partStatus={states.queue} />}
          <LocksCard status={data} partStatus={states.locks} />
        </div>
        {data.queue.jobs && <JobsCard jobs={data.queue.jobs} />}
        <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-4">
          {installation && (
            <>
              <BackupCard status={data} partStatus={states.backup} />
              <StorageCard status={data} partStatus={states.storage} />
              <CertificateCard status={data} partStatus={states.certificate} />
              <AuditCard status={data} partStatus={states.journal} />
              <LiveEventsCard status={data} partStatus={states.liveEvents} />
            </>
          )}
          <SendersCard status={data} partStatus={states.senders} />
          <WebhooksCard status={data} partStatus={states.webhooks} />
        </div>
        {data.processes && <ProcessesCard processes={data.processes} at={data.at} />}
      </div>
    </>
  );
}

function Summary({ care }: { care: number }) {
  if (care === 0) return <StatusChip tone="success">{t("system.allWell")}</StatusChip>;
  return (
    <StatusChip tone="expired" icon={TriangleAlert}>
      {t("system.needsCare", { count: care, formatted: formatNumber(care) })}
    </StatusChip>
  );
}

function Loading() {
  return (
    <div role="status" aria-label={t("common.loading")} className="grid gap-5 lg:grid-cols-3">
      {[0, 1, 2].map((card) => (
        <Skeleton key={card} className="h-72 rounded-lg" />
      ))}
    </div>
  );
}
