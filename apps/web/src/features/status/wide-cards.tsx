import type { JobStatus, ProcessStatus } from "@innkey/shared/schemas/overview/system";
import { formatDuration, formatNumber, formatRelative, formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { CardHeading } from "@/ui/card-heading.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { formatBytes } from "./part-card.tsx";

const ROLES = ["all", "web", "worker"] as const;
const isRole = (text: string): text is (typeof ROLES)[number] => (ROLES as readonly string[]).includes(text);

/** Lists the console's processes. A process that stopped reporting is shown for an hour. */
export function ProcessesCard({ processes, at }: { processes: readonly ProcessStatus[]; at: string }) {
  const { t } = useTranslation();
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
export function JobsCard({ jobs }: { jobs: readonly JobStatus[] }) {
  const { t } = useTranslation();
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
