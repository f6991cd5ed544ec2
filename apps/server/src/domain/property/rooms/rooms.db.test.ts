import { DomainError } from "@innkey/shared/errors";
import { patchRoomInput, roomInput } from "@innkey/shared/schemas/property/rooms";
import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld, untilBlocked } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import * as rooms from "../../desk/save-room.ts";
import { deleteRoom } from "../../desk/save-room.ts";
import { setStatus } from "../../desk/set-room-status.ts";
import * as groups from "./groups.service.ts";
import { assignGroup } from "./groups.service.ts";
import { detail } from "./rooms.queries.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const MAC = "A4:C1:38:00:1F:2B";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
});

const save = (input: Partial<z.input<typeof roomInput>> = {}, scope = owner) =>
  rooms.save(scope, roomInput.parse({ name: "101", groupId: null, ...input }));

function refusal(act: Promise<unknown>): Promise<Pick<DomainError, "code" | "fields"> | null> {
  return act.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return { code: error.code, fields: error.fields };
    },
  );
}

const auditEntry = (entity: string) =>
  world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id, entity }, orderBy: { seq: "asc" } });

describe("rooms", () => {
  it("are created complete, with group and lock, and changed, and the changes are recorded", async () => {
    const { id: groupId } = await groups.save(owner, { name: "North", sort: 1 });
    const lock = { mac: "a4c138001f2b", bluetoothName: "IK-101" };
    const { roomId } = await save({ groupId, floor: 1, sort: 7, bulletin: "Welcome", lock });
    expect(await detail(owner, roomId)).toMatchObject({
      name: "101",
      groupName: "North",
      floor: 1,
      sort: 7,
      bulletin: "Welcome",
      status: "vacant",
      lock: { mac: MAC, bluetoothName: "IK-101", driver: "mqtt", lastSeenAt: null },
      prices: null,
    });
    await save({ id: roomId, groupId, floor: 2, sort: 7, bulletin: "Welcome", lock });
    const entries = await auditEntry("room");
    expect(entries.map(({ action }) => action)).toEqual(["room.create", "room.lock", "room.update"]);
    expect(entries.at(-1)).toMatchObject({ before: { floor: 1 }, after: { floor: 2 }, actorId: owner.actor.id });
  });

  it("have a unique name in the hotel, which another hotel may use too", async () => {
    await save();
    const expected = { code: "name_taken", fields: { name: { key: "validation.nameTaken" } } };
    expect(await refusal(save())).toEqual(expected);
    const { roomId } = await save({ name: "102" });
    expect(await refusal(save({ id: roomId, name: "101" }))).toEqual(expected);
    const other = await (await world.createHotel()).scope();
    expect(await refusal(save({}, other))).toBeNull();
  });

  it("get the same name only once, however many requests there are", async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => refusal(save())));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome?.code === "name_taken")).toHaveLength(7);
  });

  it("refuse a lock that is on another door, accept an unused one, and release one", async () => {
    const lock = { mac: MAC, bluetoothName: "" };
    const { roomId: first } = await save({ lock });
    const second = { name: "102", lock };
    expect(await refusal(save(second))).toEqual({
      code: "name_taken",
      fields: { "lock.mac": { key: "validation.macTaken" } },
    });
    const before = (await detail(owner, first)).lock?.id;
    await save({ id: first, lock: { mac: "A4:C1:38:00:00:01" } });
    const { roomId } = await save(second);
    expect((await detail(owner, roomId)).lock?.id).toBe(before);
    await save({ id: roomId, name: "102" });
    expect((await detail(owner, roomId)).lock).toBeNull();
    expect((await detail(owner, first)).lock?.mac).toBe("A4:C1:38:00:00:01");
  });

  it("are changed in part; omitted fields keep their value, including the lock's name", async () => {
    const { roomId } = await save({ floor: 2, bulletin: "Hi", lock: { mac: MAC, bluetoothName: "IK" } });
    const before = await detail(owner, roomId);
    await rooms.patchRoom(owner, patchRoomInput.parse({ roomId, remarkName: "Corner" }));
    expect(await detail(owner, roomId)).toEqual({ ...before, remarkName: "Corner" });
    await rooms.patchRoom(owner, patchRoomInput.parse({ roomId, bulletin: "", mac: MAC, bluetoothName: "IK-1" }));
    expect(await detail(owner, roomId)).toMatchObject({ bulletin: "", lock: { mac: MAC, bluetoothName: "IK-1" } });
    await rooms.patchRoom(owner, patchRoomInput.parse({ roomId, mac: MAC }));
    expect(await detail(owner, roomId)).toMatchObject({ lock: { bluetoothName: "IK-1" } });
    const { roomId: locklessRoom } = await save({ name: "Bare" });
    const patch = patchRoomInput.parse({ roomId: locklessRoom, bluetoothName: "x" });
    expect(await refusal(rooms.patchRoom(owner, patch))).toMatchObject({ code: "lock_missing" });
    const duplicate = patchRoomInput.parse({ roomId: locklessRoom, name: "101" });
    expect(await refusal(rooms.patchRoom(owner, duplicate))).toMatchObject({ code: "name_taken" });
    expect(await refusal(rooms.patchRoom(await hotel.scope("staff"), patch))).toMatchObject({ code: "no_permission" });
  });

  it("refuse a group or picture of another hotel as if it did not exist", async () => {
    const other = await (await world.createHotel()).scope();
    const { id: groupId } = await groups.save(other, { name: "Theirs", sort: 1 });
    const { roomId } = await save();
    expect(await refusal(save({ name: "102", groupId }))).toMatchObject({ code: "not_found" });
    expect(await refusal(assignGroup(owner, { roomIds: [roomId], groupId }))).toMatchObject({
      code: "not_found",
    });
    const pictureFileId = "0b9f0e0c-6d0a-4c9e-8f57-0d6f4f3f9c11";
    expect(await refusal(save({ name: "102", pictureFileId }))).toMatchObject({ code: "not_found" });
  });

  it("move between groups together, and only those that move are recorded", async () => {
    const { id: groupId } = await groups.save(owner, { name: "North", sort: 1 });
    const [a, b] = [await save({ groupId }), await save({ name: "102" })];
    expect(await assignGroup(owner, { roomIds: [a.roomId, b.roomId], groupId })).toEqual({ updated: 1 });
    expect(await groups.list(owner)).toEqual([{ id: groupId, name: "North", sort: 1, roomCount: 2 }]);
    expect((await auditEntry("room")).filter(({ action }) => action === "room.group")).toMatchObject([
      { entityId: String(b.roomId), before: { groupId: null }, after: { groupId } },
    ]);
  });
});

it("a group can't be changed while another transaction deletes it", async () => {
  const { id } = await groups.save(owner, { name: "North", sort: 1 });
  const deletion = await world.database.pool.connect();
  try {
    await deletion.query("BEGIN");
    await deletion.query("DELETE FROM room_group WHERE id = $1", [id]);
    const change = refusal(groups.save(owner, { id, name: "South", sort: 1 }));
    await untilBlocked(world);
    await deletion.query("COMMIT");
    expect(await change).toMatchObject({ code: "not_found" });
  } finally {
    deletion.release();
  }
  expect((await auditEntry("group")).map(({ action }) => action)).toEqual(["group.create"]);
});

describe("deleting a room", () => {
  it("is refused while somebody is in the room or it is reserved", async () => {
    const guests = [{ name: "Ada" }];
    const period = { unit: "day", startsAt: NOW, endsAt: "2026-11-19T10:00:00.000Z", guests };
    const otherRoom = await hotel.createRoom("201");
    await stays.checkIn(owner, checkInInput.parse({ ...period, roomId: otherRoom, depositMinor: 0 }));
    const reserved = await hotel.createRoom("202");
    await stays.reserve(owner, reserveInput.parse({ ...period, roomId: reserved }));
    for (const roomId of [otherRoom, reserved]) {
      expect(await refusal(deleteRoom(owner, roomId))).toMatchObject({ code: "room_in_use" });
      expect((await detail(owner, roomId)).id).toBe(roomId);
    }
  });

  it("ends maintenance and releases name, group and lock", async () => {
    const { id: groupId } = await groups.save(owner, { name: "North", sort: 1 });
    const { roomId } = await save({ groupId, lock: { mac: MAC } });
    await setStatus(owner, { roomIds: [roomId], status: "maintenance", until: null, note: "" });
    await deleteRoom(owner, roomId);
    expect(await refusal(detail(owner, roomId))).toMatchObject({ code: "not_found" });
    expect(await refusal(deleteRoom(owner, roomId))).toMatchObject({ code: "not_found" });
    expect(await world.database.prisma.occupancy.count({ where: { roomId, state: "held" } })).toBe(0);
    expect(await refusal(save({ lock: { mac: MAC } }))).toBeNull();
    expect(await refusal(groups.remove(owner, groupId))).toBeNull();
  });
});

describe("groups", () => {
  it("have a unique name and an order, and are deleted only when empty", async () => {
    const { id } = await groups.save(owner, { name: "North", sort: 2 });
    const { id: south } = await groups.save(owner, { name: "South", sort: 1 });
    expect((await groups.list(owner)).map(({ name }) => name)).toEqual(["South", "North"]);
    expect(await refusal(groups.save(owner, { id: south, name: "North", sort: 1 }))).toMatchObject({
      code: "name_taken",
    });
    const { roomId } = await save({ groupId: id });
    expect(await refusal(groups.remove(owner, id))).toMatchObject({ code: "room_in_use" });
    await assignGroup(owner, { roomIds: [roomId], groupId: null });
    expect(await groups.remove(owner, id)).toEqual({ id });
    expect((await groups.list(owner)).map(({ name }) => name)).toEqual(["South"]);
  });

  it("count for staff only the granted rooms", async () => {
    const { id: groupId } = await groups.save(owner, { name: "North", sort: 1 });
    const { roomId } = await save({ groupId });
    await save({ name: "102", groupId });
    const staff = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: [roomId] });
    expect(await groups.list(staff)).toMatchObject([{ roomCount: 1 }]);
  });
});

describe("access to rooms", () => {
  it("is limited to one's own hotel, and staff cannot manage rooms", async () => {
    const { id } = await groups.save(owner, { name: "North", sort: 1 });
    const { roomId } = await save({ groupId: id });
    const other = await (await world.createHotel()).scope();
    const staff = await hotel.scope("staff", { capabilities: ["rooms.view", "rooms.manage"], roomIds: [roomId] });
    for (const [scope, code] of [
      [other, "not_found"],
      [staff, "no_permission"],
    ] as const) {
      expect(await refusal(save({ id: roomId, name: "X" }, scope))).toMatchObject({ code });
      expect(await refusal(deleteRoom(scope, roomId))).toMatchObject({ code });
      expect(await refusal(assignGroup(scope, { roomIds: [roomId], groupId: null }))).toMatchObject({ code });
      expect(await refusal(groups.save(scope, { id, name: "X", sort: 1 }))).toMatchObject({ code });
      expect(await refusal(groups.remove(scope, id))).toMatchObject({ code });
    }
    expect(await detail(owner, roomId)).toMatchObject({ name: "101", groupId: id });
  });
});
