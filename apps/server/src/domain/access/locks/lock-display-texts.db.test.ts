import { DomainError } from "@innkey/shared/errors";
import { roomInput } from "@innkey/shared/schemas/property/rooms";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel } from "../../../../test/harness/hotel.ts";
import { createLockBench } from "../../../../test/locks/locks.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { save } from "../../desk/save-room.ts";
import { detail } from "../../property/rooms/rooms.queries.ts";
import { listLockDisplayTexts, sendLockDisplayText } from "./lock-display-texts.ts";

const world = await createTestWorld("2026-11-18T14:00:00.000Z");
const bench = createLockBench(world);
let hotel: TestHotel;
let owner: Scope;
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
});

const code = async (act: Promise<unknown>): Promise<string> => {
  const error = await act.then(
    () => new Error("it went through"),
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error.code;
  throw error;
};

describe("a notice to the hotel", () => {
  it("reaches every lock with a display, names the others, tracks each answer, and is cleared again", async () => {
    const [first, second, locklessRoom, zigbee] = [
      await hotel.createRoom("101"),
      await hotel.createRoom("102"),
      await hotel.createRoom("103"),
      await hotel.createRoom("104"),
    ];
    const one = await bench.addLock(owner, { roomId: first });
    await bench.addLock(owner, { roomId: second });
    const other = await bench.addLock(owner, { roomId: zigbee });
    await world.database.prisma.lock.update({ where: { id: other.id }, data: { driver: "zigbee2mqtt" } });
    const text = "Fire drill at 10";

    expect(await sendLockDisplayText(owner, { to: { kind: "all" }, text })).toEqual({
      told: 2,
      cannot: [{ roomId: zigbee, roomName: "104", reason: "no_display" }],
    });
    const target = { kind: "rooms" as const, roomIds: [first, locklessRoom] };
    expect(await sendLockDisplayText(owner, { to: target, text })).toEqual({
      told: 1,
      cannot: [{ roomId: locklessRoom, roomName: "103", reason: "no_lock" }],
    });
    const states = async () =>
      (await listLockDisplayTexts(owner)).map(({ roomName, state, text }) => [roomName, state, text]);
    await bench.dispatch(one);
    expect(bench.driver.lastTo(one.id)).toMatchObject({ type: "notice", args: { text } });
    await bench.ack(one);
    expect(await states()).toEqual([
      ["101", "acknowledged", text],
      ["102", "queued", text],
      ["104", null, text],
    ]);
    await sendLockDisplayText(owner, { to: { kind: "all" }, text: "" });
    await bench.dispatch(one);
    expect(bench.driver.lastTo(one.id)).toMatchObject({ type: "notice", args: { text: "" } });
    expect((await detail(owner, first)).bulletin).toBe("");
    const rows = await world.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, action: "hotel.notice" },
      orderBy: { seq: "asc" },
    });
    expect(rows.map(({ after }) => after)).toEqual([
      { text: "***", rooms: 3, told: 2 },
      { text: "***", rooms: 2, told: 1 },
      { text: "", rooms: 3, told: 2 },
    ]);
  });

  it("goes to the rooms of groups, and is refused for a lock that was never configured", async () => {
    const group = await world.database.prisma.roomGroup.create({ data: { hotelId: hotel.id, name: "North", sort: 1 } });
    const roomId = await hotel.createRoom("101");
    await hotel.createRoom("102");
    await world.database.prisma.room.update({ where: { id: roomId }, data: { groupId: group.id } });
    const lock = await bench.addLock(owner, { roomId });
    await world.database.prisma.lock.update({ where: { id: lock.id }, data: { configuredAt: null } });
    const to = { kind: "groups" as const, groupIds: [group.id] };
    expect(await sendLockDisplayText(owner, { to, text: "x" })).toEqual({
      told: 0,
      cannot: [{ roomId, roomName: "101", reason: "not_set_up" }],
    });
    const partlyUnknown = { kind: "groups" as const, groupIds: [group.id, 2_000_000_000] };
    expect(await code(sendLockDisplayText(owner, { to: partlyUnknown, text: "x" }))).toBe("not_found");
  });

  it("goes only to rooms that the caller can see", async () => {
    const [ownRoomId, other] = [await hotel.createRoom("101"), await hotel.createRoom("102")];
    for (const roomId of [ownRoomId, other]) await bench.addLock(owner, { roomId });
    const capabilities = ["locks.open", "locks.view"];
    const staff = await hotel.scope("staff", { capabilities, roomIds: [ownRoomId] });
    expect(await sendLockDisplayText(staff, { to: { kind: "all" }, text: "x" })).toEqual({ told: 1, cannot: [] });
    expect((await listLockDisplayTexts(staff)).map(({ roomName }) => roomName)).toEqual(["101"]);
    expect(await code(sendLockDisplayText(staff, { to: { kind: "rooms", roomIds: [other] }, text: "x" }))).toBe(
      "not_found",
    );
    const unprivileged = await hotel.scope("staff", { roomIds: [ownRoomId] });
    expect(await code(sendLockDisplayText(unprivileged, { to: { kind: "all" }, text: "x" }))).toBe("no_permission");
    expect(await code(listLockDisplayTexts(unprivileged))).toBe("no_permission");
    const stranger = await (await world.createHotel()).scope();
    expect(await code(sendLockDisplayText(stranger, { to: { kind: "rooms", roomIds: [ownRoomId] }, text: "x" }))).toBe(
      "not_found",
    );
    expect(await sendLockDisplayText(stranger, { to: { kind: "all" }, text: "x" })).toEqual({ told: 0, cannot: [] });
  });

  it("is also sent when a room's own text changes", async () => {
    const roomId = await hotel.createRoom("101");
    const lock = await bench.addLock(owner, { roomId });
    const room = await detail(owner, roomId);
    const input = roomInput.parse({ ...room, lock: room.lock, bulletin: "Breakfast is on floor 2" });
    await save(owner, input);
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id)).toMatchObject({ type: "notice", args: { text: "Breakfast is on floor 2" } });
  });
});
