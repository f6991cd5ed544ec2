import { DomainError } from "@innkey/shared/errors";
import type { BoardRoom, SetStatusInput, SetStatusOutput } from "@innkey/shared/schemas/property/rooms";
import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { restoreStatus, setStatus } from "../../desk/set-room-status.ts";
import * as rooms from "./rooms.queries.ts";

// Wednesday 2026-11-18, 15:00 in Berlin.
const NOW = "2026-11-18T14:00:00.000Z";
const TOMORROW_NOON = "2026-11-19T11:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let room: number;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  room = await hotel.createRoom(`S${++serial}`);
});

const guests = () => [{ name: `Guest ${++serial}`, mobile: "", email: "" }];

function reserve(startsAt: string, endsAt: string): Promise<{ stayId: number }> {
  return stays.reserve(owner, reserveInput.parse({ roomId: room, unit: "day", startsAt, endsAt, guests: guests() }));
}

function checkIn(): Promise<{ stayId: number }> {
  const input = { roomId: room, unit: "day", startsAt: NOW, endsAt: TOMORROW_NOON, guests: guests(), depositMinor: 0 };
  return stays.checkIn(owner, checkInInput.parse(input));
}

function set(status: SetStatusInput["status"], until: string | null = null, scope = owner, roomIds = [room]) {
  return setStatus(scope, { roomIds, status, until, note: "pipes" });
}

/** Reads the status as the board shows it, and checks that acts read the same one. */
async function statusNow(scope = owner): Promise<BoardRoom["status"]> {
  const { status } = await rooms.detail(scope, room);
  expect(await rooms.statusNow(scope, scope.sql, room)).toBe(status);
  return status;
}
const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "went through",
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );
const allUpdated = () => ({ updated: [room], failed: [], changed: expect.any(Array) });
const refused = (code: string) => ({
  updated: [],
  failed: [{ roomId: room, roomName: expect.any(String), code }],
  changed: [],
});

describe("the computed status", () => {
  it("goes vacant, reserved on the day of arrival, checked in, dirty, vacant", async () => {
    expect(await statusNow()).toBe("vacant");
    const { stayId } = await reserve(NOW, TOMORROW_NOON);
    expect(await statusNow()).toBe("reserved");
    await stays.cancelReservation(owner, { stayId, refundChannel: "cash" });
    expect(await statusNow()).toBe("vacant");
    const stay = await checkIn();
    expect(await rooms.detail(owner, room)).toMatchObject({
      status: "checked_in",
      current: { stayId: stay.stayId },
      next: null,
    });
    world.clock.set("2026-11-20T11:00:00.000Z");
    expect(await statusNow()).toBe("checked_in");
    await stays.checkOut(owner, {
      stayId: stay.stayId,
      refundDeposit: true,
      refundUnusedMinor: 0,
      channel: "cash",
      refundChannel: "cash",
      confirmUnpaid: true,
    });
    expect(await statusNow()).toBe("dirty");
    await set("vacant");
    expect(await statusNow()).toBe("vacant");
  });

  it("is reserved from midnight in the hotel's time zone, and stays checked in for an overdue party", async () => {
    const kathmandu = await world.createHotel({ timeZone: "Asia/Kathmandu" });
    const scope = await kathmandu.scope();
    room = await kathmandu.createRoom("1");
    // Midnight in Kathmandu is 18:15 UTC.
    await stays.reserve(
      scope,
      reserveInput.parse({
        roomId: room,
        unit: "day",
        startsAt: "2026-11-18T18:15:00.000Z",
        endsAt: "2026-11-20T06:00:00.000Z",
        guests: guests(),
      }),
    );
    world.clock.set("2026-11-18T18:14:59.999Z");
    expect(await rooms.detail(scope, room)).toMatchObject({ status: "vacant", next: { unit: "day" } });
    world.clock.set("2026-11-18T18:15:00.000Z");
    expect(await statusNow(scope)).toBe("reserved");
    world.clock.set("2026-11-19T20:00:00.000Z");
    expect(await statusNow(scope)).toBe("reserved");
  });

  it("shows dirty before reserved, and maintenance before dirty", async () => {
    await reserve("2026-11-18T20:00:00.000Z", TOMORROW_NOON);
    await set("dirty");
    expect(await statusNow()).toBe("dirty");
    await set("maintenance", "2026-11-18T19:00:00.000Z");
    expect(await rooms.detail(owner, room)).toMatchObject({
      status: "maintenance",
      condition: "dirty",
      maintenance: { endsAt: "2026-11-18T19:00:00.000Z", note: "pipes" },
    });
    world.clock.set("2026-11-18T19:00:00.000Z");
    expect(await statusNow()).toBe("dirty");
  });
});

describe("setting the status by hand", () => {
  it("refuses vacant and maintenance for an occupied room, and accepts dirty", async () => {
    await checkIn();
    expect(await set("vacant")).toEqual(refused("room_in_use"));
    expect(await set("maintenance")).toEqual(refused("room_in_use"));
    expect(await set("dirty")).toEqual(allUpdated());
    expect(await rooms.detail(owner, room)).toMatchObject({ status: "checked_in", condition: "dirty" });
  });

  it("refuses maintenance that overlaps a reservation, and accepts one that ends before it", async () => {
    await reserve("2026-11-19T13:00:00.000Z", "2026-11-20T11:00:00.000Z");
    expect(await set("maintenance")).toEqual(refused("room_taken"));
    expect(await set("maintenance", "2026-11-19T13:00:00.001Z")).toEqual(refused("room_taken"));
    expect(await statusNow()).toBe("vacant");
    expect(await set("maintenance", "2026-11-19T13:00:00.000Z")).toEqual(allUpdated());
    expect(await statusNow()).toBe("maintenance");
  });

  it("blocks the room for reservations until it is vacant again", async () => {
    await set("maintenance");
    expect(await codeOf(reserve("2026-12-01T14:00:00.000Z", "2026-12-02T10:00:00.000Z"))).toBe("room_taken");
    await set("vacant");
    expect(await codeOf(reserve("2026-12-01T14:00:00.000Z", "2026-12-02T10:00:00.000Z"))).toBe("went through");
  });

  it("moves the end of current maintenance as one period", async () => {
    await set("maintenance");
    world.clock.advance(3_600_000);
    expect(await set("maintenance", TOMORROW_NOON)).toEqual(allUpdated());
    const periods = await world.database.prisma.occupancy.findMany({ where: { roomId: room } });
    expect(periods).toMatchObject([{ startsAt: new Date(NOW), endsAt: new Date(TOMORROW_NOON), state: "held" }]);
  });

  it("gives the loser of a race between maintenance and a reservation a clear refusal", async () => {
    const outcomes = await Promise.all([
      set("maintenance").then(({ updated, failed }) => (updated.length ? "maintenance" : failed[0]?.code)),
      codeOf(reserve(NOW, TOMORROW_NOON)).then((code) => (code === "went through" ? "booking" : code)),
    ]);
    expect(outcomes).toContain("room_taken");
    expect(await world.database.prisma.occupancy.count({ where: { roomId: room, state: "held" } })).toBe(1);
  });

  it("decides room by room, and records each change with its author", async () => {
    const otherRoom = room;
    await checkIn();
    room = await hotel.createRoom(`S${++serial}`);
    const result = await set("maintenance", null, owner, [otherRoom, room]);
    expect(result).toMatchObject({ updated: [room], failed: [{ roomId: otherRoom, code: "room_in_use" }] });
    const rows = await world.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, action: "room.status", entityId: { in: [String(otherRoom), String(room)] } },
    });
    expect(rows).toMatchObject([{ entityId: String(room), actorId: owner.actor.id, after: { maintenance: true } }]);
  });

  it("writes nothing and keeps the board's version when nothing changes", async () => {
    const version = () => world.database.prisma.hotelState.findUniqueOrThrow({ where: { hotelId: hotel.id } });
    const before = await version();
    expect(await set("vacant")).toEqual(allUpdated());
    expect(await version()).toEqual(before);
  });

  it("refuses an end that is not in the future", async () => {
    expect(await codeOf(set("maintenance", NOW))).toBe("invalid_input");
  });
});

describe("undoing a change of status", () => {
  const undo = (status: SetStatusInput["status"], { changed }: SetStatusOutput, scope = owner) =>
    restoreStatus(scope, { status, rooms: changed.map(({ roomName: _name, ...before }) => before) });

  it("brings back what was there: dirty, clean, or the maintenance with its end and reason", async () => {
    const dirty = await set("dirty");
    expect(dirty.changed).toMatchObject([{ roomId: room, condition: "clean", maintenance: null }]);
    expect(await undo("dirty", dirty)).toEqual({ updated: [room], failed: [] });
    expect(await statusNow()).toBe("vacant");
    await set("dirty");
    await set("maintenance", TOMORROW_NOON);
    const opened = await set("vacant");
    const maintenance = { endsAt: TOMORROW_NOON, note: "pipes" };
    expect(opened.changed).toMatchObject([{ condition: "dirty", maintenance }]);
    expect(await undo("vacant", opened)).toEqual({ updated: [room], failed: [] });
    expect(await rooms.detail(owner, room)).toMatchObject({ status: "maintenance", condition: "dirty", maintenance });
    await set("vacant");
    const closed = await set("maintenance");
    expect(await undo("maintenance", closed)).toEqual({ updated: [room], failed: [] });
    expect(await statusNow()).toBe("vacant");
    const undone = { hotelId: hotel.id, action: "room.status_undo", entityId: String(room) };
    expect(await world.database.prisma.auditEntry.count({ where: undone })).toBe(3);
  });

  it("is refused once the room was changed again, or is taken", async () => {
    const cleaned = await set("dirty").then(() => set("vacant"));
    await set("dirty");
    expect(await undo("vacant", cleaned)).toMatchObject({
      updated: [],
      failed: [{ roomId: room, code: "state_conflict" }],
    });
    await set("vacant");
    await set("maintenance");
    const opened = await set("vacant");
    await reserve(NOW, TOMORROW_NOON);
    expect(await undo("vacant", opened)).toMatchObject({ updated: [], failed: [{ code: "room_taken" }] });
  });

  it("is limited like the change itself", async () => {
    const dirty = await set("dirty");
    const other = await (await world.createHotel()).scope();
    expect(await codeOf(undo("dirty", dirty, other))).toBe("not_found");
    const viewer = await hotel.scope("staff", { capabilities: ["rooms.view"], roomIds: [room] });
    expect(await codeOf(undo("dirty", dirty, viewer))).toBe("no_permission");
  });
});

describe("access to the status", () => {
  it("is limited to one's own hotel and granted rooms", async () => {
    const other = await (await world.createHotel()).scope();
    const granted = await hotel.scope("staff", { capabilities: ["rooms.view", "rooms.status"], roomIds: [room] });
    const ungranted = await hotel.scope("staff", { capabilities: ["rooms.view", "rooms.status"], roomIds: [] });
    for (const scope of [other, ungranted]) {
      expect(await codeOf(set("dirty", null, scope))).toBe("not_found");
      expect(await codeOf(rooms.detail(scope, room))).toBe("not_found");
    }
    expect(await codeOf(set("dirty", null, await hotel.scope("staff", { roomIds: [room] })))).toBe("no_permission");
    expect(await statusNow()).toBe("vacant");
    expect(await set("dirty", null, granted)).toEqual(allUpdated());
  });
});
