import type { Parameter, Row } from "../measuring/result.ts";
import { type Block, formatDecimals, formatWhole, markdownTable, rowsOf } from "../page/markdown.ts";
import { MAX_GROWTH, MAX_RESIDENT_MB } from "./busiest-hour.ts";
import type { KindSummary } from "./measures.ts";
import type { DatabaseCheck } from "./reckoning.ts";
import type { Memory, Trend, WatchReport } from "./watch.ts";

export interface SoakReport {
  desks: number;
  seconds: number;
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

/** Returns the rows of a run's result. */
export function rowsOfSoak({ kinds, watched, commandsMs, checks, acknowledged, seconds }: SoakReport): Row[] {
  const { idleAnswer, memory, mostConnections } = watched;
  const requests = kinds.reduce((sum, { count }) => sum + count, 0);
  return [
    { table: "totals", requests, requestsPerSecond: requests / seconds, mostConnections, ...acknowledged },
    ...kinds.map(
      ({ kind, conflicts, errors, ...times }): Row => ({
        ...{ table: "acts", act: kind, ...times },
        ...{ conflicts: listCounts(conflicts), errors: listCounts(errors) },
      }),
    ),
    {
      ...{ table: "others", act: "a door opened from the desk, to the lock's answer on record" },
      ...{ count: commandsMs.count, p50Ms: commandsMs.p50, p99Ms: commandsMs.p99, mostMs: commandsMs.most },
    },
    {
      ...{ table: "others", act: "a request that does nothing", count: null },
      ...{ p50Ms: finite(idleAnswer.p50Ms), p99Ms: finite(idleAnswer.p99Ms), mostMs: finite(idleAnswer.mostMs) },
    },
    ...Object.entries(memory).flatMap(([server, { live, resident }]) => [
      ...(live ? [{ table: "memory", server, memory: "held after a collection", ...live }] : []),
      { table: "memory", server, memory: "resident", ...resident },
    ]),
    ...checks.map((check): Row => ({ table: "checks", ...check })),
  ];
}

/** Requests without an answer count as infinitely slow, for which JSON has no number. */
const finite = (ms: number): number | null => (Number.isFinite(ms) ? ms : null);

const listCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");

export const soakConditions = ({ minutes, factor, rooms, locks, desks }: Record<string, Parameter>): string =>
  `${minutes} minutes, ${factor} times the busiest hour: ${rooms} rooms, ${formatWhole(locks)} locks, ${desks} open boards`;

const COUNTS: Record<string, string> = {
  changes: "changes",
  checkIns: "check-ins",
  checkOuts: "check-outs",
  doorEvents: "door events",
  exportedFiles: "exported files",
  boardEvents: "board events",
};

/** Writes the whole report: what was done, how long it took, the memory, and the checks of the database. */
export const actsBlock: Block = ({ rows }) => {
  const [totals] = rowsOf(rows, "totals");
  const counts = Object.entries(COUNTS).map(([field, name]) => `${formatWhole(totals?.[field])} ${name}`);
  const acts = [...rowsOf(rows, "acts"), ...rowsOf(rows, "others")];
  const table = markdownTable(
    ["act", "count", "p50 ms", "p95 ms", "p99 ms", "most ms", "conflicts", "errors"],
    acts.map(({ act, count, p50Ms, p95Ms, p99Ms, mostMs, conflicts, errors }) => [
      String(act),
      ...[count, p50Ms, p95Ms, p99Ms, mostMs, conflicts, errors].map(formatWhole),
    ]),
  );
  const memory = markdownTable(
    ["memory in MB", "", "first third of the time", "last third", "at most", "a minute"],
    rowsOf(rows, "memory").map((row) => [
      String(row.server),
      String(row.memory),
      ...[row.firstThirdMb, row.lastThirdMb, row.mostMb].map(formatWhole),
      formatDecimals(row.megabytesPerMinute, 1),
    ]),
  );
  const checks = markdownTable(
    ["what must not be", "found"],
    rowsOf(rows, "checks").map(({ question, wrong }) => [String(question), formatWhole(wrong)]),
  );
  const sentence = `${formatWhole(totals?.requests)} requests, ${formatWhole(totals?.requestsPerSecond)} a second: ${counts.join(", ")}. At most ${formatWhole(totals?.mostConnections)} connections to PostgreSQL.`;
  return [sentence, table, memory, checks].join("\n\n");
};

/** Returns the failures of a run. A tiny run is too short to judge its memory. */
export function failuresOf(
  { kinds, watched, checks, alive, logged }: SoakReport,
  { withMemory }: { withMemory: boolean },
): string[] {
  return [
    ...kinds.flatMap(({ kind, errors }) =>
      Object.entries(errors).map(([reason, count]) => `${kind}: ${count} × ${reason}`),
    ),
    ...checks.filter(({ wrong }) => wrong !== 0).map(({ question, wrong }) => `${wrong} ${question}`),
    ...(withMemory ? Object.entries(watched.memory).flatMap(([name, memory]) => memoryFailures(name, memory)) : []),
    ...(alive ? [] : ["a process ended unexpectedly"]),
    ...logged.map((line) => `logged: ${line.slice(0, 300)}`),
  ];
}

function memoryFailures(name: string, { resident, live }: Memory): string[] {
  const most = live && live.firstThirdMb * (1 + MAX_GROWTH.share) + MAX_GROWTH.megabytes;
  return [
    ...(live && most && live.lastThirdMb > most ? [`${name} held ${formatTrend(live)}`] : []),
    ...(resident.mostMb > MAX_RESIDENT_MB ? [`${name} took ${formatWhole(resident.mostMb)} MB`] : []),
  ];
}

const formatTrend = ({ firstThirdMb, lastThirdMb }: Trend): string =>
  `${formatWhole(firstThirdMb)} MB, then ${formatWhole(lastThirdMb)} MB`;
