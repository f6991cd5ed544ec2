import { DomainError } from "@innkey/shared/errors";
import type { LockEvent } from "@innkey/shared/locks/protocol";
import { pino } from "pino";
import { expect, it } from "vitest";
import { createLogger } from "../../adapters/telemetry/logger.ts";
import type { LockReports } from "../../domain/access/lock-links/driver.ts";
import { BadMessages, KeyedQueue, lockMessages } from "./lock-messages.ts";

const ID = "0b9d4a4e-58b5-4dd5-9a4c-2f0c4f0f5a11";
const ROOT = "lockd/3/A4C1380000A1";
const event = (seq: number): LockEvent => ({ seq, at: "2026-03-02T10:00:00Z", style: "card", success: true });

function desk(reports: Partial<LockReports> = {}) {
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const received: unknown[] = [];
  const published: [string, string][] = [];
  const take = lockMessages({
    link: { publish: async (topic, text) => void published.push([topic, text]) },
    reports: {
      acknowledge: async (lock, ack) => void received.push([lock, ack.id]),
      status: async (lock, status) => void received.push([lock, status.state]),
      events: async (_lock, events) => {
        received.push(events.map(({ seq }) => seq));
        return events.at(-1)?.seq ?? 0;
      },
      ...reports,
    },
    keyedQueue: new KeyedQueue(log),
    bad: new BadMessages(log),
  });
  const say = (part: string, payload: unknown) =>
    take({
      topic: `${ROOT}/${part}`,
      payload: Buffer.from(typeof payload === "string" ? payload : JSON.stringify(payload)),
      retained: false,
    });
  return { say, heard: received, published, lines };
}

it("accepts only the topics of locks", () => {
  const { say } = desk();
  for (const part of ["command", "event/ack", "ha/set", "status/x"]) expect(say(part, "{}")).toBeNull();
});

it("accepts answers, states and events, and the plain text of a last will", async () => {
  const { say, heard: received, published } = desk();
  await say("status", { state: "online", power: 80 });
  await say("ack", { id: ID, ok: true });
  await say("event", event(4));
  await say("event", [event(5), event(6)]);
  await say("status", "offline");
  const lock = { hotelId: 3, mac: "A4:C1:38:00:00:A1" };
  expect(received).toEqual([[lock, "online"], [lock, ID], [4], [5, 6], [lock, "offline"]]);
  expect(published).toEqual([
    [`${ROOT}/event/ack`, '{"seq":4}'],
    [`${ROOT}/event/ack`, '{"seq":6}'],
  ]);
});

it("acknowledges only stored events, and keeps their order while the database is down", async () => {
  let down = 3;
  const storedSeqs: number[] = [];
  const { say, published } = desk({
    async events(_lock, events) {
      if (down-- > 0) throw new Error("connect ECONNREFUSED");
      storedSeqs.push(...events.map(({ seq }) => seq));
      return events.at(-1)?.seq ?? 0;
    },
  });
  const first = say("event", event(1));
  const second = say("event", event(2));
  expect(published).toEqual([]);
  await Promise.all([first, second]);
  expect(storedSeqs).toEqual([1, 2]);
  expect(published.map(([, text]) => text)).toEqual(['{"seq":1}', '{"seq":2}']);
});

it("drops invalid messages, logs the lock once, and logs none of their contents", async () => {
  const { say, heard: received, published, lines } = desk();
  const secret = "271828";
  for (const bad of [secret, `{"code":"${secret}"`, { seq: 0, code: secret }, [], { id: secret, ok: true }]) {
    for (const part of ["ack", "event", "status"]) await say(part, bad);
  }
  expect([...received, ...published]).toEqual([]);
  expect(lines).toHaveLength(1);
  expect(lines.join()).not.toContain(secret);
  expect(lines.join()).toContain("3/A4C1380000A1");
});

const keyedQueue = () => new KeyedQueue(createLogger("silent"));

it("runs the work of a key in order, and repeats failed work before what follows", async () => {
  const done: string[] = [];
  const queue = keyedQueue();
  let failures = 2;
  await Promise.all([
    queue.take("a", async () => {
      if (failures-- > 0) throw new Error("database is down");
      done.push("a1");
    }),
    queue.take("a", async () => void done.push("a2")),
    queue.take("b", async () => void done.push("b1")),
  ]);
  expect(done).toEqual(["b1", "a1", "a2"]);
});

it("holds at most a hundred jobs of a key", async () => {
  const queue = keyedQueue();
  let release = (): void => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const attempts = Array.from({ length: 130 }, () => queue.take("a", () => blocked));
  expect(queue.dropped).toBe(30);
  release();
  await Promise.all(attempts);
  await queue.take("a", async () => {});
  expect(queue.dropped).toBe(30);
});

it("stops repeating when it closes", async () => {
  const queue = keyedQueue();
  const never = queue.take("a", () => Promise.reject(new Error("for ever")));
  queue.close();
  await never;
});

it("drops work that can never succeed, so that it does not block what follows", async () => {
  const done: string[] = [];
  const queue = new KeyedQueue(createLogger("silent"), 500);
  let away = 3;
  await Promise.all([
    queue.take("a", () => Promise.reject(new Error("invalid byte sequence"))),
    queue.take("a", async () => {
      if (away-- > 0) throw new DomainError("unavailable");
      done.push("waited for the database");
    }),
  ]);
  expect(done).toEqual(["waited for the database"]);
  expect(queue.dropped).toBe(1);
});
