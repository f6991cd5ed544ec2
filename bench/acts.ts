// Measures the acts of a guest's stay as the console sends them: a reservation, a check-in and a check-out after it,
// over one connection that stays open, one call after the other. `--calls=50` is how often each act is done in a round,
// `--against=<main.js>` another build that is measured in the same rounds.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { DAY_MS } from "../packages/shared/src/durations.ts";
import { openBench } from "./measuring/bench.ts";
import { measureMs, percentile } from "./measuring/durations.ts";
import { logIn } from "./measuring/owner.ts";
import type { Row } from "./measuring/result.ts";
import { FILLING, type World, withWorld } from "./measuring/world.ts";
import { fillReads } from "./reads/fill.ts";

const bench = openBench("acts", {
  full: { rooms: 60, rounds: 5, calls: 30, warmCalls: 20 },
  tiny: { rooms: 10, rounds: 1, calls: 2, warmCalls: 1 },
  texts: ["against"],
});
const { rooms, rounds, calls, warmCalls } = bench.sizes;
const { against } = bench.texts;

const ACTS = ["reservation", "check-in", "check-out"] as const;
type Act = (typeof ACTS)[number];
const noTimes = (): Record<Act, number[]> => ({ reservation: [], "check-in": [], "check-out": [] });

/** One build with its hotel, and the milliseconds that each call took. */
interface Desk {
  build: "this" | "other";
  stop(): Promise<unknown>;
  call(procedure: string, input: object): Promise<Record<string, number>>;
  roomIds: number[];
  millis: Record<Act, number[]>;
  /** Days from now on which the next reservation begins; no two overlap. */
  nextDay: number;
}

async function openDesk(world: World, build: Desk["build"], main: string | undefined): Promise<Desk> {
  const database = await world.database(`acts_${build}`);
  await fillReads(database, rooms);
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
  return { build, stop, call, roomIds, millis: noTimes(), nextDay: 30 };
}

/** Reserves once, and checks a party in and out. */
async function act(desk: Desk): Promise<void> {
  const [roomId] = desk.roomIds;
  const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
  const party = (from: number, to: number): object => ({
    ...{ roomId, unit: "day", startsAt: inDays(from), endsAt: inDays(to), channel: "cash", depositChannel: "cash" },
    guests: [{ name: `Ann Lee ${desk.nextDay}`, mobile: "13800000009" }],
  });
  const reserve = () => desk.call("stays.reserve", party(desk.nextDay, desk.nextDay + 2));
  desk.millis.reservation.push(await measureMs(reserve));
  desk.nextDay += 3;
  let stayId: number | undefined;
  const checkIn = async () => {
    ({ stayId } = await desk.call("stays.checkIn", { ...party(0, 2), confirmDirty: true }));
  };
  desk.millis["check-in"].push(await measureMs(checkIn));
  const checkOut = () => desk.call("stays.checkOut", { stayId, channel: "cash" });
  desk.millis["check-out"].push(await measureMs(checkOut));
}

const rowsOf = ({ build, millis }: Desk): Row[] =>
  ACTS.map((name) => ({
    ...{ table: "acts", act: name, build },
    p50Ms: percentile(millis[name], 0.5),
    p95Ms: percentile(millis[name], 0.95),
    p99Ms: percentile(millis[name], 0.99),
  }));

await withWorld(
  async (world) => {
    const desks: Desk[] = [];
    try {
      desks.push(await openDesk(world, "this", undefined));
      if (against) desks.push(await openDesk(world, "other", against));
      for (const desk of desks) {
        for (let n = 0; n < warmCalls; n += 1) await act(desk);
        desk.millis = noTimes();
      }
      for (let round = 0; round < rounds; round += 1) {
        for (const desk of desks) {
          for (let n = 0; n < calls; n += 1) await act(desk);
          await delay(200);
        }
      }
      await bench.finish(desks.flatMap(rowsOf));
    } finally {
      for (const desk of desks) await desk.stop();
    }
  },
  { settings: FILLING },
);
