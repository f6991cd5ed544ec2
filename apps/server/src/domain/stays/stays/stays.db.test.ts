import { DomainError, type ErrorCode } from "@innkey/shared/errors";
import { checkInInput, type reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { addGuest } from "../../desk/add-guest.ts";
import * as stays from "../../desk/public.ts";
import { changeRoomQuote } from "../../desk/quotes.ts";
import { detail } from "../../overview/stays.queries.ts";

// Wednesday 2026-11-18, 15:00 in Berlin.
const NOW = "2026-11-18T14:00:00.000Z";

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
  room = await hotel.createRoom(`R${++serial}`);
});

type Overrides = Partial<z.input<typeof reserveInput>> & Partial<z.input<typeof checkInInput>>;

/** Three nights, Wednesday to Saturday: two at the standard price and one at the weekend price, 350.00. */
function booking(overrides: Overrides = {}) {
  return checkInInput.parse({
    roomId: room,
    unit: "day",
    startsAt: NOW,
    endsAt: "2026-11-21T11:00:00.000Z",
    guests: [{ name: `Ada Lovelace ${serial}`, documentNumber: `P${serial}`, mobile: "", email: "" }],
    ...overrides,
  });
}

async function failure(act: Promise<unknown>): Promise<{ code: ErrorCode; params: object; fields: object }> {
  const error = await act.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DomainError)) throw error ?? new Error("it went through");
  return { code: error.code, params: error.params, fields: error.fields ?? {} };
}

describe("check-in", () => {
  it("charges the quoted price, takes the deposit and occupies the room", async () => {
    const done = await stays.checkIn(owner, booking({ channel: "card" }));
    expect(done).toMatchObject({ totalMinor: 35_000, depositMinor: 20_000 });
    const stay = await detail(owner, done.stayId);
    expect(stay).toMatchObject({ state: "checked_in", expired: false, room: { id: room } });
    expect(stay.money).toEqual({
      chargedMinor: 35_000,
      paidMinor: 35_000,
      owedMinor: 0,
      depositHeldMinor: 20_000,
      depositChannels: ["cash"],
      unusedMinor: 35_000,
    });
    expect(stay.entries.map((entry) => entry.type)).toEqual(["room", "deposit"]);
    expect(stay.entries[0]?.lines.map((line) => [line.date, line.kind, line.amountMinor])).toEqual([
      ["2026-11-18", "usual", 10_000],
      ["2026-11-19", "usual", 10_000],
      ["2026-11-20", "weekend", 15_000],
    ]);
  });

  it("leaves nothing behind when it is refused", async () => {
    await stays.checkIn(owner, booking());
    const count = () =>
      Promise.all([
        world.database.prisma.stay.count(),
        world.database.prisma.guest.count(),
        world.database.prisma.folioEntry.count(),
        world.database.prisma.auditEntry.count(),
      ]);
    const before = await count();
    expect(await failure(stays.checkIn(owner, booking({ guests: [{ name: "Someone Else" }] })))).toMatchObject({
      code: "room_taken",
    });
    expect(await count()).toEqual(before);
  });

  it("refuses a price that changed since it was shown", async () => {
    expect(await failure(stays.checkIn(owner, booking({ expectedTotalMinor: 34_999 })))).toMatchObject({
      code: "price_changed",
      params: { actualMinor: 35_000 },
    });
    await stays.checkIn(owner, booking({ expectedTotalMinor: 35_000 }));
  });

  it("asks for confirmation before a guest has two rooms, naming the first", async () => {
    const first = booking();
    await stays.checkIn(owner, first);
    const other = await hotel.createRoom(`R${serial} other`);
    const again = booking({ roomId: other, guests: first.guests });
    expect(await failure(stays.checkIn(owner, again))).toMatchObject({
      code: "guest_already_in",
      params: { roomName: `R${serial}` },
    });
    await stays.checkIn(owner, { ...again, confirmAlreadyIn: true });
  });

  it("asks for confirmation before it gives out a dirty room", async () => {
    await world.database.prisma.room.update({ where: { id: room }, data: { condition: "dirty" } });
    expect(await failure(stays.checkIn(owner, booking()))).toMatchObject({ code: "room_not_ready" });
    await stays.checkIn(owner, booking({ confirmDirty: true }));
  });

  it("refuses an arrival tomorrow and a departure yesterday", async () => {
    const tomorrow = booking({ startsAt: "2026-11-19T13:00:00.000Z" });
    expect((await failure(stays.checkIn(owner, tomorrow))).fields).toHaveProperty("startsAt");
    const past = booking({ startsAt: "2026-11-16T13:00:00.000Z", endsAt: "2026-11-17T11:00:00.000Z" });
    expect((await failure(stays.checkIn(owner, past))).fields).toHaveProperty("endsAt");
  });

  it("gives one of 100 simultaneous callers the room and leaves no trace of the others", async () => {
    const before = await world.database.prisma.stay.count();
    const attempts = Array.from({ length: 100 }, (_, n) =>
      stays.checkIn(owner, booking({ guests: [{ name: `Racer ${n}` }] })).then(
        () => "in",
        (error: DomainError) => error.code,
      ),
    );
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === "in")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "room_taken")).toHaveLength(99);
    expect(await world.database.prisma.stay.count()).toBe(before + 1);
    expect(await world.database.prisma.guest.count({ where: { name: { startsWith: "Racer" } } })).toBe(1);
  });

  it("by the hour requires an hourly price and charges begun hours", async () => {
    const hours = { unit: "hour", endsAt: "2026-11-18T16:30:00.000Z" } as const;
    expect(await failure(stays.checkIn(owner, booking(hours)))).toMatchObject({ code: "price_missing" });
    const hourly = await hotel.createRoom(`R${serial} hourly`, { hourMinor: 1_500 });
    const done = await stays.checkIn(owner, booking({ ...hours, roomId: hourly }));
    expect(done.totalMinor).toBe(4_500);
  });
});

describe("access to stays", () => {
  it("is limited to the caller's hotel and granted rooms", async () => {
    const { stayId } = await stays.checkIn(owner, booking());
    const stranger = await (await world.createHotel()).scope();
    const capabilities = ["stays.view", "stays.manage"];
    const elsewhere = await hotel.scope("staff", { capabilities, roomIds: [] });
    for (const scope of [stranger, elsewhere]) {
      expect((await failure(detail(scope, stayId))).code).toBe("not_found");
      expect((await failure(stays.cancelReservation(scope, { stayId, refundChannel: "cash" }))).code).toBe("not_found");
      expect((await failure(stays.checkIn(scope, booking()))).code).toBe("not_found");
    }
    const granted = await hotel.scope("staff", { capabilities, roomIds: [room] });
    expect((await detail(granted, stayId)).id).toBe(stayId);
    const viewer = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [room] });
    expect((await failure(stays.checkIn(viewer, booking()))).code).toBe("no_permission");
    expect((await failure(stays.checkIn(granted, booking({ agreedTotalMinor: 100 })))).code).toBe("no_permission");
  });

  it("masks document numbers without the capability", async () => {
    const { stayId } = await stays.checkIn(
      owner,
      booking({ guests: [{ name: "Mara", documentNumber: "C01X 00T47" }] }),
    );
    expect((await detail(owner, stayId)).guests[0]?.documentNumber).toBe("C01X00T47");
    const staff = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [room] });
    expect((await detail(staff, stayId)).guests[0]?.documentNumber).toBe("•••••••47");
  });
});

describe("renewal", () => {
  it("charges the added nights only", async () => {
    const { stayId } = await stays.checkIn(owner, booking({ channel: "cash" }));
    const done = await stays.renew(owner, {
      stayId,
      endsAt: "2026-11-23T11:00:00.000Z",
      agreedTotalMinor: null,
      expectedTotalMinor: 25_000,
      channel: null,
    });
    expect(done).toMatchObject({ totalMinor: 25_000, endsAt: "2026-11-23T11:00:00.000Z" });
    expect((await detail(owner, stayId)).money).toMatchObject({ owedMinor: 25_000, chargedMinor: 60_000 });
  });

  it("is refused beyond the next reservation", async () => {
    const { stayId } = await stays.checkIn(owner, booking());
    await stays.reserve(owner, booking({ startsAt: "2026-11-21T13:00:00.000Z", endsAt: "2026-11-23T11:00:00.000Z" }));
    const input = { stayId, agreedTotalMinor: null, expectedTotalMinor: null, channel: null };
    expect((await failure(stays.renew(owner, { ...input, endsAt: "2026-11-22T11:00:00.000Z" }))).code).toBe(
      "room_taken",
    );
    const sameDay = await stays.renew(owner, { ...input, endsAt: "2026-11-21T12:30:00.000Z" });
    expect(sameDay).toMatchObject({ totalMinor: 0, entryId: null });
  });
});

describe("room change", () => {
  const nothing = { agreedTotalMinor: null, expectedDifferenceMinor: null, disableOldCards: true, confirmDirty: false };

  it("refunds the remaining nights and charges those in the new room", async () => {
    const { stayId } = await stays.checkIn(owner, booking({ channel: "cash" }));
    const dear = await hotel.createRoom(`R${serial} dear`, { usualMinor: 12_000, weekendMinor: 20_000 });
    world.clock.set("2026-11-19T09:00:00.000Z");
    const quoted = await changeRoomQuote(owner, { stayId, roomId: dear });
    expect(quoted).toMatchObject({ creditMinor: -25_000, chargeMinor: 32_000, differenceMinor: 7_000 });
    const done = await stays.changeRoom(owner, {
      ...nothing,
      stayId,
      roomId: dear,
      expectedDifferenceMinor: 7_000,
      channel: "card",
    });
    expect(done.differenceMinor).toBe(7_000);
    const stay = await detail(owner, stayId);
    expect(stay.money).toMatchObject({ chargedMinor: 42_000, owedMinor: 0, unusedMinor: 32_000 });
    expect(stay.occupancies.map(({ roomId, state }) => [roomId, state])).toEqual([
      [room, "ended"],
      [dear, "in_house"],
    ]);
    const roomRow = await world.database.prisma.room.findUniqueOrThrow({ where: { id: room } });
    expect(roomRow.condition).toBe("dirty");
    await stays.checkIn(
      owner,
      booking({ startsAt: "2026-11-19T09:00:00.000Z", guests: [{ name: "Next" }], confirmDirty: true }),
    );
  });

  it("keeps a cheaper room's difference as credit and pays it out at check-out", async () => {
    const { stayId } = await stays.checkIn(owner, booking({ channel: "cash", depositMinor: 0 }));
    const cheap = await hotel.createRoom(`R${serial} cheap`, { usualMinor: 6_000, weekendMinor: 9_000 });
    await stays.changeRoom(owner, { ...nothing, stayId, roomId: cheap, channel: null });
    expect((await detail(owner, stayId)).money.owedMinor).toBe(-14_000);
    world.clock.set("2026-11-21T10:00:00.000Z");
    const out = await stays.checkOut(owner, {
      stayId,
      refundDeposit: true,
      refundUnusedMinor: 0,
      channel: null,
      refundChannel: "cash",
      confirmUnpaid: false,
    });
    expect(out).toMatchObject({ refundMinor: 14_000, owedMinor: 0 });
  });

  it("gives the room to one of 50 stays that want it", async () => {
    const target = await hotel.createRoom(`R${serial} wanted`);
    const stayIds: number[] = [];
    for (let n = 0; n < 50; n += 1) {
      const from = await hotel.createRoom(`R${serial} from ${n}`);
      stayIds.push(
        (await stays.checkIn(owner, booking({ roomId: from, guests: [{ name: `Mover ${serial}-${n}` }] }))).stayId,
      );
    }
    const outcomes = await Promise.all(
      stayIds.map((stayId) =>
        stays.changeRoom(owner, { ...nothing, stayId, roomId: target, channel: null }).then(
          () => "moved",
          (error: DomainError) => error.code,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "moved")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "room_taken")).toHaveLength(49);
    const live = await world.database.prisma.occupancy.count({ where: { stayId: { in: stayIds }, state: "in_house" } });
    expect(live).toBe(50);
  });
});

describe("check-out", () => {
  const plain = {
    refundDeposit: true,
    refundUnusedMinor: 0,
    channel: null,
    refundChannel: "cash",
    confirmUnpaid: false,
  } as const;

  it("requests what is owed, returns the deposit and leaves the room dirty and free", async () => {
    const { stayId } = await stays.checkIn(owner, booking());
    expect(await failure(stays.checkOut(owner, { ...plain, stayId }))).toMatchObject({
      code: "unpaid",
      params: { amountMinor: 15_000 },
    });
    const out = await stays.checkOut(owner, { ...plain, stayId, channel: "card", useDeposit: false });
    expect(out).toMatchObject({ paidMinor: 35_000, refundMinor: 20_000, owedMinor: 0, roomId: room });
    expect((await detail(owner, stayId)).money).toMatchObject({ depositHeldMinor: 0, owedMinor: 0 });
    expect((await failure(stays.checkOut(owner, { ...plain, stayId }))).code).toBe("state_conflict");
    await stays.checkIn(owner, booking({ guests: [{ name: "Next" }], confirmDirty: true }));
  });

  it("refunds the unused nights of an early departure, and no more", async () => {
    const { stayId } = await stays.checkIn(owner, booking({ channel: "cash" }));
    world.clock.set("2026-11-19T09:00:00.000Z");
    const early = { ...plain, stayId };
    expect((await failure(stays.checkOut(owner, { ...early, refundUnusedMinor: 25_001 }))).code).toBe(
      "refund_too_large",
    );
    const out = await stays.checkOut(owner, { ...early, refundUnusedMinor: 25_000 });
    expect(out.refundMinor).toBe(45_000);
    expect((await detail(owner, stayId)).money).toMatchObject({
      chargedMinor: 10_000,
      paidMinor: 10_000,
      owedMinor: 0,
    });
  });

  it("counts the night that is passing as used when a guest leaves after midnight", async () => {
    const { stayId } = await stays.checkIn(owner, booking({ channel: "cash" }));
    world.clock.set("2026-11-20T01:00:00.000Z");
    expect((await detail(owner, stayId)).money.unusedMinor).toBe(15_000);
    const leave = { ...plain, stayId, refundUnusedMinor: 15_001 };
    expect(await failure(stays.checkOut(owner, leave))).toMatchObject({
      code: "refund_too_large",
      params: { leftMinor: 15_000 },
    });
  });

  it("keeps an overdue guest's room from others", async () => {
    await stays.checkIn(owner, booking());
    world.clock.set("2026-11-22T10:00:00.000Z");
    const next = booking({
      startsAt: "2026-11-22T10:00:00.000Z",
      endsAt: "2026-11-23T10:00:00.000Z",
      guests: [{ name: "Next" }],
    });
    expect((await failure(stays.checkIn(owner, next))).code).toBe("room_taken");
  });
});

describe("reservation", () => {
  const tomorrow = { startsAt: "2026-11-19T13:00:00.000Z", endsAt: "2026-11-21T11:00:00.000Z" };

  it("reserves the room, arrives on its day and is charged the quoted price", async () => {
    const { stayId, totalMinor } = await stays.reserve(owner, booking(tomorrow));
    expect(totalMinor).toBe(25_000);
    const input = {
      stayId,
      channel: "card",
      depositMinor: null,
      depositChannel: "cash",
      confirmAlreadyIn: false,
      confirmDirty: false,
    } as const;
    const early = { code: "arrival_too_early", params: { date: "2026-11-19", time: "05:00" } };
    expect(await failure(stays.arrive(owner, input))).toMatchObject(early);
    await world.database.prisma.roomPrice.update({ where: { roomId: room }, data: { usualMinor: 99_900 } });
    world.clock.set("2026-11-19T12:00:00.000Z");
    const done = await stays.arrive(owner, input);
    expect(done).toMatchObject({ totalMinor: 25_000, depositMinor: 20_000 });
    expect((await detail(owner, stayId)).money).toMatchObject({ paidMinor: 25_000, owedMinor: 0 });
    expect((await failure(stays.arrive(owner, input))).code).toBe("state_conflict");
  });

  it("that is cancelled frees the room and refunds everything", async () => {
    const { stayId } = await stays.reserve(owner, booking({ ...tomorrow, channel: "transfer" }));
    await stays.cancelReservation(owner, { stayId, refundChannel: "transfer" });
    expect((await detail(owner, stayId)).money).toMatchObject({ chargedMinor: 0, paidMinor: 0, owedMinor: 0 });
    await stays.reserve(owner, booking(tomorrow));
  });

  it("gives the period to one of 100 reservations", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        stays.reserve(owner, booking({ ...tomorrow, guests: [{ name: `Waiter ${serial}-${n}` }] })).then(
          () => "held",
          (error: DomainError) => error.code,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "held")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "room_taken")).toHaveLength(99);
  });
});

describe("guests of a stay", () => {
  it("are added and removed, but never all of them", async () => {
    const { stayId, stayGuestId } = await stays.checkIn(owner, booking());
    expect((await failure(stays.removeGuest(owner, stayGuestId))).code).toBe("last_guest");
    const guest = booking().guests[0];
    if (!guest) throw new Error("no guest");
    const second = await addGuest(owner, {
      stayId,
      guest: { ...guest, name: "Second", documentNumber: "X9" },
      confirmAlreadyIn: false,
    });
    await stays.removeGuest(owner, stayGuestId);
    const stay = await detail(owner, stayId);
    expect(stay.guests).toMatchObject([{ stayGuestId: second.stayGuestId, primary: true, name: "Second" }]);
  });
});
