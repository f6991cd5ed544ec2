// Measures the frequent reads of the console and of old clients on hotels of several sizes: each over one connection
// that stays open, one call after the other, to the built server with a session. Those whose answers the server keeps
// are also read after a change of the whole board before each call. `--rooms=60,500` names the sizes,
// `--only=home,timeline` the reads, `--against=<main.js>` another build that is measured in the same rounds;
// `--profile=<directory>` writes a CPU profile for each read.
import assert from "node:assert/strict";
import { join } from "node:path";
import { localDate } from "../packages/shared/src/hotel-time.ts";
import { HOTEL } from "../prisma/seed/hotel-plan.ts";
import { CIPHER_SETTINGS, decryptAnswer, encryptPayload, logInAsOldClient } from "./manage/old-client.ts";
import { openBench } from "./measuring/bench.ts";
import type { LoadPlan } from "./measuring/load.ts";
import { logIn } from "./measuring/owner.ts";
import { load, type Program } from "./measuring/programs.ts";
import type { Row } from "./measuring/result.ts";
import { measureRounds } from "./measuring/rounds.ts";
import { FILLING, type World, withWorld } from "./measuring/world.ts";
import { type Filled, fillReads } from "./reads/fill.ts";

const bench = openBench("reads", {
  full: { rooms: [10, 60, 500, 3_000], rounds: 3, seconds: 2, warmSeconds: 2 },
  tiny: { rooms: [10], rounds: 1, seconds: 0.2, warmSeconds: 0 },
  texts: ["only", "profile", "against"],
});
const { profile: PROFILE, against: AGAINST } = bench.texts;
const ONLY = bench.texts.only?.split(",");
const PROFILE_SECONDS = 5;

/** The server keeps the answers of these until something changes. */
const KEPT = ["timeline", "home", "guests"] as const;
const READS = [
  ...(["session", "nightAudit", "roomsPage", "listNew", "categoryList", ...KEPT] as const),
  ...KEPT.map((read) => `${read} after a change` as const),
] as const;
type Read = (typeof READS)[number];
type Build = "this" | "other";

type Plan = Omit<LoadPlan, "seconds">;

async function plansFor({ url }: Program, change: NonNullable<LoadPlan["change"]>): Promise<Record<Read, Plan>> {
  const cookie = await logIn(url);
  const token = await logInAsOldClient(url);
  const plan = { connections: 1, status: 200 };
  const query = (name: string, input?: unknown): Plan => {
    const text = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return { ...plan, url: `${url}/api/trpc/${name}${text}`, headers: { cookie } };
  };
  const old = (path: string, payload: Record<string, unknown>): Plan => ({
    ...plan,
    url,
    headers: { "content-type": "application/json", "x-token": token },
    requests: [{ url: `${url}/manage/${path}`, body: encryptPayload(payload) }],
  });
  const reads = {
    timeline: query("timeline.read", { from: localDate(new Date().toISOString(), HOTEL.timeZone), days: 32 }),
    home: query("home.overview"),
    guests: query("guests.list", { page: 1, pageSize: 200 }),
  };
  return {
    ...reads,
    "timeline after a change": { ...reads.timeline, change },
    "home after a change": { ...reads.home, change },
    "guests after a change": { ...reads.guests, change },
    session: query("hotel.get"),
    nightAudit: query("nightAudit.read", {}),
    roomsPage: query("rooms.page", { page: 1, pageSize: 200 }),
    listNew: old("room/listNew", { page: 1, page_size: 200 }),
    categoryList: old("room/category/list", {}),
  };
}

/** Returns the answer of a read as it is compared between builds. */
async function answerOf({ url, requests, headers }: Plan): Promise<unknown> {
  const [request] = requests ?? [];
  if (!request?.body) return (await fetch(url, { headers })).json();
  const response = await fetch(request.url, { method: "POST", headers, body: request.body });
  return decryptAnswer(await response.text()).data;
}

const isMeasured = (read: Read): boolean => ONLY?.includes(read) ?? true;

async function measureHotel(world: World, rooms: number): Promise<Row[]> {
  const nameOf = (build: Build): string => `reads_${rooms}_${build}`;
  const database = await world.database(nameOf("this"));
  const filled = await fillReads(database, rooms);
  console.log(`${rooms} rooms, ${filled.stays} stays, ${filled.guests} guests`);
  const mains: Partial<Record<Build, string | undefined>> = AGAINST
    ? { this: undefined, other: AGAINST }
    : { this: undefined };
  const rows: Row[] = [];
  const servers = new Map<Build, { server: Program; plans: Record<Read, Plan> }>();
  try {
    for (const [build, main] of Object.entries(mains) as [Build, string | undefined][]) {
      // Two servers without Redis can't share a database.
      const own = build === "this" ? database : await world.database(nameOf(build));
      if (build === "other") await fillReads(own, rooms);
      const server = await world.serve(own, { ...(main && { main }), env: CIPHER_SETTINGS });
      const change = { databaseUrl: own, hotelId: filled.hotelId };
      servers.set(build, { server, plans: await plansFor(server, change) });
    }
    const reads = READS.filter(isMeasured);
    await compareAnswers([...servers.values()].map(({ plans }) => plans));
    const cases = reads.flatMap((read) => [...servers.keys()].map((build): `${Build} ${Read}` => `${build} ${read}`));
    const rounds = await measureRounds(cases, bench.sizes, (name, seconds) => {
      const build = name.startsWith("this ") ? "this" : "other";
      const plan = servers.get(build)?.plans[name.slice(build.length + 1) as Read];
      if (!plan) throw new Error(`There is no plan for ${name}`);
      return load({ ...plan, seconds });
    });
    for (const read of reads) {
      rows.push({
        ...{ table: "reads", rooms, stays: filled.stays, guests: filled.guests, read },
        readsPerSecond: rounds.median(`this ${read}`, "perSecond"),
        p50Ms: rounds.median(`this ${read}`, "p50Ms"),
        p99Ms: rounds.median(`this ${read}`, "p99Ms"),
        bytes: rounds.median(`this ${read}`, "bytes"),
        otherReadsPerSecond: AGAINST ? rounds.median(`other ${read}`, "perSecond") : null,
        ratio: AGAINST ? rounds.ratio(`this ${read}`, `other ${read}`) : null,
      });
    }
  } finally {
    for (const { server } of servers.values()) await server.stop();
  }
  if (PROFILE) await profile(world, database, filled);
  for (const build of servers.keys()) await world.drop(nameOf(build));
  return rows;
}

/** Checks that all builds answer the same; two reads are of different moments, so times are left out. */
async function compareAnswers(builds: Record<Read, Plan>[]): Promise<void> {
  for (const read of READS) {
    const answers = await Promise.all(builds.map((plans) => answerOf(plans[read])));
    for (const answer of answers) assert.deepEqual(answer, answers[0], `all builds answer ${read} the same`);
  }
}

async function profile(world: World, database: string, { rooms, hotelId }: Filled): Promise<void> {
  for (const read of READS.filter(isMeasured)) {
    const directory = join(PROFILE ?? "", `${rooms}-${read.replaceAll(" ", "-")}`);
    const args = ["--cpu-prof", `--cpu-prof-dir=${directory}`];
    const server = await world.serve(database, { args, env: CIPHER_SETTINGS });
    const plans = await plansFor(server, { databaseUrl: database, hotelId });
    await load({ ...plans[read], seconds: PROFILE_SECONDS });
    await server.stop();
  }
}

await withWorld(
  async (world) => {
    const rows: Row[] = [];
    for (const rooms of bench.sizes.rooms) rows.push(...(await measureHotel(world, rooms)));
    await bench.finish(rows);
  },
  { settings: FILLING },
);
