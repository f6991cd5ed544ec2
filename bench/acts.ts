// Measures the acts of a guest's stay as the console sends them: a reservation, a check-in and a check-out after it,
// over one connection that stays open, one call after the other. `--rooms=60` is the size of the hotel, `--calls=50` how
// often each act is done in a round, `--against=<main.js>` another build that is measured in the same rounds.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { DAY_MS } from "../packages/shared/src/durations.ts";
import { type World, withWorld } from "./growth/world.ts";
import { machine } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import { fillReads } from "./reads/fill.ts";

const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const ROOMS = Number(option("rooms") ?? 60);
const ROUNDS = Number(option("rounds") ?? 5);
const CALLS = Number(option("calls") ?? 30);
const AGAINST = option("against");
const WARM_CALLS = 20;

const ACTS = ["reservation", "check-in", "check-out"] as const;
type Act = (typeof ACTS)[number];

/** One build with its hotel, and the milliseconds that each call took. */
interface Desk {
  name: string;
  stop(): Promise<unknown>;
  call(procedure: string, input: object): Promise<Record<string, number>>;
  roomIds: number[];
  millis: Record<Act, number[]>;
  /** Days from now on which the next reservation begins; no two overlap. */
  nextDay: number;
}

async function openDesk(world: World, name: string, main: string | undefined): Promise<Desk> {
  const database = await world.database(name);
  await fillReads(database, ROOMS);
  const { url, stop } = await world.serve(database, main === undefined ? {} : { main });
  const cookie = await logIn(url);
  const headers = { "content-type": "application/json", "x-innkey": "1", cookie };
  const call = async (procedure: string, input: object): Promise<Record<string, number>> => {
    const response = await fetch(`${url}/api/trpc/${procedure}`, {
      method: "POST",
      headers,
      body: JSON.stringify(input),
    });
    const text = await response.text();
    assert.ok(response.ok, `${procedure} answered ${response.status}: ${text}`);
    return (JSON.parse(text) as { result: { data: Record<string, number> } }).result.data;
  };
  const roomIds: number[] = [];
  for (let n = 1; n <= 4; n += 1) {
    const { roomId } = await call("rooms.save", { name: `Bench ${n}`, groupId: null });
    roomIds.push(Number(roomId));
  }
  const prices = { depositMinor: 5_000, usualMinor: 10_000, weekendMinor: 12_000, renewalMinor: 9_000 };
  await call("rooms.setPrices", { roomIds, prices });
  return { name, stop, call, roomIds, millis: { reservation: [], "check-in": [], "check-out": [] }, nextDay: 30 };
}

/** Reserves once, and checks a party in and out. */
async function act(desk: Desk): Promise<void> {
  const [roomId] = desk.roomIds;
  const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
  const measure = async <Result>(name: Act, call: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const result = await call();
    desk.millis[name].push(performance.now() - startedAt);
    return result;
  };
  const party = (from: number, to: number): object => ({
    ...{ roomId, unit: "day", startsAt: inDays(from), endsAt: inDays(to), channel: "cash", depositChannel: "cash" },
    guests: [{ name: `Ann Lee ${desk.nextDay}`, mobile: "13800000009" }],
  });
  await measure("reservation", () => desk.call("stays.reserve", party(desk.nextDay, desk.nextDay + 2)));
  desk.nextDay += 3;
  const { stayId } = await measure("check-in", () =>
    desk.call("stays.checkIn", { ...party(0, 2), confirmDirty: true }),
  );
  await measure("check-out", () => desk.call("stays.checkOut", { stayId, channel: "cash" }));
}

function report(desks: readonly Desk[]): void {
  const quantile = (values: readonly number[], part: number): string =>
    (values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN).toFixed(1);
  const lines = desks.flatMap(({ name, millis }) =>
    ACTS.map(
      (one) => `| ${one} | ${name} | ${[0.5, 0.95, 0.99].map((part) => quantile(millis[one], part)).join(" | ")} |`,
    ),
  );
  console.log(`
${machine()}, ${ROOMS} rooms, one connection, ${ROUNDS} interleaved rounds of ${CALLS} calls of each act.

| act | build | p50 ms | p95 ms | p99 ms |
|---|---|---|---|---|
${lines.join("\n")}`);
}

await withWorld(async (world) => {
  const desks: Desk[] = [];
  try {
    desks.push(await openDesk(world, "acts_this", undefined));
    if (AGAINST) desks.push(await openDesk(world, "acts_other", AGAINST));
    for (const desk of desks) {
      for (let n = 0; n < WARM_CALLS; n += 1) await act(desk);
      desk.millis = { reservation: [], "check-in": [], "check-out": [] };
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const desk of desks) {
        for (let n = 0; n < CALLS; n += 1) await act(desk);
        await delay(200);
      }
    }
    report(desks);
  } finally {
    for (const desk of desks) await desk.stop();
  }
});
