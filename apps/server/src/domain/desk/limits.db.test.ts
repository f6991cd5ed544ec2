import { MAX_MINOR } from "@innkey/shared/money";
import { shortenInput } from "@innkey/shared/schemas/overview/timeline";
import { changeRoomInput, checkInInput, checkOutInput, renewInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import { detail } from "../overview/stays.queries.ts";
import * as stays from "./public.ts";
import { moveReservation, shorten } from "./public.ts";
import { changeRoomQuote, quote, renewQuote } from "./quotes.ts";

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
  const dear = { depositMinor: 0, usualMinor: MAX_MINOR, weekendMinor: MAX_MINOR, hourMinor: MAX_MINOR };
  room = await hotel.createRoom(`X${++serial}`, dear);
});

const booking = (overrides: object = {}) =>
  checkInInput.parse({
    roomId: room,
    unit: "day",
    startsAt: NOW,
    endsAt: "2026-11-19T11:00:00.000Z",
    guests: [{ name: `Guest ${serial}` }],
    ...overrides,
  });

it("refuses a stay that costs more than an account can hold, when quoted or booked", async () => {
  for (const unit of ["day", "hour"] as const) {
    const long = booking({ unit, endsAt: "2026-12-01T11:00:00.000Z" });
    await expect(quote(owner, long)).rejects.toMatchObject({ code: "invalid_input" });
    await expect(stays.checkIn(owner, long)).rejects.toMatchObject({ code: "invalid_input" });
    await expect(stays.reserve(owner, long)).rejects.toMatchObject({ code: "invalid_input" });
  }
});

it("refuses charges that would exceed the limit step by step, so that the stay can always be settled", async () => {
  const { stayId } = await stays.checkIn(owner, booking());
  const renewal = (day: number, agreedTotalMinor: number | null) =>
    stays.renew(owner, {
      stayId,
      endsAt: `2026-11-${day}T11:00:00.000Z`,
      agreedTotalMinor,
      expectedTotalMinor: null,
      channel: null,
    });
  const outcomes = [];
  for (const [day, agreed] of [
    [20, MAX_MINOR],
    [21, null],
    [22, MAX_MINOR],
  ] as const)
    outcomes.push(
      await renewal(day, agreed).then(
        () => "renewed",
        (error) => error.code,
      ),
    );
  expect(outcomes).toEqual(["renewed", "invalid_input", "invalid_input"]);
  const other = await hotel.createRoom(`X${serial} other`, { usualMinor: MAX_MINOR, weekendMinor: MAX_MINOR });
  const exchange = {
    agreedTotalMinor: null,
    expectedDifferenceMinor: null,
    disableOldCards: true,
    confirmDirty: false,
  };
  await stays.changeRoom(owner, { ...exchange, stayId, roomId: other, channel: null });
  const out = await stays.checkOut(owner, {
    stayId,
    refundDeposit: true,
    refundUnusedMinor: 0,
    channel: "card",
    refundChannel: "cash",
    confirmUnpaid: false,
  });
  expect(out).toMatchObject({ owedMinor: 0 });
  expect((await detail(owner, stayId)).money.owedMinor).toBe(0);
});

it("refuses a guest's credit above the limit, so that the stay can always be settled", async () => {
  const { stayId } = await stays.checkIn(owner, booking({ channel: "cash" }));
  const [short, long] = ["2026-11-19T11:00:00.000Z", "2026-11-20T11:00:00.000Z"];
  const renewal = { stayId, endsAt: long, agreedTotalMinor: null, expectedTotalMinor: null, channel: "cash" as const };
  const credits: number[] = [];
  const giveBack = () => shorten(owner, shortenInput.parse({ stayId, endsAt: short }));
  // What was paid for the night that is given back stays a credit, and the next renewal is paid again.
  for (let round = 0; round < 2; round += 1) {
    await stays.renew(owner, renewal);
    await giveBack();
    credits.push(-(await detail(owner, stayId)).money.owedMinor);
  }
  expect(credits).toEqual([MAX_MINOR, 2 * MAX_MINOR]);
  await stays.renew(owner, renewal);
  await expect(giveBack()).rejects.toMatchObject({ code: "invalid_input" });
  const out = await stays.checkOut(owner, { ...checkOutInput.parse({ stayId }), refundChannel: "cash" });
  expect(out).toMatchObject({ owedMinor: 0, refundMinor: 2 * MAX_MINOR });
});

it("refuses a payout for a cheaper room that exceeds one entry", async () => {
  const cheap = await hotel.createRoom(`X${serial} cheap`, { usualMinor: 100, weekendMinor: 100 });
  const { stayId } = await stays.checkIn(owner, booking({ endsAt: "2026-11-20T11:00:00.000Z", channel: "cash" }));
  const move = (roomId: number, channel: "cash" | null) =>
    stays.changeRoom(owner, changeRoomInput.parse({ stayId, roomId, channel, confirmDirty: true }));
  await move(cheap, null);
  await move(room, "cash");
  await expect(move(cheap, "cash")).rejects.toMatchObject({ code: "invalid_input" });
  expect((await detail(owner, stayId)).money).toMatchObject({ chargedMinor: 2 * MAX_MINOR });
});

it("refuses to keep more of a deposit than an account can hold in addition to its charges", async () => {
  const paid = booking({ endsAt: "2026-11-20T11:00:00.000Z", channel: "cash", depositMinor: MAX_MINOR });
  const { stayId } = await stays.checkIn(owner, paid);
  const keepDeposit = { amountMinor: MAX_MINOR, reason: "Broken" };
  await expect(stays.checkOut(owner, checkOutInput.parse({ stayId, keepDeposit }))).rejects.toMatchObject({
    code: "invalid_input",
  });
  expect(await stays.checkOut(owner, checkOutInput.parse({ stayId }))).toMatchObject({ refundMinor: MAX_MINOR });
});

it.each([
  ["EUR", 99],
  ["KWD", 999],
])("refuses an agreed total below one %s, like any other price", async (currency, agreedTotalMinor) => {
  const small = await world.createHotel({ currency });
  const scope = await small.scope();
  const [roomId, other] = [await small.createRoom("101", {}), await small.createRoom("102", {})];
  const tooSmall = { code: "invalid_input", fields: { agreedTotalMinor: { key: "validation.price" } } };
  await expect(stays.checkIn(scope, booking({ roomId, agreedTotalMinor }))).rejects.toMatchObject(tooSmall);
  const { stayId } = await stays.checkIn(scope, booking({ roomId, agreedTotalMinor: agreedTotalMinor + 1 }));
  const renewal = renewInput.parse({ stayId, endsAt: "2026-11-21T11:00:00.000Z", agreedTotalMinor });
  await expect(stays.renew(scope, renewal)).rejects.toMatchObject(tooSmall);
  const move = changeRoomInput.parse({ stayId, roomId: other, agreedTotalMinor });
  await expect(stays.changeRoom(scope, move)).rejects.toMatchObject(tooSmall);
});

it("accepts the longest possible stay", async () => {
  const plain = await hotel.createRoom(`X${serial} plain`);
  const long = booking({ roomId: plain, endsAt: new Date(Date.parse(NOW) + 3660 * 86_400_000).toISOString() });
  const { stayId } = await stays.checkIn(owner, long);
  expect((await detail(owner, stayId)).entries[0]?.lines).toHaveLength(3660);
});

it("charges both the hours and the nights when an hourly stay is renewed by the day", async () => {
  const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000, hourMinor: 1_000 };
  const roomId = await hotel.createRoom(`X${serial} by the hour`, prices);
  const hour = booking({ roomId, unit: "hour", endsAt: "2026-11-18T15:00:00.000Z", channel: "cash" });
  const { stayId } = await stays.checkIn(owner, hour);
  const renewal = { stayId, endsAt: "2026-11-19T11:00:00.000Z", unit: "day" as const };
  expect(await renewQuote(owner, renewal)).toMatchObject({ totalMinor: 10_000, nights: 1 });
  await stays.renew(owner, { ...renewal, agreedTotalMinor: null, expectedTotalMinor: 10_000, channel: "cash" });
  expect((await detail(owner, stayId)).money.chargedMinor).toBe(11_000);
  expect(await renewQuote(owner, { ...renewal, endsAt: "2026-11-19T17:00:00.000Z" })).toMatchObject({ totalMinor: 0 });
});

it.each([
  ["a night and then hours", "day", "2026-11-19T11:00:00.000Z", "hour", "2026-11-19T14:00:00.000Z", 13_000],
  ["an hour and then nights", "hour", "2026-11-18T15:00:00.000Z", "day", "2026-11-20T11:00:00.000Z", 21_000],
] as const)("prices %s the same in another room with the same price", async (_name, unit, endsAt, by, until, paid) => {
  const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000, hourMinor: 1_000 };
  const roomId = await hotel.createRoom(`X${serial} first`, prices);
  const other = await hotel.createRoom(`X${serial} second`, prices);
  const { stayId } = await stays.checkIn(owner, booking({ roomId, unit, endsAt, channel: "cash" }));
  const renewal = { stayId, endsAt: until, unit: by, agreedTotalMinor: null, expectedTotalMinor: null };
  await stays.renew(owner, { ...renewal, channel: "cash" });
  expect((await detail(owner, stayId)).money.chargedMinor).toBe(paid);
  expect(await changeRoomQuote(owner, { stayId, roomId: other })).toMatchObject({ differenceMinor: 0 });
});

it("prices hours by the hour in another room, even if the first were at an agreed price", async () => {
  const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000, hourMinor: 1_000 };
  const roomId = await hotel.createRoom(`X${serial} first`, prices);
  const other = await hotel.createRoom(`X${serial} second`, prices);
  const hours = { roomId, unit: "hour", endsAt: "2026-11-18T16:00:00.000Z", agreedTotalMinor: 1_500, channel: "cash" };
  const { stayId } = await stays.checkIn(owner, booking(hours));
  const renewal = { stayId, endsAt: "2026-11-18T17:00:00.000Z", agreedTotalMinor: null, expectedTotalMinor: null };
  await stays.renew(owner, { ...renewal, channel: "cash" });
  const { charge } = await changeRoomQuote(owner, { stayId, roomId: other });
  expect(charge.map(({ kind }) => kind)).not.toContain("usual");
  expect(charge.reduce((sum, line) => sum + line.amountMinor, 0)).toBe(3_000);
});

it("charges the second night in addition to an agreed total for the first", async () => {
  const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000, hourMinor: 1_000 };
  const roomId = await hotel.createRoom(`X${serial} by the hour`, prices);
  const hour = booking({ roomId, unit: "hour", endsAt: "2026-11-18T15:00:00.000Z", channel: "cash" });
  const { stayId } = await stays.checkIn(owner, hour);
  const night = { stayId, endsAt: "2026-11-19T11:00:00.000Z", unit: "day" as const };
  await stays.renew(owner, { ...night, agreedTotalMinor: 8_000, expectedTotalMinor: 8_000, channel: "cash" });
  expect(await renewQuote(owner, { ...night, endsAt: "2026-11-19T17:00:00.000Z" })).toMatchObject({ totalMinor: 0 });
  expect(
    (await changeRoomQuote(owner, { stayId, roomId: await hotel.createRoom(`X${serial} second`, prices) })).charge,
  ).toMatchObject([
    { kind: "usual", amountMinor: 10_000 },
    { kind: "hour", amountMinor: 1_000 },
  ]);
});

it("keeps the price of an hour and nights when such a reservation moves", async () => {
  const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000, hourMinor: 1_000 };
  const roomId = await hotel.createRoom(`X${serial} first`, prices);
  const other = await hotel.createRoom(`X${serial} second`, prices);
  const period = { startsAt: "2026-11-20T14:00:00.000Z", endsAt: "2026-11-20T15:00:00.000Z" };
  const { stayId } = await stays.reserve(owner, booking({ roomId, unit: "hour", ...period }));
  const renewal = { stayId, endsAt: "2026-11-22T11:00:00.000Z", unit: "day" as const };
  await stays.renew(owner, { ...renewal, agreedTotalMinor: null, expectedTotalMinor: null, channel: null });
  const target = { stayId, agreedTotalMinor: null, expectedDifferenceMinor: null, channel: null };
  const { startsAt } = period;
  const moved = await moveReservation(owner, { ...target, roomId: other, startsAt, endsAt: renewal.endsAt });
  expect(moved.differenceMinor).toBe(0);
  const later = { startsAt: "2026-11-21T14:00:00.000Z", endsAt: "2026-11-23T11:00:00.000Z" };
  expect((await moveReservation(owner, { ...target, roomId: other, ...later })).differenceMinor).toBe(-1_000);
});
