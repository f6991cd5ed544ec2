import type { UnlockRecord } from "@innkey/shared/schemas/access/unlocks";
import { expect, it } from "vitest";
import { type RecordPages, withNewest } from "./newest-page.ts";

const record = (id: number): UnlockRecord => ({
  id: String(id),
  at: "2026-11-18T14:00:00.000Z",
  style: "card",
  success: true,
  reason: "",
  content: "",
  source: "lock",
  operatorName: null,
  guestName: null,
  stayGuestId: null,
  holder: null,
  spareCard: null,
  roomId: 1,
  roomName: "101",
  openingReason: null,
  openingNote: "",
});
const page = (...ids: number[]) => ({ records: ids.map(record), nextCursor: `after ${ids.at(-1)}` });
const list = (...pages: number[][]): RecordPages => ({
  pages: pages.map((ids) => page(...ids)),
  pageParams: pages.map((_, index) => (index === 0 ? undefined : `page ${index}`)),
});
const idsOf = ({ pages }: RecordPages) => pages.map(({ records }) => records.map(({ id }) => Number(id)));

it("puts new records above those already read, and keeps the cursor for older ones", () => {
  const next = withNewest(list([5, 4, 3], [2, 1]), page(7, 6, 5));
  expect(idsOf(next)).toEqual([
    [7, 6, 5, 4, 3],
    [2, 1],
  ]);
  expect(next.pages.at(-1)?.nextCursor).toBe("after 1");
  expect(next.pageParams).toEqual([undefined, "page 1"]);
});

it("inserts a late record at its place", () => {
  expect(idsOf(withNewest(list([5, 3, 2], [1]), page(5, 4, 3)))).toEqual([[5, 4, 3, 2], [1]]);
});

it("shows no record twice", () => {
  const next = withNewest(list([6, 5], [4, 3], [2, 1]), page(6, 5, 4));
  expect(idsOf(next)).toEqual([[6, 5, 4], [3], [2, 1]]);
});

it("is the newest page if only one page was read", () => {
  const next = withNewest(list([3, 2, 1]), page(5, 4, 3));
  expect(next).toEqual({ pages: [page(5, 4, 3)], pageParams: [undefined] });
});

it("starts over if records are missing in between or it has grown too long", () => {
  const newest = page(90, 89);
  expect(withNewest(list([3, 2], [1]), newest).pages).toEqual([newest]);
  const long = Array.from({ length: 1000 }, (_, index) => 88 - index);
  expect(withNewest(list([90, 89], long), newest).pages).toEqual([newest]);
});
