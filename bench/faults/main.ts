// npm run faults [-- name …]: shows what users see when a service beside the server fails, and checks that no
// acknowledged change is lost. Each run has ten calm seconds, the fault, its end, ten calm seconds and a check of the
// database. Prints a table, writes .tmp/faults.json, and exits with 1 if anything was lost, crashed, hung or failed
// with an unexpected error.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { FAULTS, type Fault } from "./faults.ts";
import { openHotel } from "./working-hotel.ts";

const CALM_MS = 10_000;
/** Maximum time after the fault's end until requests must succeed again. */
const NORMAL_MS = 60_000;
/** Source: the product specification, section 9: calls of the console time out after 40 s. */
const MAX_MS = 40_500;
/** Errors that users may see, all of which say that the service is unavailable now. */
const EXPECTED_ERRORS =
  /^(unavailable|external_failed|HTTP 50[23]|100000 The system is busy.*|an export failed: (external_failed|unavailable|internal))$/;

interface Result {
  name: string;
  title: string;
  /** number of refused requests by kind and reason, during the fault and after it */
  refused: Record<string, number>;
  answeredMeanwhile: number;
  longest: { kind: string; ms: number };
  secondsToNormal: number;
  memoryMb: { before: number; most: number };
  wrong: string[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const names = Object.keys(FAULTS) as (keyof typeof FAULTS)[];
const args = process.argv.slice(2);
const selection = names.filter((name) => args.length === 0 || args.includes(name));
if (selection.length === 0) throw new Error(`The faults are: ${names.join(", ")}`);
const results: Result[] = [];
for (const name of selection) {
  const result = await run(name, FAULTS[name]);
  results.push(result);
  console.log(rowOf(result));
  for (const line of result.wrong) console.log(`  WRONG: ${line}`);
}
const resultFile = join(root, ".tmp/faults.json");
const before = JSON.parse(await readFile(resultFile, "utf8").catch(() => "{}")) as Record<string, Result>;
await writeFile(
  resultFile,
  `${JSON.stringify({ ...before, ...Object.fromEntries(results.map((one) => [one.name, one])) }, null, 2)}\n`,
);
process.exit(results.every(({ wrong }) => wrong.length === 0) ? 0 : 1);

async function run(name: string, fault: Fault): Promise<Result> {
  console.log(`${fault.title} …`);
  const dir = await mkdtemp(join(tmpdir(), "innkey-faults-"));
  const arranged = await fault.arrange(dir);
  try {
    const hotel = await openHotel(name, arranged.environment);
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
      await delay(fault.awaySeconds * 1000);
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
        name,
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
          ...(timeline.longest.ms > MAX_MS
            ? [`a request took ${Math.round(timeline.longest.ms / 1000)} s: ${timeline.longest.kind}`]
            : []),
          ...(last - endedMs > NORMAL_MS ? ["requests did not succeed again"] : []),
          ...server.errors.filter((line) => /"level":60|unhandled|uncaught/i.test(line)).slice(0, 3),
        ],
      };
    } finally {
      await hotel.close();
    }
  } finally {
    await arranged.close();
    await rm(dir, { recursive: true, force: true });
  }
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

function rowOf({ title, refused, answeredMeanwhile, longest, secondsToNormal, memoryMb, wrong }: Result): string {
  const refusals = Object.entries(refused).map(([what, count]) => `${count} × ${what}`);
  const cells = [
    title,
    refusals.join("; ") || "nothing",
    `${answeredMeanwhile} answered meanwhile`,
    `${(longest.ms / 1000).toFixed(1)} s at most (${longest.kind})`,
    `normal after ${secondsToNormal.toFixed(1)} s`,
    `${Math.round(memoryMb.before)} → ${Math.round(memoryMb.most)} MB`,
    wrong.length === 0 ? "nothing lost" : "WRONG",
  ];
  return `| ${cells.join(" | ")} |`;
}
