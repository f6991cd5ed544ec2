import { MAX_GROWTH, MAX_RESIDENT_MB } from "./busiest-hour.ts";
import type { KindSummary } from "./measures.ts";
import type { DatabaseCheck } from "./reckoning.ts";
import type { Memory, Trend, WatchReport } from "./watch.ts";

export interface SoakReport {
  machine: string;
  minutes: number;
  rooms: number;
  locks: number;
  factor: number;
  desks: number;
  seconds: number;
  neighbours: { redis: boolean; workers: boolean; pool: number };
  kinds: KindSummary[];
  acknowledged: Record<string, number>;
  commandsMs: { count: number; p50: number; p99: number; most: number };
  watched: WatchReport;
  checks: DatabaseCheck[];
  /** true if no process crashed */
  alive: boolean;
  /** the first lines that the servers logged as errors */
  logged: string[];
}

const formatWhole = (value: number): string => Math.round(value).toLocaleString("en");
const listCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");

const formatTrend = ({ firstThirdMb, lastThirdMb, mostMb, megabytesPerMinute }: Trend): string =>
  `${formatWhole(firstThirdMb)} MB, then ${formatWhole(lastThirdMb)} MB (${formatWhole(mostMb)} MB at most, ${megabytesPerMinute.toFixed(1)} MB a minute)`;

/** Formats the report for docs/operators/performance.md. */
export function table(report: SoakReport): string {
  const { kinds, watched, commandsMs, checks, acknowledged } = report;
  const requests = kinds.reduce((sum, { count }) => sum + count, 0);
  const rows = kinds.map(({ kind, count, p50Ms, p95Ms, p99Ms, mostMs, conflicts, errors }) => {
    const cells = [
      kind,
      formatWhole(count),
      formatWhole(p50Ms),
      formatWhole(p95Ms),
      formatWhole(p99Ms),
      formatWhole(mostMs),
      listCounts(conflicts),
      listCounts(errors),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const memory = Object.entries(watched.memory).map(([name, { resident, live }]) => {
    const memoryText = live
      ? `held after a collection ${formatTrend(live)}`
      : "too few collections to measure the live heap";
    return `- ${name}: ${memoryText}; resident ${formatTrend(resident)}`;
  });
  return `
${report.machine}. ${report.minutes} minutes, ${report.factor} times the busiest hour: ${report.rooms} rooms, ${formatWhole(report.locks)} locks, ${report.desks} open boards.
${formatWhole(requests)} requests, ${formatWhole(requests / report.seconds)} a second. ${listCounts(acknowledged)}.

| act | count | p50 ms | p95 ms | p99 ms | most ms | conflicts | errors |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join("\n")}
| a door opened from the desk, to the lock's answer on record | ${formatWhole(commandsMs.count)} | ${formatWhole(commandsMs.p50)} | | ${formatWhole(commandsMs.p99)} | ${formatWhole(commandsMs.most)} | | |
| a request that does nothing | | ${formatWhole(watched.idleAnswer.p50Ms)} | | ${formatWhole(watched.idleAnswer.p99Ms)} | ${formatWhole(watched.idleAnswer.mostMs)} | | |

Memory, first and last third of the measured time:

${memory.join("\n")}

Connections to PostgreSQL: ${watched.mostConnections} at most.

${checks.map(({ question, wrong }) => `- ${question}: ${wrong}`).join("\n")}
`;
}

/** Returns the failures of a run. */
export function failures({ kinds, watched, checks, alive, logged }: SoakReport): string[] {
  return [
    ...kinds.flatMap(({ kind, errors }) =>
      Object.entries(errors).map(([reason, count]) => `${kind}: ${count} × ${reason}`),
    ),
    ...checks.filter(({ wrong }) => wrong !== 0).map(({ question, wrong }) => `${wrong} ${question}`),
    ...Object.entries(watched.memory).flatMap(([name, memory]) => memoryFailures(name, memory)),
    ...(alive ? [] : ["a process ended unexpectedly"]),
    ...logged.map((line) => `logged: ${line.slice(0, 300)}`),
  ];
}

function memoryFailures(name: string, { resident, live }: Memory): string[] {
  const most = live && live.firstThirdMb * (1 + MAX_GROWTH.share) + MAX_GROWTH.megabytes;
  return [
    ...(live && most && live.lastThirdMb > most
      ? [`${name} held ${formatWhole(live.firstThirdMb)} MB, then ${formatWhole(live.lastThirdMb)} MB`]
      : []),
    ...(resident.mostMb > MAX_RESIDENT_MB ? [`${name} took ${formatWhole(resident.mostMb)} MB`] : []),
  ];
}
