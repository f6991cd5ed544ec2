// npm run faults [-- name …] [-- --tiny]: shows what users see when a service beside the server fails, and checks that
// no acknowledged change is lost. Each run has some calm seconds, the fault, its end, as many calm seconds and a check of
// the database. Exits with 1 if anything was lost, crashed, hung or failed with an unexpected error.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openBench } from "../measuring/bench.ts";
import type { Row } from "../measuring/result.ts";
import { type World, withWorld } from "../measuring/world.ts";
import { type Arranged, FAULTS, type Fault } from "./faults.ts";
import { MountRefused } from "./small-disk.ts";
import { openHotel } from "./working-hotel.ts";

// `records` are more than an export returns directly, so that the export becomes a file in the storage. `mostAway` limits
// the seconds for which a service fails.
const bench = openBench("faults", {
  full: { rooms: 100, locks: 20, desks: 4, records: 6_000, calmSeconds: 10, mostAway: 60 },
  tiny: { rooms: 10, locks: 4, desks: 2, records: 6_000, calmSeconds: 0.5, mostAway: 0.5 },
  allowNames: true,
});
const { calmSeconds, mostAway } = bench.sizes;
const CALM_MS = calmSeconds * 1000;
/** Maximum time after the fault's end until requests must succeed again. */
const NORMAL_MS = 60_000;
/** Source: the product specification, section 9: calls of the console time out after 40 s. */
const MAX_MS = 40_500;
/** Errors that users may see, all of which say that the service is unavailable now. */
const EXPECTED_ERRORS =
  /^(unavailable|external_failed|HTTP 50[23]|100000 The system is busy.*|an export failed: (external_failed|unavailable|internal))$/;

interface Outcome {
  title: string;
  /** number of refused requests by kind and reason, during the fault and after it */
  refused: Record<string, number>;
  answeredMeanwhile: number;
  longest: { kind: string; ms: number };
  secondsToNormal: number;
  memoryMb: { before: number; most: number };
  wrong: string[];
}

const names = Object.keys(FAULTS) as (keyof typeof FAULTS)[];
const selection = names.filter((name) => bench.names.length === 0 || bench.names.includes(name));
if (selection.length < bench.names.length || selection.length === 0)
  throw new Error(`The faults are: ${names.join(", ")}`);
const rows: Row[] = [];
let wrongCount = 0;
await withWorld(async (world) => {
  for (const name of selection) {
    const outcome = await runIfPossible(world, name, FAULTS[name]);
    if (!outcome) continue;
    rows.push(rowOf(outcome));
    wrongCount += outcome.wrong.length;
    for (const line of outcome.wrong) console.log(`  WRONG: ${line}`);
  }
});
await bench.finish(rows);
process.exit(wrongCount === 0 ? 0 : 1);

/** Leaves out what this machine can't do, in a tiny run. */
async function runIfPossible(world: World, name: string, fault: Fault): Promise<Outcome | null> {
  try {
    return await run(world, name, fault);
  } catch (error) {
    if (!bench.isTiny || !(error instanceof MountRefused)) throw error;
    console.log(`  left out: ${error.message}`);
    return null;
  }
}

async function run(world: World, name: string, fault: Fault): Promise<Outcome> {
  console.log(`${fault.title} …`);
  const dir = await mkdtemp(join(tmpdir(), "innkey-faults-"));
  let arranged: Arranged | undefined;
  try {
    arranged = await fault.arrange(dir, world);
    const hotel = await openHotel(name, arranged.environment, bench.sizes);
    const { timeline, server } = hotel;
    try {
      const memory = { before: 0, most: 0 };
      const look = setInterval(async () => {
        memory.most = Math.max(memory.most, await server.memory());
      }, 500);
      const working = hotel.work();
      await delay(CALM_MS);
      memory.before = await server.memory();
      const earlyFailures = timeline.failures.map(({ kind, reason }) => `before the fault, ${kind}: ${reason}`);
      const startedMs = performance.now();
      await arranged.break();
      await delay(Math.min(fault.awaySeconds, mostAway) * 1000);
      const endedMs = performance.now();
      await arranged.mend();
      await waitUntilCalm(timeline, endedMs);
      hotel.end();
      await working;
      clearInterval(look);
      const checks = await hotel.checkDatabase();
      const last = timeline.failures.at(-1)?.atMs ?? endedMs;
      const reasons = timeline.failures.map(({ kind, reason }) => `${kind}: ${reason}`);
      return {
        title: fault.title,
        refused: countEach(reasons),
        answeredMeanwhile: timeline.answeredBetween(startedMs, endedMs),
        longest: timeline.longest,
        secondsToNormal: Math.max(0, last - endedMs) / 1000,
        memoryMb: memory,
        wrong: [
          ...earlyFailures,
          ...Object.entries(
            countEach(
              timeline.failures
                .filter(({ reason }) => !EXPECTED_ERRORS.test(reason))
                .map(({ kind, reason }) => `${kind}: ${reason}`),
            ),
          ).map(([what, count]) => `${count} × ${what}`),
          ...checks.filter(({ wrong }) => wrong !== 0).map(({ question, wrong }) => `${wrong} ${question}`),
          ...(server.alive ? [] : ["the server ended unexpectedly"]),
          ...(bench.isTiny ? [] : slownessOf(timeline.longest, last - endedMs)),
          ...server.errors.filter((line) => /"level":60|unhandled|uncaught/i.test(line)).slice(0, 3),
        ],
      };
    } finally {
      await hotel.close();
    }
  } finally {
    await arranged?.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** A tiny run judges no times. */
function slownessOf(longest: Outcome["longest"], failedForMs: number): string[] {
  const slow = `a request took ${Math.round(longest.ms / 1000)} s: ${longest.kind}`;
  return [
    ...(longest.ms > MAX_MS ? [slow] : []),
    ...(failedForMs > NORMAL_MS ? ["requests did not succeed again"] : []),
  ];
}

/** Waits until nothing has failed for ten seconds, or for a minute at most. */
async function waitUntilCalm(timeline: { failures: readonly { atMs: number }[] }, endedMs: number): Promise<void> {
  for (;;) {
    await delay(250);
    const now = performance.now();
    const last = Math.max(endedMs, timeline.failures.at(-1)?.atMs ?? 0);
    if (now - last >= CALM_MS || now - endedMs >= NORMAL_MS + CALM_MS) return;
  }
}

function countEach(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function rowOf({ title, refused, answeredMeanwhile, longest, secondsToNormal, memoryMb, wrong }: Outcome): Row {
  const refusals = Object.entries(refused).map(([what, count]) => `${count} × ${what}`);
  return {
    ...{ table: "faults", fault: title, refused: refusals.join("; ") || "nothing", answeredMeanwhile },
    ...{ longestSeconds: longest.ms / 1000, longestKind: longest.kind, normalAfterSeconds: secondsToNormal },
    ...{ beforeMb: memoryMb.before, mostMb: memoryMb.most, wrong: wrong.join("; ") || "nothing lost" },
  };
}
