import { DomainError } from "@innkey/shared/errors";
import type { FreeRoomGroup } from "@innkey/shared/schemas/stays/availability";
import { changeRoomInput, checkInInput, renewInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import { previewChange } from "./change-preview.ts";
import { findRooms, findRoomsForStay } from "./free-rooms.ts";
import * as desk from "./public.ts";

// Wednesday 2026-11-18, 15:00 in Berlin. Friday and Saturday nights cost 150, the others 100.
const NOW = "2026-11-18T14:00:00.000Z";
const noon = (day: number): string => `2026-11-${day}T11:00:00.000Z`;
const three = (day: number): string => `2026-11-${day}T14:00:00.000Z`;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let rooms: Record<"single" | "double" | "suite", number>;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  const double = await world.database.prisma.roomGroup.create({ data: { hotelId: hotel.id, name: "Double", sort: 1 } });
  rooms = {
    single: await hotel.createRoom("1"),
    double: await hotel.createRoom("2"),
    suite: await hotel.createRoom("3", { usualMinor: 30_000, weekendMinor: 40_000 }),
  };
  const where = { id: { in: [rooms.double, rooms.suite] } };
  await world.database.prisma.room.updateMany({ where, data: { groupId: double.id } });
});

const party = (roomId: number, startsAt: string, endsAt: string) => ({
  ...{ roomId, unit: "day", startsAt, endsAt },
  guests: [{ name: `Guest ${++serial}` }],
});
const reserve = (roomId: number, startsAt = three(20), endsAt = noon(22)) =>
  desk.reserve(owner, reserveInput.parse(party(roomId, startsAt, endsAt)));
const checkIn = (roomId: number, endsAt = noon(20)) =>
  desk.checkIn(owner, checkInInput.parse(party(roomId, NOW, endsAt)));
const find = (startsAt: string, endsAt: string, { arrives = false, scope = owner } = {}) =>
  findRooms(scope, { unit: "day", startsAt, endsAt, arrives });
const namesOf = ({ groups }: { groups: FreeRoomGroup[] }) =>
  groups.flatMap((group) => group.rooms.map(({ name }) => name));
const roomOf = ({ groups }: { groups: FreeRoomGroup[] }, roomId: number) =>
  groups.flatMap((group) => group.rooms).find((room) => room.roomId === roomId);
const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

describe("rooms for some dates", () => {
  it("are listed by group, with the price of the whole stay and until when they are free", async () => {
    await world.database.prisma.room.update({ where: { id: rooms.suite }, data: { condition: "dirty" } });
    await reserve(rooms.suite, three(25), noon(26));
    expect(await find(three(19), noon(21))).toEqual({
      groups: [
        {
          ...{ groupId: expect.any(Number), name: "Double", roomCount: 2 },
          rooms: [
            { roomId: rooms.double, name: "2", remarkName: "", dirty: false, priceMinor: 25_000, freeUntil: null },
            { roomId: rooms.suite, name: "3", remarkName: "", dirty: true, priceMinor: 70_000, freeUntil: three(25) },
          ],
        },
        {
          ...{ groupId: null, name: "", roomCount: 1 },
          rooms: [
            { roomId: rooms.single, name: "1", remarkName: "", dirty: false, priceMinor: 25_000, freeUntil: null },
          ],
        },
      ],
      ownRoomFree: null,
    });
  });

  it("are exactly those that can be booked: touching stays don't count, overlaps and maintenance do", async () => {
    await reserve(rooms.single, three(20), noon(22));
    await world.database.prisma.occupancy.create({
      data: { hotelId: hotel.id, roomId: rooms.suite, kind: "maintenance", state: "held", startsAt: three(21) },
    });
    for (const [startsAt, endsAt, names] of [
      [three(18), noon(20), ["2", "3", "1"]],
      [three(19), noon(21), ["2", "3"]],
      [three(21), noon(23), ["2"]],
      [noon(22), noon(24), ["2", "1"]],
    ] as const) {
      expect(namesOf(await find(startsAt, endsAt))).toEqual(names);
      for (const [name, roomId] of [
        ["1", rooms.single],
        ["2", rooms.double],
        ["3", rooms.suite],
      ] as const) {
        const refused = await codeOf(
          owner.write(async (tx) => {
            const data = { hotelId: hotel.id, roomId, kind: "maintenance", state: "held", startsAt, endsAt } as const;
            await tx.db.occupancy.create({ data });
            throw new DomainError("unavailable");
          }),
        );
        expect(refused).toBe((names as readonly string[]).includes(name) ? "unavailable" : "room_taken");
      }
    }
  });

  it("leave out an overstayed room for a party that arrives now, and offer it for later", async () => {
    await checkIn(rooms.double, noon(19));
    world.clock.set(three(19));
    expect(namesOf(await find(three(19), noon(20), { arrives: true }))).toEqual(["3", "1"]);
    expect(namesOf(await find(three(20), noon(21)))).toEqual(["2", "3", "1"]);
  });

  it("are offered without a price if they have none for the unit", async () => {
    const priceless = await hotel.createRoom("9", null);
    expect(roomOf(await find(three(19), noon(20)), priceless)).toMatchObject({ priceMinor: null });
  });

  it("are those that the caller may see, and need the right to see stays", async () => {
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [rooms.suite] });
    const { groups } = await find(three(19), noon(20), { scope: clerk });
    expect(groups).toMatchObject([{ name: "Double", roomCount: 1, rooms: [{ name: "3" }] }]);
    const stranger = await (await world.createHotel()).scope();
    expect(await find(three(19), noon(20), { scope: stranger })).toEqual({ groups: [], ownRoomFree: null });
    expect(await codeOf(find(three(19), noon(20), { scope: await hotel.scope("staff") }))).toBe("no_permission");
  });
});

describe("other rooms for a stay", () => {
  it("cost what moving the reservation there costs, for its own and for other days", async () => {
    const { stayId } = await reserve(rooms.double);
    for (const period of [{}, { endsAt: noon(23) }, { startsAt: three(25), endsAt: noon(26) }]) {
      const target = { stayId, startsAt: three(20), endsAt: noon(22), ...period };
      const offered = roomOf(await findRoomsForStay(owner, { arrives: false, stayId, ...period }), rooms.suite);
      const preview = await previewChange(owner, { ...target, roomId: rooms.suite });
      expect(preview).toMatchObject({ refusal: null, differenceMinor: offered?.priceMinor });
    }
    expect(namesOf(await findRoomsForStay(owner, { arrives: false, stayId }))).toEqual(["3", "1"]);
  });

  it("cost what a room change now and a longer stay there cost together", async () => {
    const { stayId } = await checkIn(rooms.double);
    await reserve(rooms.double, three(20), noon(24));
    const endsAt = noon(22);
    expect(await codeOf(desk.renew(owner, renewInput.parse({ stayId, endsAt })))).toBe("room_taken");
    const later = await findRoomsForStay(owner, { arrives: false, stayId, endsAt });
    expect(later.ownRoomFree).toBe(false);
    expect((await findRoomsForStay(owner, { arrives: false, stayId })).ownRoomFree).toBe(true);
    const offered = roomOf(later, rooms.suite);
    const moved = await desk.changeRoom(owner, changeRoomInput.parse({ stayId, roomId: rooms.suite }));
    const renewed = await desk.renew(owner, renewInput.parse({ stayId, endsAt }));
    expect(moved.differenceMinor + renewed.totalMinor).toBe(offered?.priceMinor);
  });

  it("aren't offered to a party past its departure, nor for a stay that is over", async () => {
    const { stayId } = await checkIn(rooms.double, noon(19));
    world.clock.set(three(19));
    expect(await findRoomsForStay(owner, { arrives: false, stayId, endsAt: noon(20) })).toEqual({
      groups: [],
      ownRoomFree: null,
    });
    const reserved = await reserve(rooms.suite);
    await desk.cancelReservation(owner, { stayId: reserved.stayId });
    expect(await codeOf(findRoomsForStay(owner, { arrives: false, stayId: reserved.stayId }))).toBe("state_conflict");
  });

  it("are found only for stays that the caller can see", async () => {
    const { stayId } = await reserve(rooms.double);
    const stranger = await (await world.createHotel()).scope();
    expect(await codeOf(findRoomsForStay(stranger, { arrives: false, stayId }))).toBe("not_found");
    const clerk = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [rooms.suite] });
    expect(await codeOf(findRoomsForStay(clerk, { arrives: false, stayId }))).toBe("not_found");
  });
});
