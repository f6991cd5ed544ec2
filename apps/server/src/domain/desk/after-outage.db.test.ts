import { type PaperConflict, type PaperRow, paperRow, paperRows } from "@innkey/shared/schemas/overview/outage";
import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import { checkPaperRows, readOutage } from "../overview/outage.queries.ts";
import { detail } from "../overview/stays.queries.ts";
import { applyPaperRow } from "./after-outage.ts";
import * as desk from "./public.ts";

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
  for (const name of ["101", "102", "103"]) rooms.push(await hotel.createRoom(name));
  await world.database.pool.query("DELETE FROM server_pulse");
});

const hours = (count: number): string => new Date(world.clock.now().getTime() + count * HOUR_MS).toISOString();
const roomOf = (index: number): number => rooms[index] ?? 0;
const party = (room: number, from: number, to: number, name: string) => ({
  ...{ roomId: roomOf(room), unit: "day", startsAt: hours(from), endsAt: hours(to), guests: [{ name }] },
});
const moveIn = async (room: number, from: number, to: number, name: string, fields: object = {}): Promise<number> =>
  (await desk.checkIn(owner, checkInInput.parse({ ...party(room, from, to, name), ...fields }))).stayId;
const reserve = (room: number, from: number, to: number, name: string) =>
  desk.reserve(owner, reserveInput.parse(party(room, from, to, name)));

const arrival = (room: number, guestName: string, from = -5, to = 20): PaperRow =>
  paperRow.parse({ act: "check_in", roomId: roomOf(room), guestName, startsAt: hours(from), endsAt: hours(to) });
const departure = (room: number, at = -4): PaperRow =>
  paperRow.parse({ act: "check_out", roomId: roomOf(room), at: hours(at) });
const move = (from: number, to: number, at = -4): PaperRow =>
  paperRow.parse({ act: "change_room", fromRoomId: roomOf(from), roomId: roomOf(to), at: hours(at) });
const check = (...rows: PaperRow[]): Promise<PaperConflict[][]> => checkPaperRows(owner, rows);
const kindsOf = (checked: PaperConflict[][]): string[][] => checked.map((row) => row.map(({ kind }) => kind));

/** Puts a lock on a room, last in contact at `seenAt` hours from now. */
async function putLock(room: number, seenAt: number): Promise<number> {
  const lock = await world.database.prisma.lock.create({
    data: {
      hotelId: hotel.id,
      roomId: roomOf(room),
      mac: `AA:BB:CC:00:00:0${room}`,
      lastSeenAt: new Date(hours(seenAt)),
    },
  });
  return lock.id;
}

/** Records that a key of the stay opened the door of the room. */
async function openDoor(lockId: number, room: number, stayId: number, at: number): Promise<void> {
  const { database } = world;
  const guest = await database.prisma.stayGuest.findFirstOrThrow({ where: { stayId } });
  await database.prisma.unlockRecord.create({
    data: {
      ...{ hotelId: hotel.id, lockId, lockSeq: 1n, roomId: roomOf(room), stayGuestId: guest.id },
      ...{ at: new Date(hours(at)), style: "card", success: true },
    },
  });
}

describe("checking", () => {
  it("finds rooms that another party is in, that are reserved from a date, or that an earlier row takes", async () => {
    await moveIn(0, -20, 20, "Ann");
    await reserve(1, 10, 30, "Ben");
    const checked = await check(arrival(0, "Cleo"), arrival(1, "Dora"), arrival(2, "Eve"), arrival(2, "Finn"));
    expect(checked).toMatchObject([
      [{ kind: "room_occupied", roomName: "101", guestName: "Ann" }],
      [{ kind: "room_reserved", roomName: "102", guestName: "Ben", at: hours(10) }],
      [],
      [{ kind: "room_in_list", roomName: "103", guestName: "Eve" }],
    ]);
  });

  it("names the room into which an earlier row checks a guest of that name", async () => {
    expect(await check(arrival(0, "Ann Lee"), arrival(1, "ann lee"))).toMatchObject([
      [],
      [{ kind: "guest_in_list", guestName: "ann lee", roomName: "101" }],
    ]);
  });

  it("counts a room as free that an earlier row vacates, and only if that row has no conflict", async () => {
    await moveIn(0, -20, 20, "Ann");
    await moveIn(1, -20, 20, "Ben");
    expect(kindsOf(await check(departure(0), arrival(0, "Cleo"), move(1, 2), arrival(1, "Dora")))).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(kindsOf(await check(departure(0, -24), arrival(0, "Cleo")))).toEqual([
      ["before_arrival"],
      ["room_occupied"],
    ]);
  });

  it("finds guests of that name in the house and among those expected", async () => {
    await moveIn(0, -20, 20, "Ann Lee");
    await reserve(1, -2, 20, "Ben Ray");
    expect(await check(arrival(2, "ann lee"), arrival(1, "Ben Ray"), arrival(2, "Cleo"))).toMatchObject([
      [{ kind: "guest_in_house", roomName: "101" }],
      [{ kind: "guest_expected", roomName: "102", guestName: "Ben Ray" }],
      [],
    ]);
  });

  it("finds empty rooms, and times that can't be", async () => {
    await moveIn(0, -20, -1, "Ann", { endsAt: hours(1) });
    world.clock.advance(2 * HOUR_MS);
    expect(
      kindsOf(
        await check(
          departure(1),
          arrival(1, "Ben", 1, 30),
          arrival(1, "Ben", -32 * 24, 30),
          arrival(1, "Ben", -6, -1),
          move(0, 2),
          departure(0, 2),
        ),
      ),
    ).toEqual([["room_empty"], ["time_future"], ["time_old"], ["departure_past"], ["stay_over"], ["time_future"]]);
  });

  it("says that a key of the party opened the door after it had left, or that the lock hasn't reported", async () => {
    const stayId = await moveIn(0, -20, 20, "Ann");
    const lockId = await putLock(0, -10);
    expect(await check(departure(0))).toMatchObject([
      [{ kind: "lock_silent", roomName: "101", lockId, at: hours(-10) }],
    ]);
    await world.database.prisma.lock.update({ where: { id: lockId }, data: { lastSeenAt: new Date(hours(-1)) } });
    expect(kindsOf(await check(departure(0)))).toEqual([[]]);
    // Seen before the end of the outage: what happened meanwhile may still come.
    await world.database.pool.query(
      "INSERT INTO server_pulse (id, seen_at, off_from, off_until) VALUES (1, $3, $1, $2)",
      [hours(-8), hours(-0.5), hours(0)],
    );
    expect(kindsOf(await check(departure(0)))).toEqual([["lock_silent"]]);
    await world.database.prisma.lock.update({ where: { id: lockId }, data: { lastSeenAt: new Date(hours(0)) } });
    await openDoor(lockId, 0, stayId, -3);
    expect(await check(departure(0))).toMatchObject([[{ kind: "opened_after", at: hours(-3), guestName: "Ann" }]]);
    expect(kindsOf(await check(departure(0, -2)))).toEqual([[]]);
  });

  it("says before an arrival that a key of a stay that has ended opened the door after it", async () => {
    const stayId = await moveIn(0, -20, 20, "Ann");
    const lockId = await putLock(0, 0);
    await applyPaperRow(owner, departure(0, -6));
    await openDoor(lockId, 0, stayId, -3);
    expect(await check(arrival(0, "Ben"))).toMatchObject([[{ kind: "opened_after", guestName: "Ann", at: hours(-3) }]]);
  });

  it("tells staff nothing of rooms that aren't theirs, and nothing of locks and doors that they can't see", async () => {
    await moveIn(0, -20, 20, "Ann Lee");
    await moveIn(1, -20, 20, "Ben");
    await putLock(1, -10);
    const capabilities = ["rooms.view", "stays.view", "stays.manage"] as const;
    const clerk = await hotel.scope("staff", { capabilities: [...capabilities], roomIds: [roomOf(1), roomOf(2)] });
    expect(await checkPaperRows(clerk, [departure(0), arrival(2, "Ann Lee"), departure(1)])).toMatchObject([
      [{ kind: "room_unknown", roomName: null, guestName: null }],
      [],
      [{ kind: "lock_silent", at: null }],
    ]);
    const viewer = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [roomOf(1)] });
    await expect(checkPaperRows(viewer, [])).rejects.toMatchObject({ code: "no_permission" });
  });

  it("limits the number of rows", () => {
    expect(paperRows.safeParse({ rows: Array.from({ length: 41 }, () => departure(0)) }).success).toBe(false);
  });
});

describe("applying", () => {
  const auditOf = (stayId: number) =>
    world.database.pool
      .query<{ action: string; after: unknown }>(
        "SELECT action, after FROM audit_entry WHERE hotel_id = $1 AND entity_id = $2 ORDER BY id DESC LIMIT 2",
        [hotel.id, String(stayId)],
      )
      .then(({ rows }) => rows);

  it("checks in from the time on paper, unpaid and without a deposit", async () => {
    const { stayId, conflicts } = await applyPaperRow(owner, arrival(0, "Ann Lee"));
    expect(conflicts).toEqual([]);
    const stay = await detail(owner, stayId ?? 0);
    expect(stay).toMatchObject({ state: "checked_in", startsAt: hours(-5), guests: [{ name: "Ann Lee" }] });
    expect(stay.money).toMatchObject({ paidMinor: 0, depositHeldMinor: 0 });
    expect(await auditOf(stayId ?? 0)).toMatchObject([
      { action: "stay.after_outage", after: { act: "check_in", at: hours(-5) } },
      { action: "stay.check_in" },
    ]);
  });

  it("checks out now, leaves owed what the deposit doesn't cover, and records the time on paper", async () => {
    const stayId = await moveIn(0, -20, 20, "Ann", { depositMinor: 5_000, depositChannel: "cash" });
    expect(await applyPaperRow(owner, departure(0))).toEqual({ stayId, conflicts: [] });
    const { state, money } = await detail(owner, stayId);
    expect(state).toBe("checked_out");
    expect(money).toMatchObject({ paidMinor: 5_000, depositHeldMinor: 0 });
    expect(money.owedMinor).toBeGreaterThan(0);
    expect(await auditOf(stayId)).toMatchObject([
      { action: "stay.after_outage", after: { act: "check_out", at: hours(-4) } },
      { action: "stay.check_out" },
    ]);
  });

  it("moves a party into another room", async () => {
    const stayId = await moveIn(0, -20, 20, "Ann");
    expect(await applyPaperRow(owner, move(0, 1))).toEqual({ stayId, conflicts: [] });
    expect((await detail(owner, stayId)).room.name).toBe("102");
    expect((await auditOf(stayId))[0]).toMatchObject({ action: "stay.after_outage", after: { act: "change_room" } });
  });

  it("changes nothing if something speaks against the row, also the second time", async () => {
    const row = arrival(0, "Ann");
    await applyPaperRow(owner, row);
    const again = await applyPaperRow(owner, row);
    expect(again.stayId).toBeNull();
    expect(again.conflicts.map(({ kind }) => kind)).toContain("guest_in_house");
    expect(await world.database.prisma.stay.count({ where: { hotelId: hotel.id } })).toBe(1);
  });
});

describe("an outage", () => {
  const setPulse = (from: number, until: number) =>
    world.database.pool.query("INSERT INTO server_pulse (id, seen_at, off_from, off_until) VALUES (1, $2, $1, $2)", [
      hours(from),
      hours(until),
    ]);

  it("is shown for two days to those who enter stays", async () => {
    expect(await readOutage(owner)).toBeNull();
    await setPulse(-9, -1);
    expect(await readOutage(owner)).toEqual({ from: hours(-9), until: hours(-1) });
    expect(await readOutage(await hotel.scope("staff", { capabilities: ["stays.view"] }))).toBeNull();
    world.clock.advance(48 * HOUR_MS);
    expect(await readOutage(owner)).toBeNull();
  });
});
