import type { LocksStatus, SenderStatus, SystemStatus } from "@innkey/shared/schemas/overview/system";
import { useId } from "react";
import { formatDate, formatNumber, formatRelative, formatShort, formatTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { BarChart } from "@/ui/chart/bar-chart.tsx";
import { formatBytes, formatSeconds, PartCard } from "./part-card.tsx";
import type { PartStatus } from "./part-states.ts";

const WIDTH = 240;
const HEIGHT = 40;
/** Minimum value at the top of the scale, so that a calm queue shows as a low line and not as noise. */
const MIN_TOP = 10;

type DepthPlotProps = { title: string; summary: string; depth: readonly number[] };

/** Line chart of the number of waiting jobs over the last minutes. */
function DepthPlot({ title, summary, depth }: DepthPlotProps) {
  const id = useId();
  const top = Math.max(MIN_TOP, ...depth);
  const x = (index: number): number => (index / Math.max(1, depth.length - 1)) * WIDTH;
  const y = (value: number): number => HEIGHT - 1 - (value / top) * (HEIGHT - 2);
  const line = depth.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  return (
    <figure aria-labelledby={id} className="mt-auto pt-4">
      <figcaption id={id} className="mb-1.5 flex flex-wrap justify-between gap-x-4 text-sm text-muted-foreground">
        <span>{title}</span>
        <span className="font-medium text-foreground tabular-nums">{summary}</span>
      </figcaption>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="flip-rtl h-10 w-full border-b text-muted-foreground"
      >
        {depth.length > 1 && (
          <>
            <polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} className="fill-current opacity-15" />
            <polyline
              points={line}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              vectorEffect="non-scaling-stroke"
            />
          </>
        )}
      </svg>
    </figure>
  );
}

type CardProps = { status: SystemStatus; partStatus: PartStatus };

const HOURS_PER_TICK = 6;
const MIDDLE = 3;

export function DatabaseCard({ status: { database }, partStatus }: CardProps) {
  if (!database) return <PartCard part="database" partStatus={partStatus} />;
  const { version, sizeBytes, connections, mostConnections, pool, oldestTransactionSeconds, migrations, replicas } =
    database;
  return (
    <PartCard
      part="database"
      partStatus={partStatus}
      figure={formatBytes(sizeBytes)}
      facts={[
        { label: t("system.fact.server"), value: <bdi>PostgreSQL {version}</bdi> },
        {
          label: t("system.fact.connections"),
          value: t("system.ofAll", { part: formatNumber(connections), all: formatNumber(mostConnections) }),
        },
        {
          label: t("system.fact.pool"),
          value: t("system.poolUse", {
            busy: formatNumber(pool.total - pool.idle),
            waiting: formatNumber(pool.waiting),
          }),
        },
        {
          label: t("system.fact.longest"),
          value: oldestTransactionSeconds === null ? "–" : formatSeconds(oldestTransactionSeconds),
        },
        {
          label: t("system.fact.migrations"),
          value: migrations && <span title={migrations.last}>{formatNumber(migrations.applied)}</span>,
        },
        { label: t("system.fact.replicas"), value: replicas > 0 ? formatNumber(replicas) : null },
      ]}
    />
  );
}

export function QueueCard({ status: { queue }, partStatus }: CardProps) {
  const { timeZone } = useHotel();
  const jobs = queue.jobs ?? [];
  const sum = (count: (job: (typeof jobs)[number]) => number): number => jobs.reduce((all, job) => all + count(job), 0);
  const oldest = jobs.flatMap(({ waitingSince }) => waitingSince ?? []).sort()[0];
  return (
    <PartCard
      part="queue"
      partStatus={partStatus}
      figure={queue.jobs && t("system.waiting", { number: formatNumber(sum(({ waiting }) => waiting)) })}
      facts={[
        { label: t("system.fact.store"), value: <bdi>{STORES[queue.store]}</bdi> },
        { label: t("system.fact.running"), value: queue.jobs && formatNumber(sum(({ active }) => active)) },
        { label: t("system.fact.failed"), value: queue.jobs && formatNumber(sum(({ failed }) => failed)) },
        { label: t("system.fact.oldest"), value: oldest ? formatShort(oldest, timeZone) : null },
      ]}
    >
      <DepthPlot
        title={t("system.plot.depth")}
        summary={t("system.plot.most", { number: formatNumber(Math.max(0, ...queue.depth)) })}
        depth={queue.depth}
      />
    </PartCard>
  );
}

const STORES = { postgresql: "PostgreSQL", redis: "Redis" } as const;

export function LocksCard({ status: { locks }, partStatus }: CardProps) {
  const { timeZone } = useHotel();
  if (!locks) return <PartCard part="locks" partStatus={partStatus} />;
  const { broker, online, registered, notSetUp, commandsWaiting, waitingSince, hours } = locks;
  const setUp = registered - notSetUp;
  const reachableText = setUp > 0 && t("system.reachable", { part: formatNumber(online), all: formatNumber(setUp) });
  return (
    <PartCard
      part="locks"
      partStatus={partStatus}
      figure={registered === 0 ? t("locks.none") : reachableText}
      facts={[
        { label: t("system.fact.broker"), value: t(`system.broker.${broker}`) },
        { label: t("locks.notSetUp"), value: notSetUp > 0 ? formatNumber(notSetUp) : null },
        { label: t("system.fact.commands"), value: formatNumber(commandsWaiting) },
        { label: t("system.fact.oldest"), value: waitingSince && formatShort(waitingSince, timeZone) },
      ]}
    >
      <LatencyPlot hours={hours} />
    </PartCard>
  );
}

/** Chart of command durations by hour. Each column shows the time within which 95 % of commands were done. */
function LatencyPlot({ hours }: { hours: LocksStatus["hours"] }) {
  const { timeZone } = useHotel();
  const durationText = ({ typicalSeconds, slowSeconds }: (typeof hours)[number]): string =>
    typicalSeconds === null || slowSeconds === null
      ? t("system.plot.none")
      : t("system.plot.took", { typical: formatSeconds(typicalSeconds), slow: formatSeconds(slowSeconds) });
  const newest = hours.findLast(({ commands }) => commands > 0);
  if (!newest) {
    return (
      <p className="mt-auto flex flex-wrap justify-between gap-x-4 pt-4 text-sm text-muted-foreground">
        {t("system.plot.latency")} <span>{t("system.plot.none")}</span>
      </p>
    );
  }
  return (
    <BarChart
      title={t("system.plot.latency")}
      unit={t("system.plot.hour")}
      series={[{ label: t("system.plot.latency"), fill: "bg-muted-foreground" }]}
      summary={durationText(newest)}
      formatMark={formatSeconds}
      className="mt-auto pt-4"
      bars={hours.map((hour, index) => ({
        key: hour.from,
        tick: index % HOURS_PER_TICK === MIDDLE ? formatTime(hour.from, timeZone) : "",
        when: formatTime(hour.from, timeZone),
        values: [hour.slowSeconds ?? 0],
        figures: [durationText(hour)],
        isCurrent: index === hours.length - 1,
      }))}
    />
  );
}

type SmallCardProps = { status: SystemStatus; partStatus: PartStatus };

export function StorageCard({ status: { storage, disk }, partStatus }: SmallCardProps) {
  return (
    <PartCard
      part="storage"
      partStatus={partStatus}
      className="xl:col-span-2"
      facts={[
        {
          label: t(storage?.kind === "s3" ? "system.fact.bucket" : "system.fact.folder"),
          value: storage && <bdi className="ltr-run break-all">{storage.place}</bdi>,
        },
        {
          label: t("system.fact.free"),
          value: disk && t("system.ofAll", { part: formatBytes(disk.freeBytes), all: formatBytes(disk.totalBytes) }),
        },
      ]}
    />
  );
}

export function BackupCard({ status: { backup }, partStatus }: SmallCardProps) {
  const { timeZone } = useHotel();
  const { last, everyHours } = backup;
  return (
    <PartCard
      part="backup"
      partStatus={partStatus}
      facts={[
        { label: t("system.fact.last"), value: last?.at ? formatShort(last.at, timeZone) : t("system.never") },
        { label: t("system.fact.size"), value: last?.sizeBytes ? formatBytes(last.sizeBytes) : null },
        {
          label: t("system.fact.restored"),
          value: last?.verifiedAt ? formatShort(last.verifiedAt, timeZone) : t("system.never"),
        },
        {
          label: t("system.fact.schedule"),
          value:
            everyHours === 0
              ? t("system.byHand")
              : t("system.everyHours", { count: everyHours, formatted: formatNumber(everyHours) }),
        },
        { label: t("system.fact.lastFailure"), value: last?.error ? <Reason text={last.error} /> : null },
      ]}
    >
      {partStatus.state === "unproven" && <p className="mt-3 text-sm text-muted-foreground">{t("system.unproven")}</p>}
    </PartCard>
  );
}

export function CertificateCard({ status: { certificate }, partStatus }: SmallCardProps) {
  const { timeZone } = useHotel();
  if (!certificate) return <PartCard part="certificate" partStatus={partStatus} />;
  const { host, expiresAt, issuer, problem } = certificate;
  return (
    <PartCard
      part="certificate"
      partStatus={partStatus}
      facts={[
        { label: t("system.fact.address"), value: <bdi className="ltr-run break-all">{host}</bdi> },
        {
          label: t("system.fact.expires"),
          value: expiresAt && `${formatDate(expiresAt, timeZone)} (${formatRelative(expiresAt)})`,
        },
        { label: t("system.fact.issuer"), value: issuer === "" ? null : <bdi>{issuer}</bdi> },
        { label: t("system.fact.problem"), value: problem === "" ? null : <Reason text={problem} /> },
      ]}
    />
  );
}

export function LiveEventsCard({ status: { liveEvents }, partStatus }: SmallCardProps) {
  return (
    <PartCard
      part="liveEvents"
      partStatus={partStatus}
      facts={[{ label: t("system.fact.via"), value: <bdi>{STORES[liveEvents.via]}</bdi> }]}
    />
  );
}

export function SendersCard({ status: { senders }, partStatus }: SmallCardProps) {
  const { timeZone } = useHotel();
  const facts = (["mail", "sms"] as const).flatMap((channel) => {
    const sender: SenderStatus | undefined = senders?.[channel];
    if (!sender) return [];
    const name = t(`outbox.channel.${channel}`);
    const waiting = t("system.waiting", { number: formatNumber(sender.waiting) });
    return [
      { label: name, value: sender.configured ? waiting : t("system.state.off") },
      {
        label: `${name}: ${t("system.fact.lastFailure")}`,
        value:
          sender.configured && sender.lastFailure ? (
            <>
              {formatShort(sender.lastFailure.at, timeZone)} <Reason text={sender.lastFailure.reason} />
            </>
          ) : null,
      },
    ];
  });
  return <PartCard part="senders" partStatus={partStatus} facts={facts} />;
}

export function WebhooksCard({ status: { webhooks }, partStatus }: SmallCardProps) {
  if (!webhooks || partStatus.state === "off") return <PartCard part="webhooks" partStatus={partStatus} />;
  return (
    <PartCard
      part="webhooks"
      partStatus={partStatus}
      facts={[
        { label: t("system.fact.on"), value: formatNumber(webhooks.on) },
        { label: t("system.fact.failing"), value: formatNumber(webhooks.failing) },
        { label: t("system.fact.givenUp"), value: formatNumber(webhooks.givenUp) },
        { label: t("system.fact.waiting"), value: formatNumber(webhooks.waiting) },
      ]}
    />
  );
}

export function AuditCard({ status: { journal: chainCheck }, partStatus }: SmallCardProps) {
  const { timeZone } = useHotel();
  return (
    <PartCard
      part="journal"
      partStatus={partStatus}
      facts={[
        {
          label: t("system.fact.checked"),
          value: chainCheck ? formatShort(chainCheck.checkedAt, timeZone) : t("system.never"),
        },
        { label: t("system.fact.chain"), value: chainCheck && t(chainCheck.whole ? "system.whole" : "system.broken") },
      ]}
    />
  );
}

/** Error text of the other system, which we can't translate. */
function Reason({ text }: { text: string }) {
  return (
    <bdi lang="en" className="ltr-run block break-words text-danger">
      {text}
    </bdi>
  );
}
