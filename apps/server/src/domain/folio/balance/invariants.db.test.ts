import { PaymentChannel } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { addDays, addMonths, localDate } from "@innkey/shared/hotel-time";
import { setAccountInput } from "@innkey/shared/schemas/folio";
import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { list as breakfastList } from "../../stays/breakfast/breakfast.service.ts";
import { cancelCharge, chargeExtra } from "../entries/charges.service.ts";
import * as folio from "../entries/entries.service.ts";
import { get, recharge, setAccount, statement, undoWithdrawal, withdraw } from "./balance.service.ts";

// Some days before the end of a month, and before the night in which clocks go back in Berlin.
const NOW = "2026-10-20T14:00:00.000Z";
const ZONE = "Europe/Berlin";
const HOUR_MS = 3_600_000;

let world: TestWorld;
beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());

const channel = fc.constantFrom(...PaymentChannel.options);
const channelOrLater = fc.option(channel);
const amount = fc.integer({ min: 1, max: 45_000 });
const one = <Kind extends string, Rest extends object>(
  kind: Kind,
  rest: { [K in keyof Rest]: fc.Arbitrary<Rest[K]> },
): fc.Arbitrary<{ kind: Kind } & Rest> =>
  fc.record(rest).map((values) => ({ kind, ...values }) as unknown as { kind: Kind } & Rest);

const act = fc.oneof(
  one("checkIn", { room: fc.nat(2), channel: channelOrLater, depositMinor: fc.nat(20_000) }),
  one("reserve", { room: fc.nat(2), channel: channelOrLater }),
  one("arrive", { stay: fc.nat(5), channel: channelOrLater }),
  one("cancel", { stay: fc.nat(5), channel }),
  one("checkOut", { stay: fc.nat(5), channel: channelOrLater, refundDeposit: fc.boolean() }),
  one("renew", { stay: fc.nat(5), nights: fc.integer({ min: 1, max: 3 }), channel: channelOrLater }),
  one("move", { stay: fc.nat(5), room: fc.nat(2), channel: channelOrLater }),
  one("pay", { stay: fc.nat(5), amount, channel }),
  one("refund", { entry: fc.nat(15), amount, channel: channelOrLater }),
  one("recharge", { amount, channel }),
  one("withdraw", { amount }),
  one("undoWithdrawal", { entry: fc.nat(15) }),
  one("chargeExtra", { stay: fc.nat(5), quantity: fc.integer({ min: 1, max: 3 }), amount, channel: channelOrLater }),
  one("cancelCharge", { entry: fc.nat(15) }),
  one("breakfast", { price: fc.constantFrom(0, 1_250), used: fc.boolean() }),
  one("wait", { hours: fc.integer({ min: 1, max: 40 }) }),
);
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

interface Fixture {
  hotel: TestHotel;
  owner: Scope;
  rooms: number[];
  stays: number[];
}

const pick = <T>(from: readonly T[], index: number): T | undefined => from[index % (from.length || 1)];

/** Performs a step and ignores refusals that a staff member may meet. */
async function perform(hotel: Fixture, step: Act): Promise<void> {
  await attempt(hotel, step).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
  });
}

async function attempt({ hotel, owner, rooms, stays: open }: Fixture, step: Act): Promise<unknown> {
  const now = world.clock.now();
  const soon = (hours: number): string => new Date(now.getTime() + hours * HOUR_MS).toISOString();
  const stayId = "stay" in step ? pick(open, step.stay) : undefined;
  const agreed = { agreedTotalMinor: null, expectedTotalMinor: null };
  switch (step.kind) {
    case "wait":
      return world.clock.advance(step.hours * HOUR_MS);
    case "checkIn":
    case "reserve": {
      const guests = [{ name: `Guest ${open.length}` }];
      const booking = { roomId: pick(rooms, step.room), unit: "day", breakfast: true, guests };
      if (step.kind === "reserve") {
        const input = { ...booking, startsAt: soon(1), endsAt: soon(60), channel: step.channel };
        return open.push((await stays.reserve(owner, reserveInput.parse(input))).stayId);
      }
      const { channel: paidBy, depositMinor } = step;
      const input = {
        ...booking,
        startsAt: soon(0),
        endsAt: soon(50),
        channel: paidBy,
        depositMinor,
        confirmDirty: true,
      };
      return open.push((await stays.checkIn(owner, checkInInput.parse(input))).stayId);
    }
    case "recharge":
      return recharge(owner, { amountMinor: step.amount, channel: step.channel, note: "" });
    case "withdraw": {
      const before = await get(owner);
      await withdraw(owner, { amountMinor: step.amount, note: "" });
      expect(step.amount).toBeLessThanOrEqual(before.availableMinor);
      for (const { channel: name, amountMinor } of (await get(owner)).channels) {
        const amount = before.channels.find((other) => other.channel === name)?.amountMinor ?? 0;
        expect(amountMinor).toBeGreaterThanOrEqual(Math.min(0, amount));
      }
      return;
    }
    case "breakfast": {
      const { prisma } = world.database;
      await prisma.hotel.update({ where: { id: hotel.id }, data: { breakfastPriceMinor: step.price } });
      const { guests, date } = await breakfastList(owner);
      const stayGuestIds = guests.map(({ stayGuestId }) => stayGuestId);
      if (stayGuestIds.length === 0) return;
      return stays.tickBreakfast(owner, { date, stayGuestIds, used: step.used });
    }
    case "undoWithdrawal":
    case "cancelCharge": {
      const all = await world.database.prisma.folioEntry.findMany({
        where: { hotelId: hotel.id, type: step.kind === "cancelCharge" ? "extra" : "withdrawal" },
        orderBy: { id: "asc" },
      });
      const entryId = pick(all, step.entry)?.id;
      if (entryId === undefined) return;
      const input = { entryId, reason: "A mistake" };
      return step.kind === "cancelCharge" ? cancelCharge(owner, input) : undoWithdrawal(owner, input);
    }
    case "refund": {
      const all = await world.database.prisma.folioEntry.findMany({
        where: { hotelId: hotel.id },
        orderBy: { id: "asc" },
      });
      const entry = pick(all, step.entry);
      if (!entry) return;
      return folio.refund(owner, { entryId: entry.id, amountMinor: step.amount, channel: step.channel, note: "" });
    }
  }
  if (stayId === undefined) return;
  switch (step.kind) {
    case "arrive":
      return stays.arrive(owner, {
        stayId,
        channel: step.channel,
        depositMinor: null,
        depositChannel: "card",
        confirmDirty: true,
        confirmAlreadyIn: true,
      });
    case "cancel":
      return stays.cancelReservation(owner, { stayId, refundChannel: step.channel });
    case "checkOut":
      return stays.checkOut(owner, {
        stayId,
        channel: step.channel,
        refundDeposit: step.refundDeposit,
        refundUnusedMinor: 0,
        refundChannel: "cash",
        confirmUnpaid: true,
      });
    case "renew": {
      const stay = await world.database.prisma.stay.findUniqueOrThrow({ where: { id: stayId } });
      const endsAt = new Date(stay.endsAt.getTime() + step.nights * 24 * HOUR_MS).toISOString();
      return stays.renew(owner, { stayId, endsAt, channel: step.channel, ...agreed });
    }
    case "move": {
      const rest = { agreedTotalMinor: null, expectedDifferenceMinor: null, disableOldCards: true, confirmDirty: true };
      return stays.changeRoom(owner, { stayId, roomId: pick(rooms, step.room) ?? 0, channel: step.channel, ...rest });
    }
    case "chargeExtra":
      return chargeExtra(owner, {
        ...{ stayId, text: "Minibar", quantity: step.quantity, unitMinor: step.amount, channel: step.channel },
      });
    case "pay":
      return folio.pay(owner, { stayId, amountMinor: step.amount, channel: step.channel, note: "" });
  }
}

/** Reads the whole ledger of a hotel, to sum it up independently. */
async function readLedger(hotelId: number) {
  return world.database.prisma.ledgerEntry.findMany({
    where: { hotelId },
    include: { entry: true },
    orderBy: { id: "asc" },
  });
}
type Ledger = Awaited<ReturnType<typeof readLedger>>;

const isMoney = (account: string): account is PaymentChannel => PaymentChannel.safeParse(account).success;
const grouped = <Key>(entries: Ledger, keyOf: (entry: Ledger[number]) => Key): Ledger[] => {
  const groups = new Map<Key, Ledger>();
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return [...groups.values()];
};
const sumOf = (entries: Ledger): number => entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

function checkEntries(entries: Ledger): void {
  for (const own of grouped(entries, ({ entryId }) => entryId)) expect(sumOf(own)).toBe(0);
  const byOrder = new Map(entries.map(({ entry }) => [entry.id, entry]));
  for (const entry of byOrder.values()) {
    const returned = [...byOrder.values()].filter(({ refundsEntryId }) => refundsEntryId === entry.id);
    const total = returned.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    if (returned.length > 0) expect(total).toBeLessThanOrEqual(entry.amountMinor);
  }
}

async function checkBalance(owner: Scope, entries: Ledger): Promise<void> {
  const balance = await get(owner);
  const money = sumOf(entries.filter(({ account }) => isMoney(account)));
  const deposits = 0 - sumOf(entries.filter(({ account }) => account === "deposits"));
  const owed = grouped(
    entries.filter(({ account }) => account === "receivable"),
    ({ entry }) => entry.stayId,
  );
  const credits = owed.map(sumOf).reduce((sum, one) => sum - Math.min(0, one), 0);
  expect(balance).toMatchObject({ moneyMinor: money, heldMinor: deposits, creditsMinor: credits });
  expect(balance.availableMinor).toBe(money - deposits - credits);
  expect(deposits).toBeGreaterThanOrEqual(0);
  for (const { channel: name, amountMinor } of balance.channels) {
    expect(amountMinor).toBe(sumOf(entries.filter(({ account }) => account === name)));
  }
}

async function checkStatement(owner: Scope, entries: Ledger, span: "day" | "month"): Promise<void> {
  const { from, openingMinor, rows } = await statement(owner, { span, date: null });
  const bucketOf = (at: Date): string => {
    const day = localDate(at.toISOString(), ZONE);
    return span === "day" ? day : `${day.slice(0, 7)}-01`;
  };
  const moneyUntil = (before: string): number =>
    sumOf(entries.filter(({ account, createdAt }) => isMoney(account) && bucketOf(createdAt) < before));
  expect(openingMinor).toBe(moneyUntil(from));
  for (const row of rows) {
    const own = entries.filter(({ createdAt }) => bucketOf(createdAt) === row.date);
    const guests = own.filter(({ account, entry }) => isMoney(account) && entry.stayId !== null);
    const paid = guests.filter(({ amountMinor }) => amountMinor > 0);
    const deposits = own.filter(({ account }) => account === "deposits");
    const hotel = own.filter(({ account }) => account === "owner_funds");
    const withdrawn = hotel.filter(({ entry }) => entry.type === "withdrawal" || entry.type === "withdrawal_undone");
    expect(row).toEqual({
      date: row.date,
      chargedMinor: 0 - sumOf(own.filter(({ account }) => account === "revenue")),
      taken: PaymentChannel.options.map((name) => ({
        channel: name,
        amountMinor: sumOf(paid.filter(({ account }) => account === name)),
      })),
      takenMinor: sumOf(paid),
      returnedMinor: sumOf(paid) - sumOf(guests),
      depositsInMinor: 0 - sumOf(deposits.filter(({ amountMinor }) => amountMinor < 0)),
      depositsOutMinor: sumOf(deposits.filter(({ amountMinor, entry }) => amountMinor > 0 && entry.type === "refund")),
      rechargedMinor: sumOf(withdrawn) - sumOf(hotel),
      withdrawnMinor: sumOf(withdrawn),
      closingMinor: moneyUntil(span === "day" ? addDays(row.date, 1) : addMonths(row.date, 1)),
    });
  }
  expect(rows.at(-1)?.closingMinor).toBe((await get(owner)).moneyMinor);
}

it("keeps zero sums, balances and statements equal to a recount, and no overdraft, for any sequence of acts", async () => {
  const account = setAccountInput.parse({ type: "bank", name: "Ada", number: "DE89370400440532013000" });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 24 }), async (acts) => {
      world.clock.set(NOW);
      const hotel = await world.createHotel({ timeZone: ZONE });
      const rooms: number[] = [];
      for (const name of ["101", "102", "103"]) {
        rooms.push(await hotel.createRoom(name, { usualMinor: 6_000 + 4_000 * rooms.length }));
      }
      const seeded = { hotel, owner: await hotel.scope(), rooms, stays: [] };
      await setAccount(seeded.owner, account);
      for (const step of acts) await perform(seeded, step);
      const entries = await readLedger(hotel.id);
      checkEntries(entries);
      await checkBalance(seeded.owner, entries);
      await checkStatement(seeded.owner, entries, "day");
      await checkStatement(seeded.owner, entries, "month");
    }),
    { numRuns: 16 },
  );
}, 60_000);
