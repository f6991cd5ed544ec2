import { checkInInput, checkOutInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { whoEntered } from "./who-entered.queries.ts";

const NOW = "2026-11-18T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
});
afterAll(() => world.close());

async function door(name: string): Promise<{ roomId: number; lockId: number }> {
  const roomId = await hotel.createRoom(name);
  const mac = `02:00:00:00:02:${String(++serial).padStart(2, "0")}`;
  const lock = await world.database.prisma.lock.create({ data: { hotelId: hotel.id, roomId, mac } });
  return { roomId, lockId: lock.id };
}

const minutes = (count: number): Date => new Date(Date.parse(NOW) + count * 60_000);
const checkIn = (roomId: number, name: string) =>
  stays.checkIn(
    owner,
    checkInInput.parse({ roomId, unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z", guests: [{ name }] }),
  );

async function profileId(): Promise<number> {
  const profile = await world.database.prisma.cardProfile.findFirst({ where: { hotelId: hotel.id } });
  const data = {
    hotelId: hotel.id,
    cipher: "aes" as const,
    sectors: [1],
    block: 4,
    keyType: "A",
    siteCode: 1,
    keysBox: Buffer.alloc(1),
  };
  return (profile ?? (await world.database.prisma.cardProfile.create({ data }))).id;
}

async function card(kind: "guest" | "management", note: string, stayId: number | null): Promise<number> {
  const data = { hotelId: hotel.id, uid: `C${++serial}`, kind, note, state: "active" as const, stayId, sequence: 1 };
  return (
    await world.database.prisma.card.create({ data: { ...data, profileId: await profileId(), validFrom: minutes(0) } })
  ).id;
}

interface Opening {
  minute: number;
  style: "card" | "passcode" | "face" | "remote" | "key" | "inside";
  success?: boolean;
  cardId?: number;
  credentialId?: number;
  operatorId?: number | null;
  stayGuestId?: number;
}

async function report({ roomId, lockId }: { roomId: number; lockId: number }, ...openings: Opening[]): Promise<void> {
  for (const { minute, success = true, ...opening } of openings) {
    await world.database.prisma.unlockRecord.create({
      data: { hotelId: hotel.id, roomId, lockId, lockSeq: ++serial, at: minutes(minute), success, ...opening },
    });
  }
}

describe("who entered a guest's room", () => {
  it("names the party's keys and the staff's, counts refusals, and ends with the stay", async () => {
    const otherDoor = await door("401");
    const { stayId, stayGuestId } = await checkIn(otherDoor.roomId, "Ada");
    const [own, staff, foreign] = [
      await card("guest", "", stayId),
      await card("management", "Housekeeping, Maria", null),
      await card("guest", "", (await checkIn((await door("402")).roomId, "Grace")).stayId),
    ];
    const passcode = await world.database.prisma.passcode.create({
      data: {
        hotelId: hotel.id,
        type: "air",
        codeBox: Buffer.alloc(1),
        person: "Ada's sister",
        roomId: otherDoor.roomId,
        validFrom: minutes(0),
        stayId,
      },
    });
    const credential = await world.database.prisma.credential.create({
      data: {
        hotelId: hotel.id,
        lockId: otherDoor.lockId,
        kind: "passcode",
        passcodeId: passcode.id,
        stayId,
        validFrom: minutes(0),
      },
    });
    await report(
      otherDoor,
      { minute: -5, style: "card", cardId: staff },
      { minute: 1, style: "card", cardId: own, stayGuestId },
      { minute: 2, style: "passcode", credentialId: credential.id, stayGuestId },
      { minute: 3, style: "card", cardId: staff },
      { minute: 4, style: "card", cardId: foreign },
      { minute: 5, style: "remote", operatorId: owner.actor.id },
      { minute: 6, style: "key" },
      { minute: 7, style: "inside" },
      { minute: 8, style: "card", success: false },
      { minute: 9, style: "card" },
      { minute: 400, style: "card", cardId: staff },
    );
    world.clock.set(minutes(60).toISOString());
    await stays.checkOut(owner, checkOutInput.parse({ stayId, confirmUnpaid: true }));
    world.clock.set(minutes(600).toISOString());

    const answer = await whoEntered(owner, stayId);
    expect(answer).toMatchObject({ stayId, stayGuestId, guestName: "Ada" });
    expect(answer.rooms).toHaveLength(1);
    const [room] = answer.rooms;
    expect(room).toMatchObject({
      roomName: "401",
      refused: 1,
      more: false,
      hasLock: true,
      to: minutes(60).toISOString(),
    });
    expect(room?.entries.map(({ who, name }) => [who, name])).toEqual([
      ["unknown", null],
      ["inside", null],
      ["key", null],
      ["remote", owner.actor.name],
      ["other", null],
      ["staff", "Housekeeping, Maria"],
      ["party", "Ada's sister"],
      ["party", "Ada"],
    ]);
  });

  it("follows the party from room to room, and shows staff only their granted rooms", async () => {
    world.clock.set(NOW);
    const [from, to] = [await door("501"), await door("502")];
    const { stayId } = await checkIn(from.roomId, "Joan");
    const staff = await card("management", "Night porter", null);
    await world.database.prisma.occupancy.updateMany({
      where: { stayId },
      data: { endsAt: minutes(30), state: "ended" },
    });
    await world.database.prisma.occupancy.create({
      data: {
        hotelId: hotel.id,
        stayId,
        roomId: to.roomId,
        state: "in_house",
        startsAt: minutes(30),
        endsAt: minutes(3000),
      },
    });
    await report(from, { minute: 10, style: "card", cardId: staff }, { minute: 40, style: "card", cardId: staff });
    await report(to, { minute: 20, style: "card", cardId: staff }, { minute: 50, style: "card", cardId: staff });
    world.clock.set(minutes(100).toISOString());
    const times = (answer: Awaited<ReturnType<typeof whoEntered>>) =>
      answer.rooms.map(({ roomName, to: end, entries }) => [roomName, end === null, entries.map(({ at }) => at)]);
    expect(times(await whoEntered(owner, stayId))).toEqual([
      ["501", false, [minutes(10).toISOString()]],
      ["502", true, [minutes(50).toISOString()]],
    ]);
    const capabilities = ["unlocks.view", "stays.view"];
    const clerk = await hotel.scope("staff", { capabilities, roomIds: [to.roomId] });
    const answer = await whoEntered(clerk, stayId);
    expect(answer.rooms.map(({ roomName, entries }) => [roomName, entries.map(({ name }) => name)])).toEqual([
      ["502", [null]],
    ]);
    const elsewhere = await hotel.scope("staff", { capabilities, roomIds: [] });
    await expect(whoEntered(elsewhere, stayId)).rejects.toMatchObject({ code: "not_found" });
    for (const one of capabilities) {
      const half = await hotel.scope("staff", { capabilities: [one], roomIds: [to.roomId] });
      await expect(whoEntered(half, stayId)).rejects.toMatchObject({ code: "no_permission" });
    }
    await expect(whoEntered(await (await world.createHotel()).scope(), stayId)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("also names the common doors that the stay's keys opened, with their zones, and nobody else's openings", async () => {
    const own = await door("601");
    const { stayId, stayGuestId } = await checkIn(own.roomId, "Ida");
    const [card1, foreign, staff] = [
      await card("guest", "", stayId),
      await card("guest", "", (await checkIn((await door("602")).roomId, "Eve")).stayId),
      await card("management", "Housekeeping", null),
    ];
    const hotelId = hotel.id;
    const { prisma } = world.database;
    const gym = await prisma.door.create({ data: { hotelId, name: "Gym", kind: "facility" } });
    const zone = await prisma.zone.create({ data: { hotelId, name: "Sports", kind: "facility" } });
    await prisma.zoneDoor.create({ data: { hotelId, zoneId: zone.id, doorId: gym.id } });
    const lock = await prisma.lock.create({ data: { hotelId, doorId: gym.id, mac: "02:00:00:00:02:99" } });
    const opening = (minute: number, cardId: number, success = true) => ({
      ...{ hotelId, lockId: lock.id, doorId: gym.id, lockSeq: ++serial, at: minutes(minute), style: "card" as const },
      ...{ cardId, success },
    });
    await prisma.unlockRecord.createMany({
      data: [
        opening(-5, card1),
        { ...opening(5, card1), stayGuestId },
        opening(6, foreign),
        opening(7, staff),
        opening(8, card1, false),
      ],
    });
    world.clock.set(minutes(20).toISOString());
    const { doors, moreAtDoors } = await whoEntered(owner, stayId);
    expect([doors, moreAtDoors]).toMatchObject([
      [
        {
          ...{ doorId: gym.id, doorName: "Gym", zones: ["Sports"] },
          entries: [{ at: minutes(5).toISOString(), who: "party", name: "Ida" }],
        },
      ],
      false,
    ]);
    world.clock.set(minutes(100).toISOString());
  });
});
