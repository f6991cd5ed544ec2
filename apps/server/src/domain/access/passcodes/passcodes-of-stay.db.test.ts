import { createPasscodeInput, type PasscodeCreated, passcodesInput } from "@innkey/shared/schemas/access/passcodes";
import { roomInput } from "@innkey/shared/schemas/property/rooms";
import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { giveLockSecret } from "../../../../test/locks/locks.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { save as saveRoom } from "../../desk/save-room.ts";
import { openArgs } from "../lock-commands/commands.ts";
import * as queries from "./passcodes.queries.ts";
import * as passcodes from "./passcodes.service.ts";

// Wednesday 2026-11-18, 15:00 in Berlin.
const NOW = "2026-11-18T14:00:00.000Z";
const END = "2026-11-21T11:00:00.000Z";
const LATER = "2026-11-22T11:00:00.000Z";
const SECRET = "3132333435363738393031323334353637383930";
const HOUR_MS = 3_600_000;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let roomId: number;
let nextRoomId: number;
let gymId: number;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  roomId = await door("305");
  nextRoomId = await door("306");
  gymId = await door("Gym");
});

async function door(name: string): Promise<number> {
  const id = await hotel.createRoom(name);
  const mac = `02:00:00:00:02:${String(++serial).padStart(2, "0")}`;
  const lock = await world.database.prisma.lock.create({
    data: { hotelId: hotel.id, roomId: id, mac, configuredAt: owner.now() },
  });
  await giveLockSecret(world.database, owner, lock.id, SECRET);
  return id;
}

type Booking = Partial<Parameters<typeof reserveInput.parse>[0] & object>;
const booking = (fields: Booking) => ({
  roomId,
  unit: "day",
  startsAt: NOW,
  endsAt: END,
  guests: [{ name: `Guest ${++serial}`, mobile: "", email: "" }],
  ...fields,
});
const checkIn = (fields: Booking = {}) => stays.checkIn(owner, checkInInput.parse(booking(fields)));
const reserve = (fields: Booking = {}) => stays.reserve(owner, reserveInput.parse(booking(fields)));
const renew = (stayId: number, endsAt = LATER) =>
  stays.renew(owner, { stayId, endsAt, unit: "day", agreedTotalMinor: null, expectedTotalMinor: null, channel: null });
const changeRoom = (stayId: number, to: number) =>
  stays.changeRoom(owner, {
    stayId,
    roomId: to,
    confirmDirty: true,
    agreedTotalMinor: null,
    expectedDifferenceMinor: null,
    channel: null,
    disableOldCards: false,
  });
const checkOut = (stayId: number) =>
  stays.checkOut(owner, {
    stayId,
    confirmUnpaid: true,
    refundDeposit: true,
    refundUnusedMinor: 0,
    channel: null,
    refundChannel: "cash",
  });

type PasscodeFields = Partial<Parameters<typeof createPasscodeInput.parse>[0] & object>;
const create = (fields: PasscodeFields): Promise<PasscodeCreated> =>
  passcodes.create(owner, createPasscodeInput.parse({ type: "air", roomIds: [roomId], person: "Ann", ...fields }));
const own = (code: string, fields: PasscodeFields = {}) => create({ type: "custom", code, ...fields });
const listCodes = async (filter: object = {}) => (await queries.list(owner, passcodesInput.parse(filter))).rows;
const refusal = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** Acknowledges all queued commands, as if every lock had answered. */
async function locksAnswer(): Promise<void> {
  const { lockCommand, credential } = world.database.prisma;
  const open = { hotelId: hotel.id, state: "queued" as const };
  await lockCommand.updateMany({ where: open, data: { state: "acknowledged", tries: 1 } });
  await credential.updateMany({ where: open, data: { state: "confirmed" } });
}

/** Returns the commands not yet acknowledged, in order. */
async function waiting() {
  const rows = await world.database.prisma.lockCommand.findMany({
    where: { hotelId: hotel.id, state: "queued" },
    orderBy: { seq: "asc" },
    include: { lock: { select: { roomId: true } } },
  });
  return rows.map(({ type, lock, ...command }) => ({
    type,
    roomId: lock.roomId,
    ...(openArgs(owner, command) as object),
  }));
}

describe("a party's code", () => {
  it("is valid during the stay and the hotel's buffers", async () => {
    Object.assign(owner.hotel, { accessEarlyMinutes: 30, accessLateMinutes: 60 });
    const { stayId, stayGuestId } = await reserve();
    await create({ stayId });
    expect(await listCodes({ stayId })).toMatchObject([
      { stayId, stayGuestId, validFrom: "2026-11-18T13:30:00.000Z", validTo: "2026-11-21T12:00:00.000Z" },
    ]);
  });

  it("opens the stay's room, and other rooms on request", async () => {
    const { stayId } = await checkIn();
    expect(await refusal(create({ stayId, roomIds: [gymId] }))).toMatchObject({
      fields: { roomIds: expect.anything() },
    });
    await create({ stayId, roomIds: [roomId, gymId] });
    expect(await listCodes()).toMatchObject([{ roomNames: "305, Gym" }]);
  });

  it("is refused once the stay is over, cancelled, or past its departure", async () => {
    const { stayId } = await checkIn();
    world.clock.set(END);
    expect(await refusal(create({ stayId }))).toMatchObject({ code: "stay_expired" });
    await checkOut(stayId);
    expect(await refusal(create({ stayId }))).toMatchObject({ code: "state_conflict" });
    const stranger = await (await world.createHotel()).scope();
    const theirs = passcodes.create(
      stranger,
      createPasscodeInput.parse({ type: "air", roomIds: [1], stayId, person: "x" }),
    );
    expect(await refusal(theirs)).toMatchObject({ code: "not_found" });
  });

  it("is valid from now on for an early arrival, and still after a renewal", async () => {
    const early = { startsAt: "2026-11-18T17:00:00.000Z" };
    const { stayId } = await reserve(early);
    await create({ stayId });
    expect(await listCodes()).toMatchObject([{ validFrom: early.startsAt }]);
    await stays.arrive(owner, {
      stayId,
      confirmDirty: false,
      confirmAlreadyIn: false,
      channel: null,
      depositMinor: null,
      depositChannel: "cash",
    });
    expect(await listCodes()).toMatchObject([{ validFrom: NOW, credentials: [{ validFrom: NOW }] }]);
    await create({ stayId, person: "Bob" });
    await renew(stayId);
    expect(await listCodes()).toMatchObject([
      { validFrom: NOW, validTo: LATER },
      { validFrom: NOW, validTo: LATER },
    ]);
  });
});

describe("renewal", () => {
  it("extends every code of the stay and sends it to the locks again", async () => {
    const { stayId } = await checkIn();
    const { code } = await create({ stayId, roomIds: [roomId, gymId] });
    await locksAnswer();
    await renew(stayId);
    expect(await waiting()).toMatchObject([
      { type: "set_credential", roomId, code, validTo: LATER },
      { type: "set_credential", roomId: gymId, code, validTo: LATER },
    ]);
    expect(await listCodes()).toMatchObject([
      { validTo: LATER, credentials: [{ state: "queued", validTo: LATER }, { state: "queued" }] },
    ]);
  });

  it("leaves permanent and one-time codes unchanged", async () => {
    const { stayId } = await checkIn();
    await create({ stayId, type: "one_time" });
    const { passcodeId } = await create({});
    await locksAnswer();
    await renew(stayId);
    expect(await waiting()).toEqual([]);
    expect((await listCodes()).find(({ id }) => id === passcodeId)).toMatchObject({ validTo: null });
  });

  it("succeeds where somebody else has the same code later, and keeps the code's old end", async () => {
    const { stayId } = await checkIn();
    await own("402867", { stayId });
    await own("402867", { validFrom: END });
    await renew(stayId);
    const [, stayCode] = await listCodes();
    expect(stayCode).toMatchObject({ stayId, validTo: END, credentials: [{ validTo: END }] });
  });
});

describe("a room change", () => {
  it("moves the code to the new door, and ends it at the old one", async () => {
    const { stayId } = await checkIn();
    const { code } = await create({ stayId, roomIds: [roomId, gymId] });
    await locksAnswer();
    world.clock.advance(HOUR_MS);
    await changeRoom(stayId, nextRoomId);
    expect(await waiting()).toMatchObject([
      { type: "remove_credential", roomId },
      { type: "set_credential", roomId: nextRoomId, code, validTo: END },
    ]);
    const [row] = await listCodes();
    expect(row).toMatchObject({ roomNames: "306, Gym" });
    expect(row?.credentials.map(({ roomName, state }) => [roomName, state])).toEqual([
      ["305", "revoking"],
      ["Gym", "confirmed"],
      ["306", "queued"],
    ]);
  });

  it("ends the code where another valid one is the same, and still succeeds", async () => {
    const { stayId } = await checkIn();
    await own("402867", { stayId });
    await own("402867", { roomIds: [nextRoomId] });
    await locksAnswer();
    await changeRoom(stayId, nextRoomId);
    expect((await waiting()).map(({ type }) => type)).toEqual(["remove_credential"]);
    expect(await listCodes({ state: "ended" })).toMatchObject([{ stayId, credentials: [{ state: "revoking" }] }]);
  });

  it("and back gives the old door its code again, even if that never confirmed the removal", async () => {
    const { stayId } = await checkIn();
    const { code } = await create({ stayId });
    await locksAnswer();
    await changeRoom(stayId, nextRoomId);
    await changeRoom(stayId, roomId);
    const [row] = await listCodes();
    expect(row?.credentials.map(({ roomName, state }) => [roomName, state])).toEqual([
      ["305", "queued"],
      ["306", "revoked"],
    ]);
    expect(await waiting()).toMatchObject([{ type: "set_credential", roomId, code }]);
  });

  it("of a reservation does not affect the guests who are in the room now", async () => {
    const guest = await checkIn({ roomId: nextRoomId });
    const { passcodeId } = await create({ stayId: guest.stayId, roomIds: [nextRoomId] });
    const later = await reserve({ startsAt: "2026-11-24T14:00:00Z", endsAt: "2026-11-25T11:00:00Z" });
    await create({ stayId: later.stayId });
    await locksAnswer();
    await changeRoom(later.stayId, nextRoomId);
    const rows = await listCodes({ roomId: nextRoomId });
    expect(rows).toHaveLength(2);
    expect(rows.find(({ id }) => id === passcodeId)).toMatchObject({ credentials: [{ state: "confirmed" }] });
  });

  it("does not move one-time codes", async () => {
    const { stayId } = await checkIn();
    await create({ stayId, type: "one_time" });
    await changeRoom(stayId, nextRoomId);
    expect(await waiting()).toMatchObject([{ type: "skip_code", roomId, counter: 0 }]);
    expect(await listCodes()).toEqual([]);
  });
});

describe("another lock on the door", () => {
  it("that is set on the room's form gets the party's codes too", async () => {
    const { stayId } = await checkIn();
    const { code } = await create({ stayId });
    await locksAnswer();
    const mac = `A4:C1:38:00:09:${String(++serial).padStart(2, "0")}`;
    await saveRoom(owner, roomInput.parse({ id: roomId, name: "305", groupId: null, lock: { mac } }));
    const lock = await world.database.prisma.lock.findFirstOrThrow({ where: { roomId } });
    expect(lock.mac).toBe(mac);
    expect(await waiting()).toMatchObject([
      { type: "remove_credential", roomId: null },
      { type: "set_credential", roomId, code, validTo: END },
    ]);
  });
});

describe("the end of a stay", () => {
  it("ends its codes at every door, including shared ones", async () => {
    const { stayId } = await checkIn();
    await create({ stayId, roomIds: [roomId, gymId] });
    await create({ stayId, type: "one_time" });
    const hotel = await create({ person: "Housekeeping" });
    await locksAnswer();
    await checkOut(stayId);
    expect((await listCodes()).map(({ id }) => id)).toEqual([hotel.passcodeId]);
    const ended = await listCodes({ state: "ended" });
    expect(ended.map(({ credentials }) => credentials.map(({ state }) => state))).toEqual([
      ["revoking"],
      ["revoking", "revoking"],
    ]);
    expect((await waiting()).map(({ type, roomId: at }) => [type, at])).toEqual(
      expect.arrayContaining([
        ["remove_credential", roomId],
        ["skip_code", roomId],
        ["remove_credential", gymId],
      ]),
    );
  });

  it("by cancelling takes back codes that were sent in advance", async () => {
    const { stayId } = await reserve({ startsAt: "2026-11-24T14:00:00Z", endsAt: "2026-11-25T11:00:00Z" });
    await create({ stayId });
    await stays.cancelReservation(owner, { stayId, refundChannel: "cash" });
    expect(await listCodes({ state: "ended" })).toMatchObject([{ credentials: [{ state: "revoked" }] }]);
    expect(await waiting()).toEqual([]);
  });

  it("comes at the latest with the next guest, who does not affect a later reservation's code", async () => {
    const first = await checkIn({ endsAt: "2026-11-19T11:00:00Z" });
    await create({ stayId: first.stayId });
    const later = await reserve({ startsAt: "2026-11-24T14:00:00Z", endsAt: "2026-11-25T11:00:00Z" });
    const ahead = await create({ stayId: later.stayId });
    await locksAnswer();
    await checkOut(first.stayId);
    world.clock.set("2026-11-19T13:00:00.000Z");
    await checkIn({ startsAt: "2026-11-19T13:00:00Z", endsAt: "2026-11-20T11:00:00Z", confirmDirty: true } as Booking);
    expect((await listCodes()).map(({ id }) => id)).toEqual([ahead.passcodeId]);
  });
});
