import { unlockRecordsInput } from "@innkey/shared/schemas/rooms";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Scope } from "../../core/scope.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../testing/hotel.ts";
import { list } from "./unlocks.queries.ts";

const START = Date.parse("2026-11-01T00:00:00.000Z");
const MINUTE = 60_000;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let room: number;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
  room = await hotel.createRoom("1");
});

/** Two records a minute: the second of a pair differs from the first only by its id. */
async function unlocks(count: number): Promise<void> {
  const { prisma } = world.database;
  const lock = await prisma.lock.create({ data: { hotelId: hotel.id, roomId: room, mac: "A4:C1:38:00:1F:2B" } });
  await prisma.unlockRecord.createMany({
    data: Array.from({ length: count }, (_, i) => ({
      hotelId: hotel.id,
      roomId: room,
      lockId: lock.id,
      lockSeq: i,
      at: new Date(START + Math.floor(i / 2) * MINUTE),
      style: i % 5 === 0 ? ("passcode" as const) : ("card" as const),
      success: true,
      content: `#${i}`,
      operatorId: i === 0 ? owner.actor.id : null,
    })),
  });
}

const read = (input: object = {}, scope = owner) => list(scope, unlockRecordsInput.parse({ roomId: room, ...input }));

describe("unlock records", () => {
  it("come newest first, page by page, each once, though many share an instant", async () => {
    await unlocks(47);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ cursor, limit: 5 });
      expect(page.records.length).toBeLessThanOrEqual(5);
      seen.push(...page.records.map(({ content }) => content));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 47 }, (_, i) => `#${46 - i}`));
  });

  it("can be narrowed to a period, its end excluded, and to a style", async () => {
    await unlocks(20);
    const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();
    const contents = async (input: object) => (await read(input)).records.map(({ content }) => content);
    expect(await contents({ from: at(2), to: at(4) })).toEqual(["#7", "#6", "#5", "#4"]);
    expect(await contents({ style: "passcode" })).toEqual(["#15", "#10", "#5", "#0"]);
    expect((await read({ to: at(1), limit: 2 })).records.at(-1)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: at(0),
      style: "passcode",
      success: true,
      content: "#0",
      source: "lock",
      operatorName: owner.actor.name,
      guestName: null,
    });
  });

  it("are none for a room whose lock said nothing", async () => {
    expect(await read()).toEqual({ records: [], nextCursor: null });
  });

  it("refuse a cursor or style that isn't one", async () => {
    for (const bad of [
      { cursor: "1" },
      { cursor: Buffer.from("2026-13-45T99:00:00.000Z 1").toString("base64url") },
      { style: "spell" },
    ]) {
      await expect(read(bad)).rejects.toMatchObject({ code: "invalid_input" });
    }
  });

  it("stay hidden from another hotel, from staff without the room and from those without the permission", async () => {
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
