import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createDeskWithGuest } from "../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import * as stays from "../desk/public.ts";
import { setStatus } from "../desk/set-room-status.ts";
import { today } from "./today.queries.ts";

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
  for (const name of ["101", "102", "103", "104", "105"]) rooms.push(await hotel.createRoom(name));
});

const hours = (count: number): string => new Date(world.clock.now().getTime() + count * HOUR_MS).toISOString();
const booking = (room: number, from: number, to: number, names: string[], documentNumber = "") => ({
  roomId: rooms[room],
  unit: "day",
  startsAt: hours(from),
  endsAt: hours(to),
  guests: names.map((name) => ({ name, documentNumber })),
});
const arrive = (room: number, to: number, names: string[], documentNumber = "", paid = false) =>
  stays.checkIn(
    owner,
    checkInInput.parse({ ...booking(room, 0, to, names, documentNumber), channel: paid ? "cash" : null }),
  );
const reserve = (room: number, from: number, to: number, name: string) =>
  stays.reserve(owner, reserveInput.parse(booking(room, from, to, [name])));

it("lists who still arrives today and who is in the house, by time", async () => {
  await arrive(0, 44, ["Ann", "Abe"], "X1", true);
  await arrive(1, 6, ["Ben"]);
  await reserve(2, 5, 45, "Cleo");
  await reserve(3, 3, 45, "Dora");
  await reserve(4, 30, 45, "Tomorrow");
  const list = await today(owner);
  expect(list.map(({ guestName }) => guestName)).toEqual(["Dora", "Cleo", "Ben", "Ann"]);
  expect(list[1]).toMatchObject({
    state: "reserved",
    roomName: "103",
    startsAt: hours(5),
    room: "ready",
    documentsMissing: 1,
  });
  expect(list[2]).toMatchObject({ state: "checked_in", owedMinor: 10_000, guestCount: 1, room: null, key: "no_lock" });
  expect(list[3]).toMatchObject({ owedMinor: 0, guestCount: 2, documentsMissing: 0 });
  // Somebody who didn't come by midnight is still expected.
  world.clock.advance(12 * HOUR_MS);
  expect((await today(owner)).map(({ guestName }) => guestName)).toEqual(["Dora", "Cleo", "Ben", "Tomorrow", "Ann"]);
});

it("says of an arrival's room whether it can be moved into", async () => {
  await arrive(0, 2, ["Ann"]);
  await reserve(0, 4, 45, "After Ann");
  await reserve(1, 4, 45, "Dirty");
  await setStatus(owner, { roomIds: [rooms[1] ?? 0], status: "dirty", until: null, note: "" });
  await reserve(2, 8, 45, "Closed");
  await setStatus(owner, { roomIds: [rooms[2] ?? 0], status: "maintenance", until: hours(6), note: "" });
  const readiness = Object.fromEntries((await today(owner)).map(({ guestName, room }) => [guestName, room]));
  expect(readiness).toEqual({ Ann: null, "After Ann": "occupied", Dirty: "dirty", Closed: "maintenance" });
});

it("shows staff only their rooms, and money and keys only to those who may see them", async () => {
  await arrive(0, 6, ["Ann"]);
  await arrive(1, 6, ["Ben"]);
  const clerk = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [rooms[1] ?? 0] });
  expect(await today(clerk)).toMatchObject([{ guestName: "Ben", owedMinor: null, key: null }]);
  const stranger = await (await world.createHotel()).scope();
  expect(await today(stranger)).toEqual([]);
  const keeper = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: rooms });
  await expect(today(keeper)).rejects.toMatchObject({ code: "no_permission" });
});

it("says whether the party has a key, and whether one must be written again", async () => {
  const { desk, stayId } = await createDeskWithGuest(world);
  const key = async () => (await today(desk.owner)).find((stay) => stay.stayId === stayId)?.key;
  expect(await key()).toBe("none");
  await desk.issue(stayId, desk.newUid(), { confirm: true });
  expect(await key()).toBe("written");
  const { endsAt } = await world.database.prisma.stay.findUniqueOrThrow({ where: { id: stayId } });
  const later = new Date(endsAt.getTime() + 24 * HOUR_MS);
  await world.database.prisma.stay.update({ where: { id: stayId }, data: { endsAt: later } });
  expect(await key()).toBe("again");
});
