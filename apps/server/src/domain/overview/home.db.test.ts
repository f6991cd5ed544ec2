import { checkInInput, checkOutInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import * as stays from "../desk/public.ts";
import { setStatus } from "../desk/set-room-status.ts";
import { confirmBookingOf } from "../stays/guest-links/guest-links.service.ts";
import { BoardReader } from "./board.queries.ts";
import * as home from "./home.queries.ts";

// Wednesday 2026-11-18, 15:00 in Berlin.
const NOW = "2026-11-18T14:00:00.000Z";
const HOUR_MS = 3_600_000;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let rooms: number[];

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  rooms = [];
  for (const name of ["101", "102", "103", "104"]) rooms.push(await hotel.createRoom(name));
});

const overview = (scope: Scope) => home.overview(scope, new BoardReader(), "1", true);
const hours = (count: number): string => new Date(world.clock.now().getTime() + count * HOUR_MS).toISOString();
const party = (room: number, from: number, to: number, name: string) => ({
  roomId: rooms[room],
  unit: "day",
  startsAt: hours(from),
  endsAt: hours(to),
  guests: [{ name }],
});
const arrive = (room: number, to: number, name: string, paid = false) =>
  stays.checkIn(owner, checkInInput.parse({ ...party(room, 0, to, name), channel: paid ? "cash" : null }));
const reserve = (room: number, from: number, to: number, name: string) =>
  stays.reserve(owner, reserveInput.parse(party(room, from, to, name)));

it("shows today's arrivals and departures, what is owed, and the occupancy by night", async () => {
  await arrive(0, 20, "Ann", true);
  await arrive(1, 6, "Ben");
  await reserve(2, 3, 45, "Cleo");
  await reserve(3, 48, 96, "Dora");
  const today = await overview(owner);
  expect(today).toMatchObject({
    date: "2026-11-18",
    rooms: { checked_in: 2, reserved: 1, vacant: 1, dirty: 0, maintenance: 0 },
    arrivals: { done: 2, left: 1, rows: [{ guestName: "Cleo", roomName: "103", at: hours(3) }] },
    departures: { done: 0, left: 1, rows: [{ guestName: "Ben", roomName: "102", at: hours(6) }] },
    overdue: 0,
    unpaid: { stays: 1, owedMinor: 10_000 },
    unread: 0,
    locks: { all: 0, risk: 0 },
  });
  expect(today.nights.slice(0, 4)).toEqual([
    { date: "2026-11-18", taken: 2, rooms: 4 },
    { date: "2026-11-19", taken: 1, rooms: 4 },
    { date: "2026-11-20", taken: 1, rooms: 4 },
    { date: "2026-11-21", taken: 1, rooms: 4 },
  ]);
  const charged = 10_000 + 10_000 + 20_000 + 2 * 15_000;
  expect(today.revenue?.at(-1)).toEqual({ date: "2026-11-18", minor: charged, returnedMinor: 0 });
  expect(today.traffic?.buckets).toHaveLength(24);
});

it("counts overdue stays, and no room under maintenance as available", async () => {
  const { stayId } = await arrive(0, 6, "Ann");
  await setStatus(owner, { roomIds: [rooms[1] ?? 0], status: "maintenance", until: hours(30), note: "" });
  world.clock.advance(8 * HOUR_MS);
  const late = await overview(owner);
  expect(late).toMatchObject({ overdue: 1, departures: { left: 1 }, rooms: { maintenance: 1 } });
  expect(late.nights.map((night) => night.rooms).slice(0, 2)).toEqual([3, 4]);
  await stays.checkOut(owner, checkOutInput.parse({ stayId, channel: null, confirmUnpaid: true }));
  expect(await overview(owner)).toMatchObject({ overdue: 0, departures: { done: 1, left: 0, rows: [] } });
});

it("shows staff only their rooms, and only what they can see", async () => {
  await arrive(0, 6, "Ann");
  await arrive(1, 6, "Ben");
  const clerk = await hotel.scope("staff", { capabilities: ["rooms.view", "stays.view"], roomIds: [rooms[1] ?? 0] });
  const today = await overview(clerk);
  expect(today).toMatchObject({ rooms: { checked_in: 1, vacant: 0 }, arrivals: { done: 1 }, departures: { left: 1 } });
  expect(today).toMatchObject({ unpaid: null, revenue: null, traffic: null, locks: null, unread: null });
  expect(JSON.stringify(today)).not.toContain("Ann");
  const porter = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: rooms });
  expect(await overview(porter)).toMatchObject({ arrivals: null, departures: null, overdue: null });
  const nobody = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: rooms });
  await expect(overview(nobody)).rejects.toMatchObject({ code: "no_permission" });
});

it("shows who may give out door codes how many reservations wait to be confirmed, and the next of them", async () => {
  const roomIds = rooms.slice(0, 3);
  const clerk = await hotel.scope("staff", { capabilities: ["rooms.view", "stays.view", "stays.manage"], roomIds });
  const reserveAs = (scope: Scope, room: number, from: number, to: number, name: string) =>
    stays.reserve(scope, reserveInput.parse(party(room, from, to, name)));
  await reserveAs(clerk, 1, 48, 70, "Ben");
  const next = await reserveAs(clerk, 0, 24, 46, "Ann");
  await reserveAs(owner, 2, 3, 20, "Cleo");
  const unconfirmed = async (scope = owner) => (await overview(scope)).unconfirmed;
  // Guests of this hotel can do nothing on their pages that the confirmation is for.
  expect(await unconfirmed()).toBeNull();
  await world.database.prisma.hotel.update({ where: { id: hotel.id }, data: { guestChecksIn: true } });
  const ann = { stayGuestId: next.stayGuestId, guestName: "Ann", roomName: "101", startsAt: hours(24) };
  expect(await unconfirmed()).toEqual({ count: 2, ...ann });
  expect((await home.overview(owner, new BoardReader(), "1", false)).unconfirmed).toBeNull();
  expect(await unconfirmed(clerk)).toBeNull();
  const capabilities = ["rooms.view" as const, "stays.view" as const, "passcodes.issue" as const];
  const porter = await hotel.scope("staff", { capabilities, roomIds: [rooms[1] ?? 0] });
  expect(await unconfirmed(porter)).toMatchObject({ count: 1, guestName: "Ben" });
  await confirmBookingOf(owner, { stayGuestId: next.stayGuestId, contacts: { mobile: "", email: "" } });
  expect(await unconfirmed()).toMatchObject({ count: 1, guestName: "Ben" });
  world.clock.advance(71 * HOUR_MS);
  expect(await unconfirmed()).toBeNull();
});

it("counts a lock as unreachable only after it was configured, like the list of locks", async () => {
  const set = { configuredAt: world.clock.now() };
  const kinds = [{}, { online: true }, { ...set, online: true }, set, { ...set, driver: "ttlock" as const }];
  for (const [index, kind] of kinds.entries()) {
    const mac = `A4:C1:38:00:00:0${index}`;
    await world.database.prisma.lock.create({
      data: { hotelId: hotel.id, mac, roomId: rooms[index] ?? null, ...kind },
    });
  }
  expect((await overview(owner)).locks).toMatchObject({ all: 5, offline: 1, notSetUp: 2 });
});
