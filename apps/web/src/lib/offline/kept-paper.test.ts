import { paperRow } from "@innkey/shared/schemas/overview/outage";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { forgetKeptPaper } from "./forget-kept-paper.ts";
import { keepPaper, readKeptPaper } from "./kept-paper.ts";

const ME = { hotelId: 1, operatorId: 2 };
const ROW = {
  id: "a",
  row: paperRow.parse({ act: "check_out", roomId: 3, at: "2026-11-18T10:00:00Z" }),
  stayId: null,
};
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

it("keeps rows for the person and hotel that entered them, and removes them for anybody else", () => {
  keepPaper(ME, [ROW]);
  expect(readKeptPaper(ME)).toEqual([ROW]);
  expect(readKeptPaper({ ...ME, operatorId: 5 })).toEqual([]);
  expect(stored.size).toBe(0);
});

it("removes rows after three days, rows that it can't read, and all of them when nothing is left", () => {
  keepPaper(ME, [ROW]);
  expect(readKeptPaper(ME, Date.now() + 4 * 86_400_000)).toEqual([]);
  stored.set("paperRows", "{}");
  expect(readKeptPaper(ME)).toEqual([]);
  keepPaper(ME, [ROW]);
  keepPaper(ME, []);
  expect(stored.size).toBe(0);
  keepPaper(ME, [ROW]);
  forgetKeptPaper();
  expect(stored.size).toBe(0);
});
