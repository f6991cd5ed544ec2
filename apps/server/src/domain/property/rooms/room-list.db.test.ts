import { type RoomPage, roomPage, roomPageInput, setStatusInput } from "@innkey/shared/schemas/property/rooms";
import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { setStatus } from "../../desk/set-room-status.ts";
import * as groups from "./groups.service.ts";
import { page, roomKeys } from "./rooms.queries.ts";

// Wednesday 2026-11-18, 15:00 in Berlin.
const NOW = "2026-11-18T14:00:00.000Z";
const TOMORROW = "2026-11-19T10:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
const ids = new Map<string, number>();

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  for (const name of ["10", "9", "Attic 2", "Attic 10"]) ids.set(name, await hotel.createRoom(name));
});

const idOf = (name: string): number => ids.get(name) ?? 0;
const read = async (input: z.input<typeof roomPageInput> = {}, scope = owner): Promise<RoomPage> =>
  roomPage.parse(await page(scope, roomPageInput.parse(input)));
const names = async (input?: z.input<typeof roomPageInput>) => (await read(input)).rows.map(({ name }) => name);
const booking = (name: string, guest: string, startsAt = NOW) => ({
  roomId: idOf(name),
  unit: "day",
  startsAt,
  endsAt: TOMORROW,
  guests: [{ name: guest }],
});
const change = (name: string, data: { sort?: number; groupId?: number; remarkName?: string }) =>
  world.database.prisma.room.update({ where: { id: idOf(name) }, data });

describe("the order of rooms", () => {
  it("by name puts 9 before 10, in both directions", async () => {
    expect(await names({ sort: "az" })).toEqual(["9", "10", "Attic 2", "Attic 10"]);
    expect(await names({ sort: "za" })).toEqual(["Attic 10", "Attic 2", "10", "9"]);
  });

  it("follows the rooms' own order, or the groups' and then the rooms'", async () => {
    const [north, south] = [
      await groups.save(owner, { name: "N", sort: 2 }),
      await groups.save(owner, { name: "S", sort: 1 }),
    ];
    await change("10", { sort: 1, groupId: north.id });
    await change("9", { sort: 2, groupId: north.id });
    await change("Attic 10", { sort: 3, groupId: south.id });
    await change("Attic 2", { sort: 4 });
    expect(await names({ sort: "order" })).toEqual(["10", "9", "Attic 10", "Attic 2"]);
    expect(await names({ sort: "reverse" })).toEqual(["Attic 2", "Attic 10", "9", "10"]);
    expect(await names()).toEqual(["Attic 10", "10", "9", "Attic 2"]);
    expect(await names({ groupId: north.id })).toEqual(["10", "9"]);
  });
});

describe("a page of rooms", () => {
  it("counts all matches by status, whatever status is requested", async () => {
    await stays.checkIn(owner, checkInInput.parse(booking("9", "Ada")));
    await stays.reserve(owner, reserveInput.parse(booking("10", "Bo")));
    await setStatus(owner, setStatusInput.parse({ roomIds: [idOf("Attic 2")], status: "dirty" }));
    await setStatus(owner, setStatusInput.parse({ roomIds: [idOf("Attic 10")], status: "maintenance" }));
    const counts = { vacant: 0, reserved: 1, checked_in: 1, dirty: 1, maintenance: 1 };
    expect(await read({ status: "dirty" })).toMatchObject({
      total: 1,
      counts,
      rows: [{ name: "Attic 2", stay: null }],
    });
    expect(await read({ keyword: "attic" })).toMatchObject({
      total: 2,
      counts: { ...counts, reserved: 0, checked_in: 0 },
    });
    expect(await read({ sort: "az", page: 2, pageSize: 3 })).toMatchObject({ total: 4, rows: [{ name: "Attic 10" }] });
    expect(await read({ page: 9 })).toEqual({ rows: [], total: 4, counts });
  });

  it("shows who is in a room or arrives today, and who is overdue", async () => {
    const inside = await stays.checkIn(owner, checkInInput.parse(booking("9", "Ada")));
    const reservation = await stays.reserve(owner, reserveInput.parse(booking("10", "Bo")));
    await change("Attic 2", { remarkName: "100%_sure" });
    expect(await read({ keyword: "ada" })).toMatchObject({
      rows: [
        {
          stay: {
            stayId: inside.stayId,
            stayGuestId: inside.stayGuestId,
            guestName: "Ada",
            startsAt: NOW,
            endsAt: TOMORROW,
          },
          expired: false,
        },
      ],
    });
    expect(await read({ status: "reserved" })).toMatchObject({ rows: [{ stay: { stayId: reservation.stayId } }] });
    expect(await names({ keyword: "sure 100%" })).toEqual(["Attic 2"]);
    world.clock.set(TOMORROW);
    expect(await read({ keyword: "Ada" })).toMatchObject({ rows: [{ expired: true }] });
  });

  it("is limited to the caller's rooms and hotel", async () => {
    const clerk = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: [idOf("9")] });
    expect(await read({}, clerk)).toMatchObject({ total: 1, rows: [{ name: "9" }], counts: { vacant: 1 } });
    const stranger = await (await world.createHotel()).scope();
    expect(await read({}, stranger)).toMatchObject({ total: 0, rows: [], counts: { vacant: 0 } });
    await expect(read({}, await hotel.scope("staff"))).rejects.toMatchObject({ code: "no_permission" });
  });
});

it("a room without keys has none, and a room that is not the caller's does not exist", async () => {
  expect(await roomKeys(owner, idOf("9"))).toEqual({ cards: 0, passcodes: 0, faces: 0 });
  const clerk = await hotel.scope("staff", { capabilities: ["rooms.view"] });
  await expect(roomKeys(clerk, idOf("9"))).rejects.toMatchObject({ code: "not_found" });
});
