import type { Board, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { describe, expect, it } from "vitest";
import { viewBoard } from "./board-view.ts";

const NOW = Date.parse("2026-11-18T12:00:00.000Z");
const clock = { now: NOW, endOfToday: Date.parse("2026-11-18T23:00:00.000Z") };
const collator = new Intl.Collator("en", { numeric: true });

const room = (id: number, name: string, fields: Partial<BoardRoom> = {}): BoardRoom => ({
  ...{ id, name, remarkName: "", groupId: null, floor: 0, sort: 0 },
  status: "vacant",
  condition: "clean",
  ...{
    pictureUrl: null,
    usualMinor: null,
    lock: null,
    current: null,
    next: null,
    maintenance: null,
    cardsToRewrite: 0,
  },
  ...fields,
});
const stay = (guestName: string, startsAt: string, endsAt: string): BoardRoom["current"] => ({
  ...{ stayId: 1, stayGuestId: 1, guestCount: 1, breakfast: false },
  unit: "day",
  ...{ guestName, startsAt, endsAt },
});
const board = (rooms: BoardRoom[], groups: Board["groups"] = []): Board => ({
  version: "1",
  changesAt: null,
  groups,
  rooms,
});
const names = (of: Board, search: Parameters<typeof viewBoard>[1]): string[] =>
  viewBoard(of, search, clock, collator).rooms.map(({ name }) => name);

describe("the board's order", () => {
  const hotel = board(
    [
      room(1, "10", { sort: 2, groupId: 7 }),
      room(2, "9", { sort: 3, groupId: 8 }),
      room(3, "Attic", { sort: 1, groupId: 7 }),
    ],
    [
      { id: 7, name: "North", sort: 2 },
      { id: 8, name: "South", sort: 1 },
    ],
  );

  it("is by group, ascending or descending by name, or by the rooms' own order in either direction", () => {
    expect(names(hotel, {})).toEqual(["9", "Attic", "10"]);
    expect(names(hotel, { sort: "az" })).toEqual(["9", "10", "Attic"]);
    expect(names(hotel, { sort: "za" })).toEqual(["Attic", "10", "9"]);
    expect(names(hotel, { sort: "order" })).toEqual(["Attic", "10", "9"]);
    expect(names(hotel, { sort: "reverse" })).toEqual(["9", "10", "Attic"]);
  });

  it("lists groups in their own order, each with its rooms", () => {
    const { sections } = viewBoard(hotel, {}, clock, collator);
    expect(sections.map((section) => [section.name, section.rooms.length])).toEqual([
      ["South", 1],
      ["North", 2],
    ]);
  });
});

it("lists who comes and who goes by time, without groups", () => {
  const expected = (id: number, name: string, at: string) =>
    room(id, name, { groupId: id, next: stay("Ann", at, "2026-11-20T10:00:00Z") });
  const hotel = board(
    [
      expected(1, "101", "2026-11-18T18:00:00Z"),
      expected(2, "102", "2026-11-18T14:00:00Z"),
      room(3, "103", { current: stay("Ben", "2026-11-17T14:00:00Z", "2026-11-18T16:00:00Z") }),
      room(4, "104", { current: stay("Cleo", "2026-11-17T14:00:00Z", "2026-11-18T10:00:00Z") }),
    ],
    [
      { id: 1, name: "North", sort: 1 },
      { id: 2, name: "South", sort: 2 },
    ],
  );
  expect(names(hotel, { status: "arriving" })).toEqual(["102", "101"]);
  expect(names(hotel, { status: "leaving" })).toEqual(["104", "103"]);
  expect(names(hotel, { status: "arriving", sort: "az" })).toEqual(["101", "102"]);
  expect(viewBoard(hotel, { status: "arriving" }, clock, collator).sections).toHaveLength(1);
});

describe("the board is filtered", () => {
  const hotel = board(
    [
      room(1, "101", { status: "checked_in", current: stay("Zoë", "2026-11-17T14:00:00Z", "2026-11-18T10:00:00Z") }),
      room(2, "102", { status: "reserved", next: stay("Ben", "2026-11-18T14:00:00Z", "2026-11-20T10:00:00Z") }),
      room(3, "103", { status: "dirty", groupId: 7 }),
      room(4, "104", { status: "maintenance", remarkName: "Sea view" }),
      room(5, "105"),
    ],
    [{ id: 7, name: "North", sort: 1 }],
  );

  it("by status and by today's tasks", () => {
    const roomByStatus = {
      vacant: "105",
      reserved: "102",
      checked_in: "101",
      dirty: "103",
      maintenance: "104",
    } as const;
    for (const [status, name] of Object.entries(roomByStatus))
      expect(names(hotel, { status: status as keyof typeof roomByStatus }), status).toEqual([name]);
    expect(names(hotel, { status: "overdue" })).toEqual(["101"]);
    expect(names(hotel, { status: "leaving" })).toEqual(["101"]);
    expect(names(hotel, { status: "arriving" })).toEqual(["102"]);
  });

  it("by group, and by room, remark or guest, ignoring accents", () => {
    expect(names(hotel, { group: 7 })).toEqual(["103"]);
    expect(names(hotel, { q: "zoe" })).toEqual(["101"]);
    expect(names(hotel, { q: "ben 102" })).toEqual(["102"]);
    expect(names(hotel, { q: "sea" })).toEqual(["104"]);
    expect(names(hotel, { q: "nobody" })).toEqual([]);
    expect(viewBoard(hotel, { q: "10", status: "dirty" }, clock, collator)).toMatchObject({
      matching: 5,
      counts: { dirty: 1, vacant: 1, overdue: 1 },
    });
  });
});
