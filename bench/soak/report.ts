import { MAX_GROWTH, MAX_RESIDENT_MB } from "./busiest-hour.ts";
import type { KindSummary } from "./measures.ts";
import type { Reckoned } from "./reckoning.ts";
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
  reckoned: Reckoned[];
  /** true if no process crashed */
  alive: boolean;
  /** the first lines that the servers logged as errors */
  logged: string[];
}

const whole = (value: number): string => Math.round(value).toLocaleString("en");
const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");

const grown = ({ firstThirdMb, lastThirdMb, mostMb, megabytesPerMinute }: Trend): string =>
  `${whole(firstThirdMb)} MB, then ${whole(lastThirdMb)} MB (${whole(mostMb)} MB at most, ${megabytesPerMinute.toFixed(1)} MB a minute)`;

/** Formats the report for docs/operators/performance.md. */
export function table(report: SoakReport): string {
  const { kinds, watched, commandsMs, reckoned, acknowledged } = report;
  const requests = kinds.reduce((sum, { count }) => sum + count, 0);
  const rows = kinds.map(({ kind, count, p50Ms, p95Ms, p99Ms, mostMs, conflicts, errors }) => {
    const cells = [
      kind,
      whole(count),
      whole(p50Ms),
      whole(p95Ms),
      whole(p99Ms),
      whole(mostMs),
      counted(conflicts),
      counted(errors),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const memory = Object.entries(watched.memory).map(([name, { resident, live }]) => {
    const memoryText = live ? `held after a collection ${grown(live)}` : "too few collections to tell what is held";
    return `- ${name}: ${memoryText}; resident ${grown(resident)}`;
  });
  return `
${report.machine}. ${report.minutes} minutes, ${report.factor} times the busiest hour: ${report.rooms} rooms, ${whole(report.locks)} locks, ${report.desks} open boards.
${whole(requests)} requests, ${whole(requests / report.seconds)} a second. ${counted(acknowledged)}.

| act | count | p50 ms | p95 ms | p99 ms | most ms | conflicts | errors |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join("\n")}
| a door opened from the desk, to the lock's answer on record | ${whole(commandsMs.count)} | ${whole(commandsMs.p50)} | | ${whole(commandsMs.p99)} | ${whole(commandsMs.most)} | | |
| a request that does nothing | | ${whole(watched.idleAnswer.p50Ms)} | | ${whole(watched.idleAnswer.p99Ms)} | ${whole(watched.idleAnswer.mostMs)} | | |

Memory, first and last third of the measured time:

${memory.join("\n")}

Connections to PostgreSQL: ${watched.mostConnections} at most.

${reckoned.map(({ question, wrong }) => `- ${question}: ${wrong}`).join("\n")}
`;
}

/** Returns the failures of a run. */
export function failures({ kinds, watched, reckoned, alive, logged }: SoakReport): string[] {
  return [
    ...kinds.flatMap(({ kind, errors }) =>
      Object.entries(errors).map(([reason, count]) => `${kind}: ${count} × ${reason}`),
    ),
    ...reckoned.filter(({ wrong }) => wrong !== 0).map(({ question, wrong }) => `${wrong} ${question}`),
    ...Object.entries(watched.memory).flatMap(([name, memory]) => tooMuch(name, memory)),
    ...(alive ? [] : ["a process ended by itself"]),
    ...logged.map((line) => `logged: ${line.slice(0, 300)}`),
  ];
}

function tooMuch(name: string, { resident, live }: Memory): string[] {
  const most = live && live.firstThirdMb * (1 + MAX_GROWTH.share) + MAX_GROWTH.megabytes;
  return [
    ...(live && most && live.lastThirdMb > most
      ? [`${name} held ${whole(live.firstThirdMb)} MB, then ${whole(live.lastThirdMb)} MB`]
      : []),
    ...(resident.mostMb > MAX_RESIDENT_MB ? [`${name} took ${whole(resident.mostMb)} MB`] : []),
  ];
}
