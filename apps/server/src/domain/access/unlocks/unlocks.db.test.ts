import * as schema from "@innkey/shared/schemas/access/unlocks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { type Door, type KeyRing, keyRing } from "../../../../test/harness/keys.ts";
import type { Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { list, listHotelRecords, listLockRecords, listPersonRecords } from "./unlocks.queries.ts";

const START = Date.parse("2026-11-01T00:00:00.000Z");
const MINUTE = 60_000;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let keys: KeyRing;
let door: Door;
let room: number;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
  keys = keyRing(world, hotel);
  door = await keys.door("1");
  room = door.roomId;
});

describe("the search", () => {
  const find = async (keyword: string, scope = owner) =>
    (await listHotelRecords(scope, schema.hotelRecordsInput.parse({ keyword }))).records.map(({ content }) => content);

  it("finds a person, a room and a card's number, only in the caller's rooms", async () => {
    const other = await keys.door("608");
    const { stayId, stayGuestId } = await keys.stay(room);
    const guest = await world.database.prisma.stayGuest.findFirstOrThrow({
      where: { id: stayGuestId },
      include: { guest: true },
    });
    await world.database.prisma.guest.update({
      where: { id: guest.guestId },
      data: { name: "Chiara Ferrari", mobile: "+393336081234" },
    });
    const card = await keys.card({ uid: "5D02E7A6", stayId });
    await write(door, 2, (i) => ({ minutes: i, stayGuestId, content: `ferrari ${i}` }));
    await write(door, 1, () => ({ minutes: 5, lockSeq: 10, cardId: card.id, content: "card" }));
    await write(door, 1, () => ({ minutes: 6, lockSeq: 11, content: "somebody" }));
    await write(other, 1, () => ({ minutes: 7, stayGuestId, content: "elsewhere" }));
    expect(await find("ferrari chiara")).toEqual(["elsewhere", "ferrari 1", "ferrari 0"]);
    expect(await find("608")).toEqual(["elsewhere"]);
    expect(await find("+39 333 608")).toEqual(["elsewhere", "ferrari 1", "ferrari 0"]);
    expect(await find(card.uid.toLowerCase())).toEqual(["card"]);
    expect(await find("nobody")).toEqual([]);
    expect(await find("%")).toEqual([]);
    const mine = { roomIds: [room] };
    const doorman = await hotel.scope("staff", { capabilities: ["unlocks.view"], ...mine });
    expect(await find("chiara", doorman)).toEqual(["ferrari 1", "ferrari 0"]);
    expect(await find("+39 333 608", doorman)).toEqual([]);
    expect(await find(card.uid, doorman)).toEqual([]);
    expect(await find("608", doorman)).toEqual([]);
    expect(await find("chiara", await (await world.createHotel()).scope())).toEqual([]);
  });
});

type Fields = Partial<Prisma.UnlockRecordCreateManyInput>;

/** Writes records; `fields` overrides the i-th default record, a card that opened the door at `minutes`. */
async function write(at: Door, count: number, fields: (i: number) => Fields & { minutes: number }): Promise<void> {
  await world.database.prisma.unlockRecord.createMany({
    data: Array.from({ length: count }, (_, i) => {
      const { minutes, ...rest } = fields(i);
      return {
        hotelId: hotel.id,
        roomId: at.roomId,
        lockId: at.lockId,
        lockSeq: i + 1,
        at: new Date(START + minutes * MINUTE),
        style: "card" as const,
        success: true,
        content: `#${i}`,
        ...rest,
      };
    }),
  });
}

/** Two records a minute: the second of each pair differs from the first only by its id. */
const unlocks = (count: number): Promise<void> =>
  write(door, count, (i) => ({
    minutes: Math.floor(i / 2),
    style: i % 5 === 0 ? "passcode" : "card",
    success: i % 7 !== 6,
    operatorId: i === 0 ? owner.actor.id : null,
  }));

const read = (input: object = {}, scope = owner) =>
  list(scope, schema.unlockRecordsInput.parse({ roomId: room, ...input }));
const contents = async (page: Promise<schema.UnlockRecordsOutput>) =>
  (await page).records.map(({ content }) => content);
const range = (first: number, last: number) => Array.from({ length: first - last + 1 }, (_, i) => `#${first - i}`);

describe("unlock records", () => {
  it("are listed newest first, page by page, each once, even when many share an instant", async () => {
    await unlocks(47);
    const pagesSeen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ cursor, limit: 5 });
      expect(page.records.length).toBeLessThanOrEqual(5);
      pagesSeen.push(...page.records.map(({ content }) => content));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(pagesSeen).toEqual(Array.from({ length: 47 }, (_, i) => `#${46 - i}`));
  });

  it("are filtered by a period, its end excluded, and by style", async () => {
    await unlocks(20);
    const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();
    expect(await contents(read({ from: at(2), to: at(4) }))).toEqual(["#7", "#6", "#5", "#4"]);
    expect(await contents(read({ style: "passcode" }))).toEqual(["#15", "#10", "#5", "#0"]);
    expect(await contents(read({ success: false }))).toEqual(["#13", "#6"]);
    const { nextCursor } = await read({ to: at(4), style: "card", success: true, limit: 2 });
    const rest = { from: at(1), to: at(4), style: "card", success: true };
    expect(await contents(read({ ...rest, cursor: nextCursor }))).toEqual(["#3", "#2"]);
    expect((await read({ to: at(1), limit: 2 })).records.at(-1)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: at(0),
      style: "passcode",
      success: true,
      reason: "",
      content: "#0",
      source: "lock",
      operatorName: owner.actor.name,
      guestName: null,
      stayGuestId: null,
      holder: null,
      openingReason: null,
      openingNote: "",
      spareCard: null,
      roomId: room,
      roomName: "1",
    });
  });

  it("are empty for a room whose lock reported nothing", async () => {
    expect(await read()).toEqual({ records: [], nextCursor: null });
  });

  it("refuse an invalid cursor", async () => {
    for (const cursor of ["1", "2026-13-45T99:00:00.000Z_1", "0000-01-01T00:00:00.000Z_1", "_"]) {
      await expect(read({ cursor })).rejects.toMatchObject({ code: "invalid_input" });
    }
  });

  it("name the guest, and the holder of the card, code or face", async () => {
    const { stayId, stayGuestId } = await keys.stay(room);
    const guest = await keys.card({ uid: "01", stayId, note: "second key" });
    const staff = await keys.card({ uid: "02", kind: "management", note: "Housekeeping 1" });
    const code = await keys.credential(door, { passcode: { person: "Ida Plumber" } });
    const people: Fields[] = [
      { cardId: guest.id, stayGuestId },
      { cardId: staff.id },
      { credentialId: code.id, style: "passcode" },
    ];
    await write(door, 3, (i) => ({ minutes: -i, ...people[i] }));
    expect((await read()).records).toMatchObject([
      { guestName: "Ada Marlow", stayGuestId, holder: null },
      { guestName: null, stayGuestId: null, holder: "Housekeeping 1" },
      { holder: "Ida Plumber" },
    ]);
  });

  it("are hidden from another hotel, from staff without the room and from those without the permission", async () => {
    await unlocks(2);
    const other = await (await world.createHotel()).scope();
    await expect(read({}, other)).rejects.toMatchObject({ code: "not_found" });
    const capabilities = ["unlocks.view"];
    await expect(read({}, await hotel.scope("staff", { capabilities }))).rejects.toMatchObject({ code: "not_found" });
    await expect(read({}, await hotel.scope("staff", { roomIds: [room] }))).rejects.toMatchObject({
      code: "no_permission",
    });
    const granted = await hotel.scope("staff", { capabilities, roomIds: [room] });
    expect((await read({}, granted)).records).toHaveLength(2);
  });
});

describe("records of a person", () => {
  const recordsOf = (stayGuestId: number, scope = owner, input: object = {}) =>
    listPersonRecords(scope, schema.personRecordsInput.parse({ stayGuestId, ...input }));

  it("are the openings in their name, page by page, in the rooms that the caller can see", async () => {
    const { stayGuestId } = await keys.stay(room);
    const pool = await keys.door("Pool");
    await write(door, 6, (i) => ({ minutes: i, stayGuestId: i % 2 ? stayGuestId : null }));
    await write(pool, 1, () => ({ minutes: 9, stayGuestId, content: "pool" }));
    const first = await recordsOf(stayGuestId, owner, { limit: 3 });
    expect(first.records.map(({ content }) => content)).toEqual(["pool", "#5", "#3"]);
    expect(await contents(recordsOf(stayGuestId, owner, { cursor: first.nextCursor }))).toEqual(["#1"]);
    const capabilities = ["unlocks.view"];
    const clerk = await hotel.scope("staff", { capabilities, roomIds: [room] });
    expect(await contents(recordsOf(stayGuestId, clerk))).toEqual(["#5", "#3", "#1"]);
    // This staff member may see the pool's records but not the guests who visit it.
    const poolClerk = await hotel.scope("staff", { capabilities, roomIds: [pool.roomId] });
    await expect(recordsOf(stayGuestId, poolClerk)).rejects.toMatchObject({ code: "not_found" });
    await expect(recordsOf(stayGuestId, await (await world.createHotel()).scope())).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(recordsOf(stayGuestId, await hotel.scope("staff", { roomIds: [room] }))).rejects.toMatchObject({
      code: "no_permission",
    });
  });
});

describe("records of a lock", () => {
  const recordsOf = (lockId: number, scope = owner, input: object = {}) =>
    listLockRecords(scope, schema.lockRecordsInput.parse({ lockId, ...input }));

  it("are in the lock's own order, whatever its clock and room were", async () => {
    const elsewhere = await keys.door("2");
    await write(door, 5, (i) => ({ minutes: i === 3 ? -900 : i, ...(i < 2 && { roomId: elsewhere.roomId }) }));
    const first = await recordsOf(door.lockId, owner, { limit: 3 });
    expect(first.records.map(({ content, roomName }) => `${content} ${roomName}`)).toEqual(["#4 1", "#3 1", "#2 1"]);
    expect(await contents(recordsOf(door.lockId, owner, { limit: 3, cursor: first.nextCursor }))).toEqual(["#1", "#0"]);
    const from = new Date(START).toISOString();
    expect(await contents(recordsOf(door.lockId, owner, { from }))).toEqual(["#4", "#2", "#1", "#0"]);

    const capabilities = ["unlocks.view"];
    const clerk = await hotel.scope("staff", { capabilities, roomIds: [room] });
    expect(await contents(recordsOf(door.lockId, clerk))).toEqual(["#4", "#3", "#2"]);
    const other = await hotel.scope("staff", { capabilities, roomIds: [elsewhere.roomId] });
    await expect(recordsOf(door.lockId, other)).rejects.toMatchObject({ code: "not_found" });
    await expect(recordsOf(door.lockId, await (await world.createHotel()).scope())).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("records of the hotel", () => {
  const recordsOf = (scope: Scope, input: object = {}) =>
    listHotelRecords(scope, schema.hotelRecordsInput.parse(input));

  it("are those of every door that the caller can see, in one order, page by page", async () => {
    const doors = [door, await keys.door("2"), await keys.door("3")];
    for (const [n, each] of doors.entries()) {
      await write(each, 10, (i) => ({ minutes: i, content: `#${3 * i + n}` }));
    }
    const all = async (scope: Scope): Promise<string[]> => {
      const pagesSeen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await recordsOf(scope, { limit: 4, cursor });
        pagesSeen.push(...page.records.map(({ content }) => content));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      return pagesSeen;
    };
    expect(await all(owner)).toEqual(range(29, 0));
    const capabilities = ["unlocks.view"];
    const roomIds = doors.slice(0, 2).map(({ roomId }) => roomId);
    const clerk = await hotel.scope("staff", { capabilities, roomIds });
    expect(await all(clerk)).toEqual(range(29, 0).filter((name) => Number(name.slice(1)) % 3 < 2));
    expect(await recordsOf(await hotel.scope("staff", { capabilities }))).toEqual({ records: [], nextCursor: null });
    expect(await recordsOf(await (await world.createHotel()).scope())).toEqual({ records: [], nextCursor: null });
    await expect(recordsOf(await hotel.scope("staff", { roomIds }))).rejects.toMatchObject({ code: "no_permission" });
  });
});
