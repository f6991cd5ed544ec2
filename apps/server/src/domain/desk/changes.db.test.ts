import { DomainError, type ErrorCode } from "@innkey/shared/errors";
import { prepareCardInput } from "@innkey/shared/schemas/access/cards";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import {
  type ChangeTarget,
  type MoveReservationInput,
  type Timeline,
  timelineOutput,
} from "@innkey/shared/schemas/overview/timeline";
import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import { giveLockSecret } from "../../../test/locks/locks.ts";
import type { Scope } from "../../kernel/scope.ts";
import { prepare } from "../access/cards/cards.service.ts";
import * as passcodes from "../access/passcodes/passcodes.service.ts";
import { BoardReader } from "../overview/board.queries.ts";
import { detail } from "../overview/stays.queries.ts";
import * as timeline from "../overview/timeline.queries.ts";
import { previewChange } from "./change-preview.ts";
import * as stays from "./public.ts";
import { moveReservation, shorten } from "./public.ts";

// Wednesday 2026-11-18, 15:00 in Berlin. Friday and Saturday nights cost 150, the others 100.
const NOW = "2026-11-18T14:00:00.000Z";
const noon = (day: number): string => `2026-11-${day}T11:00:00.000Z`;
const three = (day: number): string => `2026-11-${day}T14:00:00.000Z`;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let room: number;
let other: number;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
async function read(scope: Scope, input: Parameters<typeof timeline.read>[3]): Promise<Timeline> {
  return timelineOutput.strict().parse((await timeline.read(scope, new BoardReader(), "1", input)).toJSON());
}

beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  room = await door("301");
  other = await door("302", { usualMinor: 12_000, weekendMinor: 20_000 });
});

async function door(name: string, prices = {}): Promise<number> {
  const roomId = await hotel.createRoom(name, prices);
  const mac = `02:00:00:00:07:${String(++serial).padStart(2, "0")}`;
  const lock = await world.database.prisma.lock.create({
    data: { hotelId: hotel.id, roomId, mac, configuredAt: owner.now() },
  });
  await giveLockSecret(world.database, owner, lock.id, "3132333435363738393031323334353637383930");
  return roomId;
}

const party = (fields: object) => ({
  roomId: room,
  unit: "day",
  startsAt: three(20),
  endsAt: noon(22),
  guests: [{ name: `Guest ${++serial}` }],
  ...fields,
});
const reserve = (fields: object = {}) => stays.reserve(owner, reserveInput.parse(party(fields)));
const checkIn = (fields: object = {}) => stays.checkIn(owner, checkInInput.parse(party({ startsAt: NOW, ...fields })));
const code = (stayId: number) =>
  passcodes.create(owner, createPasscodeInput.parse({ type: "air", person: "Ann", stayId, roomIds: [room] }));
const to = (stayId: number, target: Partial<ChangeTarget>, extra: Partial<MoveReservationInput> = {}) => ({
  ...{ stayId, roomId: room, startsAt: three(20), endsAt: noon(22) },
  ...{ agreedTotalMinor: null, expectedDifferenceMinor: null, channel: null },
  ...target,
  ...extra,
});
const shorter = (stayId: number, endsAt: string) => ({ stayId, endsAt, expectedDifferenceMinor: null, channel: null });
const credentials = (stayId: number) =>
  world.database.prisma.credential.findMany({ where: { stayId }, orderBy: { id: "asc" } });
const commands = () =>
  world.database.prisma.lockCommand.findMany({ where: { hotelId: hotel.id }, orderBy: { seq: "asc" } });

async function locksAnswer(): Promise<void> {
  const { lockCommand, credential } = world.database.prisma;
  const open = { hotelId: hotel.id, state: "queued" as const };
  await lockCommand.updateMany({ where: open, data: { state: "acknowledged", tries: 1 } });
  await credential.updateMany({ where: open, data: { state: "confirmed" } });
}

async function failure(act: Promise<unknown>): Promise<{ code: ErrorCode; params: object; fields: object }> {
  const error = await act.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DomainError)) throw error ?? new Error("it went through");
  return { code: error.code, params: error.params, fields: error.fields ?? {} };
}

describe("moving a reservation", () => {
  it("to other days, including earlier ones, charges exactly the quoted price", async () => {
    const { stayId, totalMinor } = await reserve();
    expect(totalMinor).toBe(30_000);
    const target = { startsAt: three(18), endsAt: noon(20) };
    const quoted = await previewChange(owner, to(stayId, target));
    expect(quoted).toMatchObject({ kind: "move", refusal: null, differenceMinor: -10_000 });
    expect(quoted.charge.map(({ amountMinor }) => amountMinor)).toEqual([10_000, 10_000]);
    expect(quoted.credit.map(({ amountMinor }) => amountMinor)).toEqual([-15_000, -15_000]);
    const moved = await moveReservation(owner, to(stayId, target, { expectedDifferenceMinor: quoted.differenceMinor }));
    expect(moved).toMatchObject({ roomId: room, differenceMinor: -10_000 });
    const stay = await detail(owner, stayId);
    expect(stay).toMatchObject({
      startsAt: three(18),
      endsAt: noon(20),
      money: { chargedMinor: 20_000, owedMinor: 20_000 },
    });
    expect(stay.entries.at(-1)?.lines.map((line) => line.amountMinor)).toEqual(
      [...quoted.credit, ...quoted.charge].map(({ amountMinor }) => amountMinor),
    );
  });

  it("to another room can be undone", async () => {
    const { stayId } = await reserve();
    const moved = await moveReservation(owner, to(stayId, { roomId: other }));
    expect(moved).toMatchObject({ roomId: other, differenceMinor: 10_000 });
    if (!moved.undo) throw new Error("no way back");
    const back = await moveReservation(owner, { ...to(stayId, {}), ...moved.undo });
    expect(back.differenceMinor).toBe(-10_000);
    const stay = await detail(owner, stayId);
    expect(stay).toMatchObject({ room: { id: room }, money: { chargedMinor: 30_000, owedMinor: 30_000 } });
    for (let n = 0; n < 4; n += 1) await moveReservation(owner, to(stayId, { roomId: n % 2 ? room : other }));
    expect((await detail(owner, stayId)).entries.at(-1)?.lines).toHaveLength(4);
  });

  it("offers no undo for an agreed price or once money was paid", async () => {
    const agreed = await reserve({ agreedTotalMinor: 25_000 });
    expect((await moveReservation(owner, to(agreed.stayId, { roomId: other }))).undo).toBeNull();
    const paid = await reserve({ channel: "cash" });
    const moved = await moveReservation(
      owner,
      to(paid.stayId, { startsAt: three(22), endsAt: noon(24) }, { channel: "cash" }),
    );
    expect(moved).toMatchObject({ differenceMinor: -10_000, undo: null });
    expect((await detail(owner, paid.stayId)).money).toMatchObject({ chargedMinor: 20_000, paidMinor: 20_000 });
  });

  it("is refused for a taken room, a changed price, the past and a checked-in party", async () => {
    const { stayId } = await reserve();
    await reserve({ roomId: other, startsAt: three(21), endsAt: noon(23) });
    expect((await failure(moveReservation(owner, to(stayId, { roomId: other })))).code).toBe("room_taken");
    const cheap = to(stayId, { startsAt: three(19), endsAt: noon(20) }, { expectedDifferenceMinor: 1 });
    expect(await failure(moveReservation(owner, cheap))).toMatchObject({
      code: "price_changed",
      params: { actualMinor: -20_000 },
    });
    const past = to(stayId, { startsAt: three(16), endsAt: noon(19) });
    expect((await failure(moveReservation(owner, past))).fields).toHaveProperty("startsAt");
    expect((await failure(moveReservation(owner, to(stayId, {})))).fields).toHaveProperty("startsAt");
    const currentStay = await checkIn({ endsAt: noon(20) });
    expect((await failure(moveReservation(owner, to(currentStay.stayId, { endsAt: noon(21) })))).code).toBe(
      "state_conflict",
    );
    expect((await detail(owner, stayId)).entries).toHaveLength(1);
  });

  it("moves its codes, which then open on the new days only", async () => {
    const { stayId } = await reserve();
    await code(stayId);
    await locksAnswer();
    await moveReservation(owner, to(stayId, { startsAt: three(24), endsAt: noon(26) }));
    expect(await credentials(stayId)).toMatchObject([
      { state: "queued", roomId: room, validFrom: new Date(three(24)), validTo: new Date(noon(26)) },
    ]);
    await locksAnswer();
    await moveReservation(owner, to(stayId, { roomId: other, startsAt: three(25), endsAt: noon(27) }));
    expect(await credentials(stayId)).toMatchObject([
      { state: "revoking", roomId: room },
      { state: "queued", roomId: other, validFrom: new Date(three(25)), validTo: new Date(noon(27)) },
    ]);
  });

  it("succeeds at one of two desks, and for one of 30 reservations that want the same room", async () => {
    const { stayId } = await reserve();
    const targets = [{ roomId: other }, { startsAt: three(21), endsAt: noon(23) }];
    await Promise.all(targets.map((target) => moveReservation(owner, to(stayId, target))));
    const stay = await detail(owner, stayId);
    expect(stay.money.chargedMinor).toBe(
      stay.entries.flatMap(({ lines }) => lines).reduce((sum, l) => sum + l.amountMinor, 0),
    );
    const live = { stayId, state: "held" as const };
    expect(await world.database.prisma.occupancy.count({ where: live })).toBe(1);

    const otherRoom = await hotel.createRoom("wanted");
    const ids: number[] = [];
    for (let n = 0; n < 30; n += 1) ids.push((await reserve({ roomId: await hotel.createRoom(`from ${n}`) })).stayId);
    const outcomes = await Promise.all(
      ids.map((id) =>
        moveReservation(owner, to(id, { roomId: otherRoom })).then(
          () => "moved",
          (error: DomainError) => error.code,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "moved")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "room_taken")).toHaveLength(29);
  });

  it("is refused for two reservations that would swap rooms, without a deadlock", async () => {
    const [a, b] = [await reserve(), await reserve({ roomId: other })];
    const outcomes = await Promise.all([
      failure(moveReservation(owner, to(a.stayId, { roomId: other }))),
      failure(moveReservation(owner, to(b.stayId, { roomId: room }))),
    ]);
    expect(outcomes.map(({ code: refused }) => refused)).toEqual(["room_taken", "room_taken"]);
  });
});

describe("shortening a stay", () => {
  it("refunds the nights that have not begun, and ends the code earlier", async () => {
    const { stayId } = await checkIn({ endsAt: noon(22), channel: "cash", depositMinor: 0 });
    await code(stayId);
    await locksAnswer();
    const quoted = await previewChange(owner, to(stayId, { startsAt: NOW, endsAt: noon(20) }));
    expect(quoted).toMatchObject({ kind: "shorten", differenceMinor: -30_000, charge: [] });
    const done = await shorten(owner, { ...shorter(stayId, noon(20)), expectedDifferenceMinor: -30_000 });
    expect(done).toMatchObject({ differenceMinor: -30_000, endsAt: noon(20) });
    const stay = await detail(owner, stayId);
    expect(stay).toMatchObject({ endsAt: noon(20), money: { chargedMinor: 20_000, owedMinor: -30_000 } });
    expect(await credentials(stayId)).toMatchObject([{ validTo: new Date(noon(20)) }]);
    await reserve({ startsAt: three(20), endsAt: noon(22) });
  });

  it("keeps at least one night, refunds through a channel, and refuses an end that is not earlier", async () => {
    const { stayId } = await checkIn({ endsAt: noon(20), channel: "cash", depositMinor: 0 });
    expect((await failure(shorten(owner, shorter(stayId, noon(20))))).fields).toHaveProperty("endsAt");
    expect((await failure(shorten(owner, shorter(stayId, NOW)))).fields).toHaveProperty("endsAt");
    const minutes = "2026-11-18T14:30:00.000Z";
    expect((await failure(shorten(owner, shorter(stayId, minutes)))).fields).toHaveProperty("endsAt");
    const evening = "2026-11-18T18:00:00.000Z";
    const done = await shorten(owner, { ...shorter(stayId, evening), channel: "cash" });
    expect(done.differenceMinor).toBe(-10_000);
    expect((await detail(owner, stayId)).money).toMatchObject({
      chargedMinor: 10_000,
      paidMinor: 10_000,
      owedMinor: 0,
    });
  });

  it("that is a reservation refunds in proportion to the agreed price", async () => {
    const { stayId } = await reserve({ agreedTotalMinor: 20_000 });
    expect((await shorten(owner, shorter(stayId, noon(21)))).differenceMinor).toBe(-10_000);
    expect((await detail(owner, stayId)).money).toMatchObject({ chargedMinor: 10_000 });
  });
});

describe("a preview", () => {
  it("names the change, and writes nothing", async () => {
    const { stayId } = await checkIn({ endsAt: noon(20) });
    await code(stayId);
    await locksAnswer();
    const counted = () =>
      Promise.all([commands(), credentials(stayId), detail(owner, stayId), world.database.prisma.auditEntry.count()]);
    const before = await counted();
    const kindOf = async (target: Partial<ChangeTarget>) =>
      (await previewChange(owner, to(stayId, { startsAt: NOW, endsAt: noon(20), ...target }))).kind;
    expect(await kindOf({})).toBe("none");
    expect(await kindOf({ endsAt: noon(21) })).toBe("renew");
    expect(await kindOf({ endsAt: noon(19) })).toBe("shorten");
    expect(await kindOf({ roomId: other })).toBe("changeRoom");
    expect(await counted()).toEqual(before);
    const refused = await previewChange(owner, to(stayId, { startsAt: three(19), endsAt: noon(21) }));
    expect(refused.refusal?.fields).toHaveProperty("startsAt");
    const both = await previewChange(owner, to(stayId, { roomId: other, startsAt: NOW, endsAt: noon(21) }));
    expect(both.refusal?.fields).toHaveProperty("endsAt");
  });

  it("names the stay that is in the way", async () => {
    const { stayId } = await reserve();
    await reserve({ roomId: other, startsAt: three(21), endsAt: noon(23), guests: [{ name: "Mr Way" }] });
    const { refusal, conflicts } = await previewChange(owner, to(stayId, { roomId: other }));
    expect(refusal?.code).toBe("room_taken");
    expect(conflicts).toMatchObject([{ kind: "stay", guestName: "Mr Way", roomName: "302", startsAt: three(21) }]);
  });

  it("lists exactly the commands that the locks get afterwards", async () => {
    const { stayId } = await reserve();
    await code(stayId);
    await locksAnswer();
    const { locks, keys } = await previewChange(owner, to(stayId, { roomId: other }));
    expect(locks.map(({ roomName, tells }) => [roomName, tells])).toMatchObject([
      ["301", [{ kind: "passcode", what: "removed", label: "Ann" }]],
      ["302", [{ kind: "passcode", what: "given", label: "Ann", from: three(20), to: noon(22) }]],
    ]);
    expect(keys).toEqual([]);
    await moveReservation(owner, to(stayId, { roomId: other }));
    const written = (await commands()).filter(({ state }) => state === "queued");
    expect(written.map(({ lockId, type }) => [lockId, type])).toEqual([
      [locks[0]?.lockId, "remove_credential"],
      [locks[1]?.lockId, "set_credential"],
    ]);
    const longer = await previewChange(owner, to(stayId, { roomId: other, endsAt: noon(23) }));
    expect(longer.locks).toMatchObject([{ roomName: "302", tells: [{ what: "retimed", to: noon(23) }] }]);
  });

  it("names the card to write again, and the code that does not move", async () => {
    const { stayId } = await checkIn({ endsAt: noon(20) });
    await prepare(owner, prepareCardInput.parse({ stayId, uid: "A1B2C3D4" }));
    const keysOf = async (target: Partial<ChangeTarget>) =>
      (await previewChange(owner, to(stayId, { startsAt: NOW, endsAt: noon(20), ...target }))).keys;
    expect(await keysOf({ roomId: other })).toMatchObject([{ kind: "card", what: "write_anew" }]);
    expect(await keysOf({ endsAt: noon(21) })).toMatchObject([{ kind: "card", what: "prolong", until: noon(20) }]);
    expect(await keysOf({ endsAt: noon(19) })).toMatchObject([{ kind: "card", what: "opens_until", until: noon(20) }]);
  });
});

describe("access to changes", () => {
  it("is limited to the caller's hotel and rooms, and refunds need the permission", async () => {
    const { stayId } = await reserve({ channel: "cash" });
    const stranger = await (await world.createHotel()).scope();
    const capabilities = ["stays.view", "stays.manage"];
    const elsewhere = await hotel.scope("staff", { capabilities, roomIds: [] });
    const half = await hotel.scope("staff", { capabilities, roomIds: [room] });
    for (const scope of [stranger, elsewhere]) {
      for (const act of [
        () => previewChange(scope, to(stayId, { endsAt: noon(23) })),
        () => moveReservation(scope, to(stayId, { endsAt: noon(23) })),
        () => shorten(scope, shorter(stayId, noon(21))),
      ])
        expect((await failure(act())).code).toBe("not_found");
    }
    expect((await failure(previewChange(half, to(stayId, { roomId: other })))).code).toBe("not_found");
    expect((await failure(moveReservation(half, to(stayId, { roomId: other })))).code).toBe("not_found");
    expect((await failure(shorten(half, { ...shorter(stayId, noon(21)), channel: "cash" }))).code).toBe(
      "payout_not_allowed",
    );
    expect((await failure(moveReservation(half, to(stayId, {}, { agreedTotalMinor: 1 })))).code).toBe("no_permission");
    await shorten(half, shorter(stayId, noon(21)));
    const viewer = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [room] });
    expect((await failure(previewChange(viewer, to(stayId, {})))).code).toBe("no_permission");
    expect((await failure(shorten(viewer, shorter(stayId, noon(20))))).code).toBe("no_permission");
    expect((await read(viewer, { from: "2026-11-18", days: 7 })).rooms.map(({ id }) => id)).toEqual([room]);
    expect((await read(stranger, { from: "2026-11-18", days: 7 })).bars).toEqual([]);
  });
});

describe("the timeline", () => {
  it("shows rooms with their stays and what the desk must know", async () => {
    const currentStay = await checkIn({ endsAt: noon(20), breakfast: true, channel: "cash" });
    const later = await reserve();
    const timeline = await read(owner, { from: "2026-11-18", days: 7 });
    expect(timeline.days).toHaveLength(7);
    expect(timeline.days[0]).toEqual({ date: "2026-11-18", startsAt: "2026-11-17T23:00:00.000Z" });
    expect(timeline.rooms.map(({ name, status }) => [name, status])).toEqual([
      ["301", "checked_in"],
      ["302", "vacant"],
    ]);
    expect(timeline.bars).toMatchObject([
      {
        state: "in_house",
        stay: { stayId: currentStay.stayId, breakfast: true, owed: false, expired: false, guestCount: 1 },
      },
      { state: "held", startsAt: three(20), endsAt: noon(22), stay: { stayId: later.stayId, owed: true } },
    ]);
    expect((await read(owner, { from: "2026-11-20", days: 1 })).bars).toHaveLength(2);
    expect((await read(owner, { from: "2026-11-22", days: 1 })).bars).toHaveLength(1);
    expect((await read(owner, { from: "2026-11-23", days: 7 })).bars).toHaveLength(0);
  });

  it("shows an overdue party until now, and no cancelled reservation", async () => {
    const { stayId } = await checkIn({ endsAt: noon(19) });
    const reservation = await reserve();
    await stays.cancelReservation(owner, { stayId: reservation.stayId, refundChannel: "cash" });
    world.clock.set("2026-11-25T10:00:00.000Z");
    const { bars } = await read(owner, { from: "2026-11-24", days: 7 });
    expect(bars).toMatchObject([{ endsAt: noon(19), stay: { stayId, expired: true } }]);
  });

  it("begins by the hotel's own day, or some days before it", async () => {
    world.clock.set("2026-11-24T23:30:00.000Z");
    const firstDay = async (input: { from?: string; before?: number }): Promise<string | undefined> =>
      (await read(owner, { ...input, days: 2 })).days[0]?.date;
    expect(await firstDay({})).toBe("2026-11-25");
    expect(await firstDay({ before: 1 })).toBe("2026-11-24");
    expect(await firstDay({ from: "2026-12-01", before: 1 })).toBe("2026-11-30");
  });

  it("has days of 23 hours when the clock skips one", async () => {
    const { days, endsAt } = await read(owner, { from: "2027-03-28", days: 1 });
    expect(Date.parse(endsAt) - Date.parse(days[0]?.startsAt ?? "")).toBe(23 * 3_600_000);
  });
});
