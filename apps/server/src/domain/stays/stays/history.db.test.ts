import { historyInput } from "@innkey/shared/schemas/stays/history";
import { changeRoomInput, checkInInput, checkOutInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { history } from "../../overview/stays.queries.ts";

const DAY_MS = 86_400_000;
let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;

beforeAll(async () => {
  world = await createTestWorld("2026-11-10T10:00:00.000Z");
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-10T10:00:00.000Z");
  hotel = await world.createHotel();
  owner = await hotel.scope();
});

async function checkIn(room: string, names: string[], scope = owner) {
  const roomId = await hotel.createRoom(room);
  const [startsAt, endsAt] = [0, 3].map((days) => new Date(owner.now().getTime() + days * DAY_MS).toISOString());
  const guests = names.map((name) => ({ name }));
  const input = checkInInput.parse({ roomId, unit: "day", startsAt, endsAt, guests, channel: "cash" });
  return { roomId, ...(await stays.checkIn(scope, input)) };
}
const checkOut = (stayId: number, scope = owner) =>
  stays.checkOut(scope, checkOutInput.parse({ stayId, confirmUnpaid: true }));
const ask = (input: z.input<typeof historyInput> = {}, scope = owner) => history(scope, historyInput.parse(input));
const names = async (input: z.input<typeof historyInput> = {}) =>
  (await ask(input)).rows.map(({ guestName }) => guestName);

describe("the check-in history", () => {
  it("shows arrivals and departures with room, time and operator, and no reservations", async () => {
    const clerk = await hotel.scope("administrator");
    const { stayId, stayGuestId } = await checkIn("101", ["Ada", "Bo"], clerk);
    const moved = await hotel.createRoom("205");
    await stays.changeRoom(owner, changeRoomInput.parse({ stayId, roomId: moved }));
    const checkedInAt = owner.now().toISOString();
    expect((await ask()).rows).toEqual([
      {
        ...{ stayId, stayGuestId, guestName: "Ada", otherGuests: 1, rooms: ["101", "205"], checkedInAt },
        ...{ checkedOutAt: null, checkedInBy: clerk.actor.name, checkedOutBy: null },
        ...{ checkedInByGuest: false, checkedOutByGuest: false },
      },
    ]);
    world.clock.advance(DAY_MS);
    await checkOut(stayId);
    const period = { startsAt: "2026-12-01T14:00:00.000Z", endsAt: "2026-12-02T10:00:00.000Z" };
    const roomId = await hotel.createRoom("9");
    await stays.reserve(owner, checkInInput.parse({ roomId, unit: "day", guests: [{ name: "Cy" }], ...period }));
    expect((await ask()).rows).toMatchObject([
      { checkedInBy: clerk.actor.name, checkedOutAt: owner.now().toISOString(), checkedOutBy: owner.actor.name },
    ]);
  });

  it("names who booked a stay where the audit log has no entry", async () => {
    const { stayId } = await checkIn("101", ["Ada"]);
    const { prisma } = world.database;
    const old = await prisma.stay.findUniqueOrThrow({ where: { id: stayId } });
    const { id: _id, ...fields } = old;
    const times = { checkedInAt: owner.now(), checkedOutAt: owner.now(), state: "checked_out" as const };
    const copy = await prisma.stay.create({ data: { ...fields, ...times } });
    const guest = await prisma.guest.create({ data: { hotelId: hotel.id, name: "Old" } });
    await prisma.stayGuest.create({
      data: { hotelId: hotel.id, stayId: copy.id, guestId: guest.id, primary: true },
    });
    const where = { hotelId: hotel.id, stayId };
    const { id: _occupancy, ...room } = await prisma.occupancy.findFirstOrThrow({ where });
    await prisma.occupancy.create({ data: { ...room, stayId: copy.id, state: "ended" } });
    expect((await ask({ keyword: "old" })).rows).toMatchObject([{ checkedInBy: owner.actor.name, checkedOutBy: null }]);
  });

  it("is filtered by period, room and name, and paged", async () => {
    const ada = await checkIn("101", ["Ada"]);
    world.clock.advance(DAY_MS);
    await checkIn("102", ["Bo", "Zoë 100%"]);
    world.clock.advance(DAY_MS);
    await checkOut(ada.stayId);
    await checkIn("103", ["Cy"]);
    expect(await names()).toEqual(["Cy", "Bo", "Ada"]);
    expect(await names({ keyword: "100%" })).toEqual(["Bo"]);
    expect(await names({ keyword: "103" })).toEqual(["Cy"]);
    expect(await names({ keyword: "%" })).toEqual([]);
    expect(await names({ roomId: ada.roomId })).toEqual(["Ada"]);
    const [first, second, third] = [10, 11, 12].map((day) => `2026-11-${day}T00:00:00Z`);
    expect(await names({ from: first, to: second })).toEqual(["Ada"]);
    expect(await names({ from: second, to: third })).toEqual(["Bo"]);
    expect(await names({ from: third })).toEqual(["Cy", "Ada"]);
    expect(await names({ to: second })).toEqual(["Ada"]);
    const page = await ask({ limit: 2 });
    expect(page.rows.map(({ guestName }) => guestName)).toEqual(["Cy", "Bo"]);
    const rest = await ask({ limit: 2, cursor: page.nextCursor ?? undefined });
    expect(rest).toMatchObject({ rows: [{ guestName: "Ada" }], nextCursor: null });
    await expect(ask({ cursor: "x" })).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("is limited to the caller's hotel and rooms", async () => {
    const { roomId } = await checkIn("101", ["Ada"]);
    await checkIn("102", ["Bo"]);
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [roomId] });
    expect((await ask({}, clerk)).rows.map(({ guestName }) => guestName)).toEqual(["Ada"]);
    expect((await ask({}, await (await world.createHotel()).scope())).rows).toEqual([]);
    await expect(ask({}, await hotel.scope("staff"))).rejects.toMatchObject({ code: "no_permission" });
  });
});
