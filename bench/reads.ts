// Measures the frequent reads of the console and of old clients on hotels of several sizes: each over one connection
// that stays open, one call after the other, to the built server with a session. `--rooms=60,500` names the sizes,
// `--against=<main.js>` another build that is measured in the same rounds, `--json=<file>` writes all values,
// `--profile=<directory>` a CPU profile for each read.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { localDate } from "../packages/shared/src/hotel-time.ts";
import { HOTEL } from "../prisma/seed/hotel-plan.ts";
import type { LoadPlan, LoadResult } from "./board/load.ts";
import { load, type Program } from "./board/programs.ts";
import { type World, withWorld } from "./growth/world.ts";
import { CIPHER_SETTINGS, decryptAnswer, encryptPayload, logInAsOldClient } from "./manage/old-client.ts";
import { machine } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import { type Filled, fillReads } from "./reads/fill.ts";

const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const SIZES = (option("rooms") ?? "10,60,500,3000").split(",").map(Number);
const ROUNDS = Number(option("rounds") ?? 3);
const SECONDS = Number(option("seconds") ?? 2);
const WARM_SECONDS = 2;
const ONLY = option("only")?.split(",");
const PROFILE = option("profile");
const AGAINST = option("against");

const READS = ["session", "timeline", "home", "nightAudit", "guests", "roomsPage", "listNew", "categoryList"] as const;
type Read = (typeof READS)[number];
type Build = "this" | "other";

/** Measured values of one read of one hotel by one build, as the medians of all rounds. */
interface Measured extends Filled {
  build: Build;
  read: Read;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  bytes: number;
}

async function plansFor({ url }: Program): Promise<Record<Read, LoadPlan>> {
  const cookie = await logIn(url);
  const token = await logInAsOldClient(url);
  const plan = { connections: 1, seconds: SECONDS, status: 200 };
  const query = (name: string, input?: unknown): LoadPlan => {
    const text = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return { ...plan, url: `${url}/api/trpc/${name}${text}`, headers: { cookie } };
  };
  const old = (path: string, payload: Record<string, unknown>): LoadPlan => ({
    ...plan,
    url,
    headers: { "content-type": "application/json", "x-token": token },
    requests: [{ url: `${url}/manage/${path}`, body: encryptPayload(payload) }],
  });
  return {
    session: query("hotel.get"),
    timeline: query("timeline.read", { from: localDate(new Date().toISOString(), HOTEL.timeZone), days: 32 }),
    home: query("home.overview"),
    nightAudit: query("nightAudit.read", {}),
    guests: query("guests.list", { page: 1, pageSize: 200 }),
    roomsPage: query("rooms.page", { page: 1, pageSize: 200 }),
    listNew: old("room/listNew", { page: 1, page_size: 200 }),
    categoryList: old("room/category/list", {}),
  };
}

/** Returns the answer of a read as it is compared between builds. */
async function answerOf({ url, requests, headers }: LoadPlan): Promise<unknown> {
  const [request] = requests ?? [];
  if (!request?.body) return (await fetch(url, { headers })).json();
  const response = await fetch(request.url, { method: "POST", headers, body: request.body });
  return decryptAnswer(await response.text()).data;
}

const isMeasured = (read: Read): boolean => ONLY?.includes(read) ?? true;

async function measureHotel(world: World, rooms: number): Promise<Measured[]> {
  const nameOf = (build: Build): string => `reads_${rooms}_${build}`;
  const database = await world.database(nameOf("this"));
  const filled = await fillReads(database, rooms);
  console.log(`${rooms} rooms, ${filled.stays} stays, ${filled.guests} guests`);
  const mains: Partial<Record<Build, string | undefined>> = AGAINST
    ? { this: undefined, other: AGAINST }
    : { this: undefined };
  const results = new Map<string, LoadResult[]>();
  const measured: Measured[] = [];
  const servers = new Map<Build, { server: Program; plans: Record<Read, LoadPlan> }>();
  try {
    for (const [build, main] of Object.entries(mains) as [Build, string | undefined][]) {
      // Two servers without Redis can't share a database.
      const own = build === "this" ? database : await world.database(nameOf(build));
      if (build === "other") await fillReads(own, rooms);
      const server = await world.serve(own, { ...(main && { main }), env: CIPHER_SETTINGS });
      servers.set(build, { server, plans: await plansFor(server) });
    }
    const reads = READS.filter(isMeasured);
    await compareAnswers([...servers.values()].map(({ plans }) => plans));
    for (const { plans } of servers.values())
      for (const read of reads) await load({ ...plans[read], seconds: WARM_SECONDS });
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const read of reads) {
        for (const [build, { plans }] of servers) {
          const key = `${build} ${read}`;
          results.set(key, [...(results.get(key) ?? []), await load(plans[read])]);
        }
      }
    }
    for (const build of servers.keys()) {
      for (const read of reads) measured.push({ ...filled, build, read, ...medians(results.get(`${build} ${read}`)) });
    }
  } finally {
    for (const { server } of servers.values()) await server.stop();
  }
  if (PROFILE) await profile(world, database, rooms);
  for (const build of servers.keys()) await world.drop(nameOf(build));
  return measured;
}

/** Checks that all builds answer the same; two reads are of different moments, so times are left out. */
async function compareAnswers(builds: Record<Read, LoadPlan>[]): Promise<void> {
  for (const read of READS) {
    const answers = await Promise.all(builds.map((plans) => answerOf(plans[read])));
    for (const answer of answers) assert.deepEqual(answer, answers[0], `all builds answer ${read} the same`);
  }
}

async function profile(world: World, database: string, rooms: number): Promise<void> {
  for (const read of READS.filter(isMeasured)) {
    const directory = join(PROFILE ?? "", `${rooms}-${read}`);
    const args = ["--cpu-prof", `--cpu-prof-dir=${directory}`];
    const server = await world.serve(database, { args, env: CIPHER_SETTINGS });
    const plans = await plansFor(server);
    await load({ ...plans[read], seconds: 5 });
    await server.stop();
  }
}

function medians(rounds: readonly LoadResult[] = []): Pick<Measured, "perSecond" | "p50Ms" | "p99Ms" | "bytes"> {
  const median = (field: "perSecond" | "p50Ms" | "p99Ms" | "bytes"): number =>
    rounds.map((round) => round[field]).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? Number.NaN;
  return { perSecond: median("perSecond"), p50Ms: median("p50Ms"), p99Ms: median("p99Ms"), bytes: median("bytes") };
}

function report(measured: readonly Measured[]): void {
  const lines = measured
    .filter(({ build }) => build === "this")
    .map((one) => {
      const other = measured.find((o) => o.build === "other" && o.read === one.read && o.rooms === one.rooms);
      const cells = [one.rooms, one.read, one.perSecond.toFixed(0), one.p50Ms.toFixed(2), one.p99Ms.toFixed(1)];
      if (other) cells.push(other.perSecond.toFixed(0), `${(one.perSecond / other.perSecond).toFixed(2)}×`);
      return `| ${[...cells, one.bytes.toLocaleString("en")].join(" | ")} |`;
    });
  const compared = AGAINST ? " other build, reads/s | ratio |" : "";
  console.log(`
${machine()}, one connection, ${ROUNDS} rounds of ${SECONDS} s, medians.

| rooms | read | reads/s | p50 ms | p99 ms |${compared} bytes |
|---|---|---|---|---|${AGAINST ? "---|---|" : ""}---|
${lines.join("\n")}`);
}

await withWorld(async (world) => {
  const measured: Measured[] = [];
  for (const rooms of SIZES) measured.push(...(await measureHotel(world, rooms)));
  report(measured);
  const file = option("json");
  if (file) await writeFile(file, `${JSON.stringify(measured, null, 2)}\n`);
});
