import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KeptAnswers } from "./kept-answers.ts";
import type { Scope } from "./scope.ts";

const START_MS = Date.parse("2026-03-02T10:00:00Z");

let nowMs: number;
let answers: KeptAnswers;
let reads: number;

beforeEach(() => {
  vi.useFakeTimers();
  nowMs = START_MS;
  answers = new KeptAnswers();
  reads = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

interface Caller {
  hotelId: number;
  role: string;
  capabilities: string[];
  roomIds: number[] | null;
  language: string;
}
const OWNER: Caller = { hotelId: 1, role: "owner", capabilities: ["rooms.view"], roomIds: null, language: "en" };

const scopeOf = ({ hotelId, role, capabilities, roomIds, language }: Caller) =>
  ({
    ...{ hotelId, roomIds, language, now: () => new Date(nowMs) },
    actor: { role, capabilities: new Set(capabilities), apiKeyAuth: false },
  }) as unknown as Scope;

const ask = (question: string, snapshot = "10:10:", caller = OWNER, characters: number | null = 1) =>
  answers.answer(scopeOf(caller), snapshot, question, async () => ({ answer: ++reads, characters }));

it("answers the same question in the same snapshot once, and shares the read among those who ask meanwhile", async () => {
  expect(await Promise.all([ask("home"), ask("home")])).toEqual([1, 1]);
  expect(await ask("home")).toBe(1);
  expect(await ask("timeline")).toBe(2);
});

it("reads again in another snapshot, and never returns to an earlier one", async () => {
  await ask("home", "10:10:");
  expect(await ask("home", "10:11:10")).toBe(2);
  expect(await ask("home", "10:10:")).toBe(3);
});

it("reads again after two seconds, and if the clock was set back", async () => {
  await ask("home");
  nowMs += 1_999;
  expect(await ask("home")).toBe(1);
  nowMs += 1;
  expect(await ask("home")).toBe(2);
  nowMs -= 3_600_000;
  expect(await ask("home")).toBe(3);
});

it.each<[string, Partial<Caller>]>([
  ["of another hotel", { hotelId: 2 }],
  ["with other permissions", { capabilities: ["rooms.view", "stays.view"] }],
  ["with other rooms", { roomIds: [1] }],
  ["with another role", { role: "manager" }],
  ["in another language", { language: "de" }],
])("shares nothing with a caller %s", async (_name, other) => {
  await ask("home");
  expect(await ask("home", "10:10:", { ...OWNER, ...other })).toBe(2);
});

it("keeps neither refusals nor failures", async () => {
  await ask("home", "10:10:", OWNER, null);
  expect(await ask("home")).toBe(2);
  const fail = () => answers.answer(scopeOf(OWNER), "11:11:", "home", () => Promise.reject(new Error("away")));
  await expect(Promise.all([fail(), fail()])).rejects.toThrow("away");
  expect(await ask("home", "11:11:")).toBe(3);
});

it("forgets the oldest when it has too many or too large ones, and all of them after a while", async () => {
  for (let number = 0; number <= 500; number += 1) await ask(`page ${number}`);
  expect(await ask("page 1")).toBe(2);
  expect(await ask("page 0")).toBe(502);
  for (const large of ["a", "b", "c"]) await ask(large, "10:10:", OWNER, 6 * 1024 * 1024);
  expect(await ask("a")).toBe(506);
  expect(await ask("c")).toBe(505);
  vi.advanceTimersByTime(2_000);
  expect(await ask("c")).toBe(507);
});
