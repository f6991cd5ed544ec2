import { DomainError } from "@innkey/shared/errors";
import { addFigures } from "@innkey/shared/occupancy";
import { occupancyInput } from "@innkey/shared/schemas/overview/occupancy";
import { checkInInput, checkOutInput, noShowInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import * as desk from "../desk/public.ts";
import { BoardReader } from "./board.queries.ts";
import { overview } from "./home.queries.ts";
import { occupancy } from "./occupancy.queries.ts";

// Wednesday 2026-11-18, 15:00 in Berlin. Friday and Saturday nights cost 150, the others 100.
const NOW = "2026-11-18T14:00:00.000Z";
const noon = (day: number): string => `2026-11-${day}T11:00:00.000Z`;
const three = (day: number): string => `2026-11-${day}T14:00:00.000Z`;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let rooms: number[];
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  rooms = [];
  for (const name of ["1", "2", "3", "4"]) rooms.push(await hotel.createRoom(name));
  const createdAt = new Date("2026-11-01T00:00:00.000Z");
  await world.database.prisma.room.updateMany({ where: { hotelId: hotel.id }, data: { createdAt } });
});

const party = (at: number, startsAt: string, endsAt: string) => ({
  ...{ roomId: rooms[at], unit: "day", startsAt, endsAt, guests: [{ name: `Guest ${++serial}` }] },
});
const reserve = async (at: number, from: number, to: number): Promise<number> =>
  (await desk.reserve(owner, reserveInput.parse(party(at, three(from), noon(to))))).stayId;
const checkIn = async (at: number, to: number): Promise<number> =>
  (await desk.checkIn(owner, checkInInput.parse({ ...party(at, NOW, noon(to)), depositMinor: 0 }))).stayId;
const read = async (input: object, scope = owner) => (await occupancy(scope, occupancyInput.parse(input))).rows;

it("counts the rooms sold and to let, and spreads what they cost over their nights", async () => {
  await checkIn(0, 21);
  await reserve(1, 19, 20);
  await world.database.prisma.occupancy.create({
    data: { hotelId: hotel.id, roomId: rooms[3] ?? 0, kind: "maintenance", state: "held", startsAt: three(19) },
  });
  expect(await read({ from: "2026-11-17", to: "2026-11-21" })).toEqual([
    { from: "2026-11-17", to: "2026-11-17", rooms: 4, sold: 0, revenueMinor: 0 },
    { from: "2026-11-18", to: "2026-11-18", rooms: 4, sold: 1, revenueMinor: 10_000 },
    { from: "2026-11-19", to: "2026-11-19", rooms: 3, sold: 2, revenueMinor: 20_000 },
    { from: "2026-11-20", to: "2026-11-20", rooms: 3, sold: 1, revenueMinor: 15_000 },
    { from: "2026-11-21", to: "2026-11-21", rooms: 3, sold: 0, revenueMinor: 0 },
  ]);
});

it("adds up to the same by week and by month, and shows the current month without dates", async () => {
  await checkIn(0, 27);
  await reserve(1, 29, 30);
  const days = await read({});
  expect(days).toHaveLength(30);
  for (const by of ["week", "month"]) expect(addFigures(await read({ by }))).toEqual(addFigures(days));
  expect((await read({ by: "week" })).map(({ from }) => from)).toEqual([
    "2026-11-01",
    "2026-11-02",
    "2026-11-09",
    "2026-11-16",
    "2026-11-23",
    "2026-11-30",
  ]);
});

it("agrees with the nights of the home page", async () => {
  await checkIn(0, 20);
  await reserve(1, 18, 22);
  await reserve(2, 25, 28);
  const { nights } = await overview(owner, new BoardReader(), "1", true);
  const rows = await read({ from: nights[0]?.date, to: nights.at(-1)?.date });
  expect(rows.map(({ from, rooms, sold }) => ({ date: from, rooms, taken: sold }))).toEqual(
    nights.map(({ date, rooms, taken }) => ({ date, rooms, taken })),
  );
});

it("counts neither cancelled reservations nor guests who didn't come, but what they still paid", async () => {
  await desk.cancelReservation(owner, { stayId: await reserve(0, 18, 20) });
  await desk.markNoShow(owner, noShowInput.parse({ stayId: await reserve(1, 18, 20), charge: "first_night" }));
  expect(await read({ from: "2026-11-18", to: "2026-11-19" })).toMatchObject([
    { sold: 0, revenueMinor: 5_000 },
    { sold: 0, revenueMinor: 5_000 },
  ]);
});

it("keeps a past night as it was: checked out early, moved, or still in the house", async () => {
  const stayId = await checkIn(0, 22);
  const overdue = await checkIn(1, 19);
  expect(overdue).toBeGreaterThan(0);
  world.clock.set(noon(20));
  await desk.checkOut(owner, checkOutInput.parse({ stayId, confirmUnpaid: true }));
  expect((await read({ from: "2026-11-18", to: "2026-11-21" })).map(({ sold }) => sold)).toEqual([2, 2, 0, 0]);
});

it("shows the caller's rooms and hotel only, needs the permission, and is limited to two years", async () => {
  await checkIn(0, 20);
  await checkIn(1, 20);
  const day = { from: "2026-11-18", to: "2026-11-18" };
  const clerk = await hotel.scope("staff", { capabilities: ["reports.view"], roomIds: [rooms[0] ?? 0] });
  expect(await read(day, clerk)).toMatchObject([{ rooms: 1, sold: 1, revenueMinor: 10_000 }]);
  expect(await read(day, await (await world.createHotel()).scope())).toMatchObject([{ rooms: 0, sold: 0 }]);
  const refused = await read(day, await hotel.scope("staff")).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DomainError);
  expect(occupancyInput.safeParse({ from: "2024-01-01", to: "2026-12-31" }).success).toBe(false);
  expect(occupancyInput.safeParse({ from: "2026-12-31", to: "2026-12-01" }).success).toBe(false);
});
