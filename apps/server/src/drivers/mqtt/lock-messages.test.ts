import type { LockEvent } from "@innkey/shared/locks/protocol";
import { pino } from "pino";
import { afterEach, expect, it, vi } from "vitest";
import type { LockName, LockReports } from "../../domain/access/locks/reports.ts";
import { BadMessages } from "./bad-messages.ts";
import { Turns } from "./keyed-queue.ts";
import { lockMessages } from "./lock-messages.ts";
import { ReportBudget } from "./report-budget.ts";

const ID = "0b9d4a4e-58b5-4dd5-9a4c-2f0c4f0f5a11";
const ROOT = "lockd/3/A4C1380000A1";
const OTHER = "lockd/3/A4C1380000A2";
const MINUTE_MS = 60_000;
const event = (seq: number): LockEvent => ({ seq, at: "2026-03-02T10:00:00Z", style: "card", success: true });

function desk(reports: Partial<LockReports> = {}) {
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const heard: unknown[] = [];
  const published: [string, string][] = [];
  const floods: LockName[] = [];
  const turns = new Turns(log);
  const budget = new ReportBudget({ reports: { reportsTooMuch: async (lock) => void floods.push(lock) }, turns, log });
  const take = lockMessages({
    link: { publish: async (topic, text) => void published.push([topic, text]) },
    reports: {
      acknowledge: async (lock, ack) => void heard.push([lock, ack.id]),
      status: async (lock, status) => void heard.push([lock, status.state]),
      events: async (_lock, events) => {
        heard.push(events.map(({ seq }) => seq));
        return events.at(-1)?.seq ?? 0;
      },
      ...reports,
    },
    turns,
    budget,
    bad: new BadMessages(log),
  });
  const say = (part: string, payload: unknown, root = ROOT) =>
    take({
      topic: `${root}/${part}`,
      payload: Buffer.from(typeof payload === "string" ? payload : JSON.stringify(payload)),
      retained: false,
    });
  return { say, heard, published, lines, floods, budget };
}

/** Consecutive events, at most as many as a report holds. */
const eventsFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => event(first + n));

afterEach(() => void vi.useRealTimers());

it("knows its own topics only", () => {
  const { say } = desk();
  for (const part of ["command", "event/ack", "ha/set", "status/x"]) expect(say(part, "{}")).toBeNull();
});

it("understands answers, states and events, and the bare word of a last will", async () => {
  const { say, heard, published } = desk();
  await say("status", { state: "online", power: 80 });
  await say("ack", { id: ID, ok: true });
  await say("event", event(4));
  await say("event", [event(5), event(6)]);
  await say("status", "offline");
  const lock = { hotelId: 3, mac: "A4:C1:38:00:00:A1" };
  expect(heard).toEqual([[lock, "online"], [lock, ID], [4], [5, 6], [lock, "offline"]]);
  expect(published).toEqual([
    [`${ROOT}/event/ack`, '{"seq":4}'],
    [`${ROOT}/event/ack`, '{"seq":6}'],
  ]);
});

it("acknowledges nothing that isn't kept, and keeps the order while the database is away", async () => {
  let down = 3;
  const kept: number[] = [];
  const { say, published } = desk({
    async events(_lock, events) {
      if (down-- > 0) throw new Error("connect ECONNREFUSED");
      kept.push(...events.map(({ seq }) => seq));
      return events.at(-1)?.seq ?? 0;
    },
  });
  const first = say("event", event(1));
  const second = say("event", event(2));
  expect(published).toEqual([]);
  await Promise.all([first, second]);
  expect(kept).toEqual([1, 2]);
  expect(published.map(([, text]) => text)).toEqual(['{"seq":1}', '{"seq":2}']);
});

it("drops what makes no sense, names the lock once, and repeats nothing of it", async () => {
  const { say, heard, published, lines } = desk();
  const secret = "271828";
  for (const bad of [secret, `{"code":"${secret}"`, { seq: 0, code: secret }, [], { id: secret, ok: true }]) {
    for (const part of ["ack", "event", "status"]) await say(part, bad);
  }
  expect([...heard, ...published]).toEqual([]);
  expect(lines).toHaveLength(1);
  expect(lines.join()).not.toContain(secret);
  expect(lines.join()).toContain("3/A4C1380000A1");
});

it("lets neither another lock nor a lock's own answers wait for its flood of events", async () => {
  const never = new Promise<number>(() => {});
  const { say, heard, published, budget } = desk({
    events: async (lock, events) => ("mac" in lock && lock.mac.endsWith("A1") ? never : (events.at(-1)?.seq ?? 0)),
  });
  for (let seq = 1; seq <= 3_000; seq += 1) void say("event", event(seq));
  await say("ack", { id: ID, ok: true });
  await say("status", "offline", OTHER);
  await say("event", event(1), OTHER);
  expect(heard).toEqual([
    [{ hotelId: 3, mac: "A4:C1:38:00:00:A1" }, ID],
    [{ hotelId: 3, mac: "A4:C1:38:00:00:A2" }, "offline"],
  ]);
  expect(published).toEqual([[`${OTHER}/event/ack`, '{"seq":1}']]);
  expect(budget.withheld).toBe(2_950);
});

it("leaves a lock's statuses room beside its events, and bounds them apart from those", async () => {
  let release = (_seq: number): void => {};
  const stuck = new Promise<number>((resolve) => {
    release = resolve;
  });
  const { say, heard, floods, budget } = desk({ events: () => stuck });
  const said = Array.from({ length: 120 }, (_, n) => say("event", event(n + 1)));
  said.push(say("status", { state: "online" }));
  release(50);
  await Promise.all(said);
  expect(heard).toHaveLength(1);
  expect(budget.withheld).toBe(70);
  for (let n = 0; n < 100; n += 1) await say("status", { state: "online" });
  expect(heard).toHaveLength(60);
  expect(floods).toHaveLength(1);
  await say("event", event(51));
  expect(budget.withheld).toBe(70 + 41);
});

it.each([3_000, 6_000])("takes a backlog of %i events whole and in order, within minutes", async (count) => {
  vi.useFakeTimers();
  const stored: number[] = [];
  const { say, published, lines, floods, budget } = desk({
    async events(_lock, events) {
      stored.push(...events.map(({ seq }) => seq));
      return events.at(-1)?.seq ?? 0;
    },
  });
  let [acknowledged, minutes] = [0, 0];
  while (acknowledged < count) {
    await say("event", { log: "9f31c05a", events: eventsFrom(acknowledged + 1, 500) });
    const last = published.length * 500;
    if (last === acknowledged) {
      minutes += 1;
      await vi.advanceTimersByTimeAsync(MINUTE_MS);
    }
    acknowledged = last;
  }
  expect(stored).toEqual(Array.from({ length: count }, (_, n) => n + 1));
  expect(minutes).toBeLessThan(10);
  // Each minute has one line and one notice, however much was withheld.
  expect([lines.length, floods.length, budget.withheld]).toEqual([minutes, minutes, minutes]);
});

it("takes no event before those that it withheld, until the lock can't have them any longer", async () => {
  vi.useFakeTimers();
  const { say, published } = desk();
  const acknowledged = () => published.map(([, text]) => JSON.parse(text).seq);
  for (const first of [1, 501, 1_001, 1_501, 2_001]) await say("event", eventsFrom(first, 500));
  expect(acknowledged()).toEqual([500, 1_000, 1_500, 2_000]);
  await vi.advanceTimersByTimeAsync(100_000);
  await say("event", event(2_501));
  await vi.advanceTimersByTimeAsync(100_000);
  await say("event", event(2_502));
  expect(acknowledged()).toHaveLength(4);
  await say("event", eventsFrom(2_001, 502));
  expect(acknowledged()).toHaveLength(4);
  await say("event", eventsFrom(2_001, 500));
  await say("event", [event(2_501), event(2_502)]);
  expect(acknowledged().slice(4)).toEqual([2_500, 2_502]);

  for (const first of [2_503, 3_003, 3_503, 4_003]) await say("event", eventsFrom(first, 500));
  const before = acknowledged().length;
  await vi.advanceTimersByTimeAsync(4 * MINUTE_MS);
  await say("event", event(5_000));
  expect(acknowledged().slice(before)).toEqual([5_000]);
});

it("logs a flood once a minute and lock", async () => {
  vi.useFakeTimers();
  const { say, lines, floods } = desk();
  const flood = async (root: string): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await say("event", eventsFrom(500 * n + 1, 500), root);
  };
  await flood(ROOT);
  await flood(OTHER);
  expect(floods).toEqual(["A1", "A2"].map((last) => ({ hotelId: 3, mac: `A4:C1:38:00:00:${last}` })));
  expect(lines).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await flood(ROOT);
  expect(lines).toHaveLength(3);
});
