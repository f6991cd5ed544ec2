import { inspect } from "node:util";
import { PaymentChannel, type StayUnit } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { movedMinor, settleAtCheckOut } from "@innkey/shared/folio";
import { addDays, addUnits, localDate } from "@innkey/shared/hotel-time";
import { type HotelCalendar, nightsOf, type QuoteLine, quoteStay, totalOf } from "@innkey/shared/price-rules";
import { setAccountInput } from "@innkey/shared/schemas/folio";
import { moveReservationInput, shortenInput } from "@innkey/shared/schemas/overview/timeline";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import * as schema from "@innkey/shared/schemas/stays/stays";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { previewChange } from "../../desk/change-preview.ts";
import { noShowQuote } from "../../desk/no-show.ts";
import * as desk from "../../desk/public.ts";
import { changeRoomQuote, quote, renewQuote } from "../../desk/quotes.ts";
import { BoardReader } from "../../overview/board.queries.ts";
import { overview } from "../../overview/home.queries.ts";
import { auditDay } from "../../overview/night-audit.ts";
import { detail } from "../../overview/stays.queries.ts";
import { setPrices } from "../../property/prices/prices.service.ts";
import { list as breakfastList } from "../../stays/breakfast/breakfast.service.ts";
import { cancelCharge, chargeExtra } from "../entries/charges.service.ts";
import * as folio from "../entries/entries.service.ts";
import { entryListQuery, readAccount } from "../public.ts";
import { readReceipt } from "../receipts/receipt.queries.ts";
import { get, recharge, setAccount, statement, undoWithdrawal, withdraw } from "./balance.service.ts";

/**
 * A random walk through everything that moves money. The rules are checked after every step and again at the end.
 * MONEY_WALKS sets the number of walks, MONEY_WALK_SEED the seed.
 */
const WALKS = Number(process.env.MONEY_WALKS ?? 9);
const SEED = Number(process.env.MONEY_WALK_SEED ?? 20_261_123);
const STEPS = { minLength: 12, maxLength: 30 };

// Four days before the night in which clocks go back in Berlin.
const NOW = "2026-10-21T13:20:00.000Z";
const ZONE = "Europe/Berlin";
const HOUR_MS = 3_600_000;
const CLERK = ["rooms.view", "stays.view", "stays.manage", "folio.view", "prices.agree"] as const;

let world: TestWorld;
beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());

const channel = fc.constantFrom(...PaymentChannel.options);
const channelOrLater = fc.option(channel, { freq: 2 });
const payout = fc.option(channelOrLater, { nil: undefined });
const unit = fc.constantFrom<StayUnit>("day", "day", "hour", "month", "year");
const portion = fc.constantFrom(0, 0.1, 0.5, 1, 1, 1.0001, 2);
const maybe = fc.option(fc.boolean(), { nil: undefined });
const stay = fc.nat(5);
const room = fc.nat(3);
const length = fc.integer({ min: 1, max: 5 });
const minutes = fc.constantFrom(0, 0, 0, -35, 20);
const agreed = fc.option(fc.integer({ min: 100, max: 40_000 }), { freq: 4 });
const by = fc.constantFrom<Actor>("owner", "owner", "clerk", "key");

type Actor = "owner" | "clerk" | "key";
const one = <Kind extends string, Rest extends object>(
  kind: Kind,
  rest: { [K in keyof Rest]: fc.Arbitrary<Rest[K]> },
): fc.Arbitrary<{ kind: Kind; by: Actor } & Rest> =>
  fc.record({ ...rest, by }).map((values) => ({ kind, ...values }) as unknown as { kind: Kind; by: Actor } & Rest);

const act = fc.oneof(
  {
    weight: 2,
    arbitrary: one("checkIn", {
      room,
      unit,
      length,
      minutes,
      agreed,
      channel: channelOrLater,
      depositMinor: fc.option(fc.nat(30_000)),
      depositChannel: channel,
    }),
  },
  {
    weight: 2,
    arbitrary: one("reserve", { room, unit, length, minutes, agreed, channel: channelOrLater, inDays: fc.nat(2) }),
  },
  one("arrive", { stay, channel: channelOrLater, depositMinor: fc.option(fc.nat(30_000)), depositChannel: channel }),
  one("cancel", { stay, refundChannel: payout }),
  one("noShow", { stay, charge: fc.constantFrom(...schema.NO_SHOW_CHARGES), refundChannel: payout }),
  { weight: 2, arbitrary: one("reinstate", { stay, isMoneyBack: fc.boolean() }) },
  one("checkOut", {
    stay,
    channel: channelOrLater,
    refundChannel: payout,
    useDeposit: maybe,
    refundDeposit: maybe,
    keep: fc.option(portion, { freq: 3 }),
    unused: portion,
    confirmUnpaid: fc.boolean(),
  }),
  {
    weight: 2,
    arbitrary: one("renew", {
      stay,
      unit: fc.option(unit, { nil: undefined }),
      length,
      minutes,
      agreed,
      channel: channelOrLater,
    }),
  },
  {
    weight: 2,
    arbitrary: one("shorten", { stay, portion: fc.constantFrom(0, 0.2, 0.5, 0.9), channel: channelOrLater }),
  },
  { weight: 2, arbitrary: one("changeRoom", { stay, room, agreed, channel: channelOrLater }) },
  {
    weight: 2,
    arbitrary: one("moveReservation", {
      stay,
      room,
      shift: fc.integer({ min: -1, max: 3 }),
      longer: fc.integer({ min: -2, max: 2 }),
      agreed,
      channel: channelOrLater,
    }),
  },
  { weight: 2, arbitrary: one("pay", { stay, portion, channel }) },
  { weight: 2, arbitrary: one("refund", { entry: fc.nat(12), portion, channel: channelOrLater }) },
  one("refundAsPaid", { entry: fc.nat(12), portion }),
  { weight: 2, arbitrary: one("payOutCredit", { stay, portion, channel }) },
  one("recharge", { amountMinor: fc.integer({ min: 1, max: 90_000 }), channel }),
  one("withdraw", { portion }),
  one("undoWithdrawal", { entry: fc.nat(12) }),
  {
    weight: 2,
    arbitrary: one("chargeExtra", {
      stay,
      quantity: fc.integer({ min: 1, max: 4 }),
      unitMinor: fc.integer({ min: 1, max: 20_000 }),
      channel: channelOrLater,
    }),
  },
  { weight: 2, arbitrary: one("cancelCharge", { entry: fc.nat(12) }) },
  {
    weight: 2,
    arbitrary: one("breakfast", { price: fc.constantFrom(0, 950, 1_900), used: fc.boolean(), some: maybe }),
  },
  one("reprice", { room, factor: fc.constantFrom(0.1, 0.7, 1.3, 3) }),
  { weight: 2, arbitrary: one("wait", { hours: fc.constantFrom(0.6, 1, 2.75, 5, 11, 23, 40, 200) }) },
);
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

interface Walk {
  hotel: TestHotel;
  scopes: Record<Actor, Scope>;
  rooms: number[];
  stays: number[];
  /**
   * The unit of each stay that costs what a quote for its whole period would. Others were repriced, agreed, refunded by
   * hand, or have several units or rooms.
   */
  plain: Map<number, "day" | "hour">;
  /** What a reservation was charged before it ended, and after it, and what its end paid out. */
  ended: Map<number, { chargedMinor: number; keptMinor: number; outMinor: number }>;
}

const pick = <T>(from: readonly T[], index: number): T | undefined => from[index % (from.length || 1)];
const share = (minor: number, part: number): number => Math.ceil(minor * part);

let serial = 0;
async function begin(): Promise<Walk> {
  world.clock.set(NOW);
  const hotel = await world.createHotel({ timeZone: ZONE });
  const rooms: number[] = [];
  const dates = [{ date: "2026-10-24", priceMinor: 33_333 }];
  const prices = [
    { usualMinor: 6_000, weekendMinor: 9_000, hourMinor: 1_500, monthMinor: 100_000, yearMinor: 1_000_001, dates },
    { usualMinor: 25_000, weekendMinor: 25_000, hourMinor: 4_000, monthMinor: 333_333, depositMinor: 0 },
    { usualMinor: 1_000, weekendMinor: 1_700, hourMinor: 100, renewalMinor: 700 },
    { usualMinor: 6_000, weekendMinor: 9_000, dates },
  ];
  for (const price of prices) rooms.push(await hotel.createRoom(`R${++serial}`, price));
  const owner = await hotel.scope();
  const clerk = await hotel.scope("staff", { capabilities: [...CLERK], roomIds: rooms });
  const key = hotel.keyScope(["rooms.view", "stays.view", "stays.manage", "folio.view"]);
  const account = { type: "bank", name: "Ada", number: "DE89370400440532013000" };
  await setAccount(owner, setAccountInput.parse(account));
  return { hotel, scopes: { owner, clerk, key }, rooms, stays: [], plain: new Map(), ended: new Map() };
}

async function attempt(walk: Walk, step: Act): Promise<void> {
  const { rooms, stays: open, plain } = walk;
  const scope = walk.scopes[step.by];
  const { owner } = walk.scopes;
  const now = world.clock.now().toISOString();
  const stayId = "stay" in step ? pick(open, step.stay) : undefined;
  const roomId = ("room" in step ? pick(rooms, step.room) : undefined) ?? 0;
  const later = (from: string, amount: number, by: StayUnit, offset: number): string =>
    new Date(Date.parse(addUnits(from, amount, by, ZONE)) + offset * 60_000).toISOString();
  switch (step.kind) {
    case "wait":
      world.clock.advance(step.hours * HOUR_MS);
      return;
    case "reprice": {
      const { rows } = await world.database.pool.query<{ usual: number; weekend: number }>(
        "SELECT usual_minor AS usual, weekend_minor AS weekend FROM room_price WHERE room_id = $1",
        [roomId],
      );
      const { usual = 100, weekend = 100 } = rows[0] ?? {};
      const scaled = (minor: number): number => Math.max(100, Math.round(minor * step.factor));
      const prices = {
        depositMinor: 0,
        usualMinor: scaled(usual),
        weekendMinor: scaled(weekend),
        renewalMinor: null,
        hourMinor: scaled(usual / 5),
        monthMinor: null,
        yearMinor: null,
        dates: [],
      };
      await setPrices(owner, { roomIds: [roomId], prices });
      plain.clear();
      return;
    }
    case "checkIn":
    case "reserve": {
      const starts = step.kind === "reserve" ? later(now, step.inDays * 24 + 1, "hour", 0) : now;
      const booking = {
        roomId,
        unit: step.unit,
        startsAt: starts,
        endsAt: later(starts, step.length, step.unit, step.unit === "hour" ? Math.abs(step.minutes) : step.minutes),
        guests: [{ name: `Guest ${open.length}` }],
        breakfast: true,
        channel: step.channel,
        agreedTotalMinor: step.agreed,
        confirmAlreadyIn: true,
      };
      const { totalMinor } = await quote(owner, schema.quoteInput.parse(booking));
      const booked =
        step.kind === "reserve"
          ? await desk.reserve(scope, schema.reserveInput.parse(booking))
          : await desk.checkIn(
              scope,
              schema.checkInInput.parse({
                ...booking,
                confirmDirty: true,
                depositMinor: step.depositMinor,
                depositChannel: step.depositChannel,
              }),
            );
      open.push(booked.stayId);
      if (step.agreed === null && (step.unit === "day" || step.unit === "hour")) plain.set(booked.stayId, step.unit);
      expect(booked.totalMinor).toBe(step.agreed ?? totalMinor);
      expect(await readAccount(owner.sql, booked.stayId)).toEqual({
        chargedMinor: booked.totalMinor,
        roomChargedMinor: booked.totalMinor,
        owedMinor: step.channel ? 0 : booked.totalMinor,
        depositHeldMinor: booked.depositMinor,
      });
      return;
    }
    case "recharge":
      await recharge(scope, { amountMinor: step.amountMinor, channel: step.channel, note: "" });
      return;
    case "withdraw": {
      const before = await get(owner);
      const amountMinor = share(before.availableMinor, step.portion);
      if (amountMinor < 1) return;
      const { availableMinor } = await withdraw(scope, { amountMinor, note: "" });
      expect(availableMinor).toBeGreaterThanOrEqual(0);
      expect((await get(owner)).availableMinor).toBe(availableMinor);
      return;
    }
    case "breakfast": {
      const { prisma } = world.database;
      await prisma.hotel.update({ where: { id: walk.hotel.id }, data: { breakfastPriceMinor: step.price } });
      const { guests, date } = await breakfastList(owner);
      const chosen = guests.filter((_guest, at) => !step.some || at % 2 === 0);
      if (chosen.length === 0) return;
      const totalOfStays = async (): Promise<number> =>
        (await Promise.all(open.map((id) => readAccount(owner.sql, id)))).reduce(
          (sum, one) => sum + one.chargedMinor,
          0,
        );
      const chargedBefore = await totalOfStays();
      const stayGuestIds = chosen.map(({ stayGuestId }) => stayGuestId);
      const { changed } = await desk.tickBreakfast(owner, { date, stayGuestIds, used: step.used });
      const chargedAfter = await totalOfStays();
      if (step.used) expect(chargedAfter - chargedBefore).toBe(changed * step.price);
      else expect(chargedAfter).toBeLessThanOrEqual(chargedBefore);
      return;
    }
    case "undoWithdrawal": {
      const type = "withdrawal";
      const all = await world.database.prisma.folioEntry.findMany({ where: { hotelId: walk.hotel.id, type } });
      const entry = pick(all, step.entry);
      if (!entry) return;
      const before = await get(owner);
      const { availableMinor } = await undoWithdrawal(scope, { entryId: entry.id, reason: "It came back" });
      expect(availableMinor).toBe(before.availableMinor + entry.amountMinor);
      return;
    }
    case "cancelCharge": {
      const all = await world.database.prisma.folioEntry.findMany({ where: { hotelId: walk.hotel.id, type: "extra" } });
      const entry = pick(all, step.entry);
      if (!entry?.stayId) return;
      const before = await readAccount(owner.sql, entry.stayId);
      const moneyBefore = await readMoved(walk, entry.stayId);
      const { owedMinor } = await cancelCharge(scope, { entryId: entry.id, reason: "By mistake" });
      const after = await readAccount(owner.sql, entry.stayId);
      expect(before.owedMinor - owedMinor).toBe(before.chargedMinor - after.chargedMinor);
      expect(before.owedMinor - owedMinor).toBeGreaterThan(0);
      expect(before.owedMinor - owedMinor).toBeLessThanOrEqual(entry.amountMinor);
      expect(after.roomChargedMinor).toBe(before.roomChargedMinor);
      expect(await readMoved(walk, entry.stayId)).toBe(moneyBefore);
      return;
    }
    case "refund":
    case "refundAsPaid": {
      const all = await world.database.prisma.folioEntry.findMany({
        where: { hotelId: walk.hotel.id },
        orderBy: { id: "desc" },
      });
      const entry = pick(all, step.entry);
      if (!entry) return;
      const amountMinor = Math.max(1, share(Math.abs(entry.amountMinor), step.portion));
      const before = entry.stayId && (await readAccount(owner.sql, entry.stayId));
      const input = { entryId: entry.id, amountMinor, note: "" };
      const refunded =
        step.kind === "refund"
          ? await folio.refund(scope, { ...input, channel: step.channel })
          : await folio.refundAsPaid(scope, input);
      if (entry.stayId !== null) {
        plain.delete(entry.stayId);
        const { owedMinor, depositHeldMinor } = await readAccount(owner.sql, entry.stayId);
        expect(refunded).toMatchObject({ owedMinor, depositHeldMinor });
        if (before && entry.type === "deposit") expect(before.depositHeldMinor - depositHeldMinor).toBe(amountMinor);
      }
      return;
    }
  }
  if (stayId === undefined) return;
  const before = await readAccount(owner.sql, stayId);
  const moneyBefore = await readMoved(walk, stayId);
  const stayDetail = await detail(owner, stayId);
  const moneyIn = async (): Promise<number> => (await readMoved(walk, stayId)) - moneyBefore;
  const target = { stayId, roomId: stayDetail.room.id, startsAt: stayDetail.startsAt, endsAt: stayDetail.endsAt };
  switch (step.kind) {
    case "arrive": {
      const { stay: _, kind: __, by: ___, ...input } = step;
      const { depositMinor } = await desk.arrive(scope, {
        ...input,
        stayId,
        confirmDirty: true,
        confirmAlreadyIn: true,
      });
      const paid = step.channel ? Math.max(0, before.owedMinor) : 0;
      expect(await moneyIn()).toBe(depositMinor + paid);
      return;
    }
    case "cancel": {
      await desk.cancelReservation(scope, { stayId, refundChannel: step.refundChannel });
      const after = await readAccount(owner.sql, stayId);
      expect(after.chargedMinor).toBe(0);
      const out = step.refundChannel === undefined ? step.by === "owner" : step.refundChannel !== null;
      expect(await moneyIn()).toBe(out ? before.owedMinor - before.chargedMinor : 0);
      plain.delete(stayId);
      walk.ended.set(stayId, { chargedMinor: before.chargedMinor, keptMinor: 0, outMinor: 0 - (await moneyIn()) });
      return;
    }
    case "noShow": {
      const { firstNightMinor, everythingMinor, othersMinor } = await noShowQuote(owner, { stayId });
      const { charge, refundChannel } = step;
      await desk.markNoShow(scope, { reason: "", stayId, charge, refundChannel });
      const room = { nothing: -othersMinor, first_night: firstNightMinor, everything: everythingMinor };
      const keptMinor = room[charge] + othersMinor;
      const after = await readAccount(owner.sql, stayId);
      expect(after.chargedMinor).toBe(keptMinor);
      expect(keptMinor).toBeLessThanOrEqual(before.chargedMinor);
      if (after.owedMinor < 0) expect(await moneyIn()).toBe(0);
      plain.delete(stayId);
      walk.ended.set(stayId, { chargedMinor: before.chargedMinor, keptMinor, outMinor: 0 - (await moneyIn()) });
      return;
    }
    case "reinstate": {
      const end = walk.ended.get(stayId);
      await desk.reinstate(scope, { stayId, isMoneyBack: step.isMoneyBack });
      expect(end, "only what ended can be reinstated").toBeDefined();
      if (!end) return;
      const { chargedMinor } = await readAccount(owner.sql, stayId);
      expect(chargedMinor).toBe(before.chargedMinor + end.chargedMinor - end.keptMinor);
      expect(await moneyIn()).toBe(step.isMoneyBack ? end.outMinor : 0);
      return;
    }
    case "checkOut": {
      const refundUnusedMinor = share(stayDetail.money.unusedMinor, step.unused);
      const keepDeposit = step.keep ? { amountMinor: share(before.depositHeldMinor, step.keep), reason: "Lamp" } : null;
      const { channel, refundChannel, useDeposit, refundDeposit, confirmUnpaid } = step;
      const input = { stayId, channel, refundChannel, useDeposit, refundDeposit, confirmUnpaid };
      const request = { ...input, keepDeposit: keepDeposit?.amountMinor ? keepDeposit : null, refundUnusedMinor };
      const out = await desk.checkOut(scope, schema.checkOutInput.parse(request)).catch((error: unknown) => {
        // The refund for unused nights that the screen offers is never too large.
        if (step.unused <= 1) expect(error).not.toMatchObject({ code: "refund_too_large" });
        throw error;
      });
      const { owedMinor, depositHeldMinor, chargedMinor } = await readAccount(owner.sql, stayId);
      expect(out).toMatchObject({ owedMinor, depositHeldMinor });
      const settlement = settleAtCheckOut(before, {
        refundUnusedMinor,
        channel,
        useDeposit: useDeposit ?? true,
        keepDepositMinor: request.keepDeposit?.amountMinor ?? 0,
        refundDeposit: refundDeposit ?? step.by !== "key",
      });
      const paysCredit = refundChannel === undefined ? step.by === "owner" : refundChannel !== null;
      expect(out).toMatchObject({
        paidMinor: channel ? settlement.dueMinor : 0,
        refundMinor: settlement.depositRefundMinor + (paysCredit ? settlement.creditMinor : 0),
        owedMinor: (channel ? 0 : settlement.dueMinor) - (paysCredit ? 0 : settlement.creditMinor),
        depositHeldMinor: settlement.depositLeftMinor - settlement.depositKeptMinor - settlement.depositRefundMinor,
      });
      expect(await moneyIn()).toBe(out.paidMinor - out.refundMinor);
      expect(chargedMinor).toBe(before.chargedMinor - refundUnusedMinor + out.depositKeptMinor);
      if (!step.confirmUnpaid) expect(owedMinor).toBeLessThanOrEqual(0);
      plain.delete(stayId);
      return;
    }
    case "renew": {
      const unitOf = step.unit ?? stayDetail.unit;
      const endsAt = later(stayDetail.endsAt, step.length, unitOf, step.minutes);
      if (unitOf !== plain.get(stayId) || step.agreed !== null) plain.delete(stayId);
      const quoted = await renewQuote(owner, { stayId, endsAt, unit: step.unit });
      const preview = step.unit === undefined ? await previewChange(owner, { ...target, endsAt }) : null;
      const input = { stayId, endsAt, unit: step.unit, channel: step.channel };
      const { totalMinor } = await desk.renew(
        scope,
        schema.renewInput.parse({ ...input, agreedTotalMinor: step.agreed }),
      );
      expect(totalMinor).toBe(step.agreed ?? quoted.totalMinor);
      if (preview?.kind === "renew" && preview.refusal === null) {
        expect(preview).toMatchObject({ differenceMinor: quoted.totalMinor });
      }
      if (quoted.lines.some(({ kind }) => kind === "renewal")) plain.delete(stayId);
      expect(await moneyIn()).toBe(step.channel ? totalMinor : 0);
      expect((await readAccount(owner.sql, stayId)).chargedMinor).toBe(before.chargedMinor + totalMinor);
      return;
    }
    case "shorten": {
      const from = Math.max(Date.parse(stayDetail.startsAt), Date.parse(now));
      const endsAt = new Date(from + HOUR_MS + (Date.parse(stayDetail.endsAt) - from) * step.portion).toISOString();
      const preview = await previewChange(owner, { ...target, endsAt });
      const { differenceMinor } = await desk.shorten(
        scope,
        shortenInput.parse({ stayId, endsAt, channel: step.channel }),
      );
      expect(preview).toMatchObject({ kind: "shorten", refusal: null, differenceMinor });
      await checkMoved(differenceMinor, preview.movedMinor);
      return;
    }
    case "changeRoom": {
      if (step.agreed !== null || stayDetail.state === "checked_in") plain.delete(stayId);
      const quoted = await changeRoomQuote(owner, { stayId, roomId });
      const preview = await previewChange(owner, { ...target, roomId });
      const input = { stayId, roomId, channel: step.channel, agreedTotalMinor: step.agreed, confirmDirty: true };
      const { differenceMinor } = await desk.changeRoom(scope, schema.changeRoomInput.parse(input));
      if (step.agreed === null) expect(differenceMinor).toBe(quoted.differenceMinor);
      if (preview.kind === "changeRoom" && step.agreed === null) {
        expect(preview).toMatchObject({ refusal: null, differenceMinor });
      }
      await checkMoved(differenceMinor, movedMinor(differenceMinor, before.owedMinor));
      return;
    }
    case "moveReservation": {
      if (step.agreed !== null) plain.delete(stayId);
      const startsAt = addUnits(stayDetail.startsAt, step.shift, "day", ZONE);
      const endsAt = addUnits(stayDetail.endsAt, step.shift + step.longer, "day", ZONE);
      const moved = { stayId, roomId, startsAt, endsAt };
      const parsed = moveReservationInput.parse({ ...moved, channel: step.channel, agreedTotalMinor: step.agreed });
      const preview = await previewChange(owner, moved);
      const { differenceMinor, undo } = await desk.moveReservation(scope, parsed);
      if (step.agreed === null && preview.kind === "move") {
        expect(preview).toMatchObject({ refusal: null, differenceMinor });
      }
      await checkMoved(differenceMinor, movedMinor(differenceMinor, before.owedMinor));
      if (undo) {
        const { differenceMinor: back } = await previewChange(owner, undo);
        if (endsAt <= undo.endsAt || startsAt !== undo.startsAt) expect(back).toBe(0 - differenceMinor);
      }
      return;
    }
    case "chargeExtra": {
      const { quantity, unitMinor, channel } = step;
      const charged = await chargeExtra(scope, { stayId, text: "Minibar", quantity, unitMinor, channel });
      expect(charged.owedMinor).toBe(before.owedMinor + (channel ? 0 : quantity * unitMinor));
      expect(await moneyIn()).toBe(channel ? quantity * unitMinor : 0);
      expect((await readAccount(owner.sql, stayId)).roomChargedMinor).toBe(before.roomChargedMinor);
      return;
    }
    case "pay": {
      const amountMinor = share(Math.max(0, before.owedMinor), step.portion);
      if (amountMinor < 1) return;
      const paid = await folio.pay(scope, { stayId, amountMinor, channel: step.channel, note: "" });
      expect(paid.owedMinor).toBe(before.owedMinor - amountMinor);
      expect(paid.owedMinor).toBeGreaterThanOrEqual(0);
      return;
    }
    case "payOutCredit": {
      const amountMinor = share(Math.max(0, -before.owedMinor), step.portion);
      if (amountMinor < 1) return;
      await folio.payOutCredit(scope, { stayId, amountMinor, channel: step.channel, note: "" });
      expect(await moneyIn()).toBe(-amountMinor);
      expect((await readAccount(owner.sql, stayId)).owedMinor).toBeLessThanOrEqual(0);
      return;
    }
  }

  async function checkMoved(differenceMinor: number, moved: number): Promise<void> {
    const paidNow = "channel" in step && step.channel !== null;
    expect(await moneyIn()).toBe(paidNow ? moved : 0);
    const after = await readAccount(owner.sql, stayId as number);
    expect(after.chargedMinor).toBe(before.chargedMinor + differenceMinor);
  }
}

/** Returns the money that came in for a stay, less the money that went out. */
async function readMoved(walk: Walk, stayId: number): Promise<number> {
  const { rows } = await world.database.pool.query<{ minor: number }>(
    `SELECT coalesce(sum(e.amount_minor), 0)::float8 AS minor FROM ledger_entry e JOIN folio_entry o ON o.id = e.folio_entry_id
      WHERE e.hotel_id = $1 AND o.stay_id = $2 AND e.account IN ('cash', 'card', 'transfer', 'other')`,
    [walk.hotel.id, stayId],
  );
  return rows[0]?.minor ?? 0;
}

interface Booked {
  id: number;
  stayId: number | null;
  type: string;
  amountMinor: number;
  channel: PaymentChannel | null;
  refundsEntryId: number | null;
  operatorId: number | null;
  createdAt: string;
  linesMinor: number | null;
  entries: { account: string; amount: number }[];
}

async function readBooked(hotelId: number): Promise<Booked[]> {
  const { rows } = await world.database.pool.query<Booked>(
    `SELECT o.id, o.stay_id AS "stayId", o.type::text AS type, o.amount_minor AS "amountMinor", o.channel::text AS channel,
        o.refunds_entry_id AS "refundsEntryId", o.operator_id AS "operatorId", iso(o.created_at) AS "createdAt",
        (SELECT sum(l.amount_minor)::float8 FROM folio_entry_line l WHERE l.folio_entry_id = o.id) AS "linesMinor",
        (SELECT coalesce(jsonb_agg(jsonb_build_object('account', e.account, 'amount', e.amount_minor)), '[]')
           FROM ledger_entry e WHERE e.folio_entry_id = o.id) AS entries
       FROM folio_entry o WHERE o.hotel_id = $1 ORDER BY o.id`,
    [hotelId],
  );
  return rows;
}

const isMoney = ({ account }: { account: string }): boolean => PaymentChannel.safeParse(account).success;
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const accountOf = (booked: readonly Booked[], name: string): number =>
  sumOf(booked.flatMap(({ entries }) => entries.filter(({ account }) => account === name).map(({ amount }) => amount)));
const moneyOf = (booked: readonly Booked[]): number =>
  sumOf(booked.flatMap(({ entries }) => entries.filter(isMoney).map(({ amount }) => amount)));

/** Checks the rules for single entries and for stays. */
function checkLedger(booked: readonly Booked[]): void {
  for (const entry of booked) {
    expect(sumOf(entry.entries.map(({ amount }) => amount)), `entries of ${entry.type}`).toBe(0);
    const returned = sumOf(booked.filter((o) => o.refundsEntryId === entry.id).map((o) => o.amountMinor));
    if (returned !== 0) expect(returned, `refunds of ${entry.type}`).toBeLessThanOrEqual(entry.amountMinor);
    const out = entry.type === "refund" || entry.type === "withdrawal";
    const moved = new Set(entry.entries.filter(isMoney).map(({ account }) => account));
    const amountMinor = entry.channel ? entry.amountMinor : 0;
    if (moved.size < 2) expect(moneyOf([entry]), `money of ${entry.type}`).toBe(out ? 0 - amountMinor : amountMinor);
    if (entry.type === "room" || entry.type === "renewal") expect(entry.linesMinor ?? 0).toBe(entry.amountMinor);
    if (entry.type === "exchange") expect(entry.linesMinor ?? 0).toBeLessThanOrEqual(entry.amountMinor);
  }
  for (const stayId of new Set(booked.map((entry) => entry.stayId))) {
    if (stayId === null) continue;
    const own = booked.filter((entry) => entry.stayId === stayId);
    expect(-accountOf(own, "revenue"), "charged").toBeGreaterThanOrEqual(0);
    const isExtra = ({ type }: Booked): boolean => type === "extra" || type === "breakfast";
    const extras = new Set(own.filter(isExtra).map(({ id }) => id));
    const ofExtras = own.filter(({ id, refundsEntryId }) => extras.has(id) || extras.has(refundsEntryId ?? 0));
    expect(-accountOf(ofExtras, "revenue"), "extras").toBeGreaterThanOrEqual(0);
    const keptIds = new Set(own.filter(({ type }) => type === "deposit_kept").map(({ id }) => id));
    const ofKept = own.filter(({ id, refundsEntryId }) => keptIds.has(id) || keptIds.has(refundsEntryId ?? 0));
    const room = own.filter((entry) => !ofExtras.includes(entry) && !ofKept.includes(entry));
    expect(-accountOf(room, "revenue"), "charged for the room").toBeGreaterThanOrEqual(0);
    expect(-accountOf(own, "deposits"), "deposit").toBeGreaterThanOrEqual(0);
    expect(moneyOf(own), "money in less money out").toBeGreaterThanOrEqual(0);
  }
}

/** Without the permission only a deposit is paid out, through its own channel; a program pays out nothing. */
function checkPayouts(step: Act, before: readonly Booked[], booked: readonly Booked[]): void {
  if (step.by === "owner") return;
  for (const entry of booked.slice(before.length)) {
    const out = entry.entries.filter((entry) => isMoney(entry) && entry.amount < 0);
    if (out.length === 0) continue;
    expect(step.by).toBe("clerk");
    expect(entry.type).toBe("refund");
    const deposit = booked.find(({ id }) => id === entry.refundsEntryId);
    expect(deposit?.type).toBe("deposit");
    expect(out.map(({ account }) => account)).toEqual([deposit?.channel]);
    const own = booked.filter(({ stayId }) => stayId === entry.stayId);
    expect(accountOf(own, "receivable")).toBeLessThanOrEqual(0);
  }
}

/** A stay by the day pays once for each of its nights, and for no other night. */
function checkNights({ state, startsAt, endsAt, entries: own }: StayDetail, hotel: HotelCalendar): void {
  const lines = own.flatMap((entry) => entry.lines);
  const isNight = ({ kind }: QuoteLine): boolean => ["usual", "weekend", "special", "renewal"].includes(kind);
  if (state === "cancelled" || state === "no_show" || state === "checked_out" || !lines.every(isNight)) return;
  const paid = new Map<string, number>();
  for (const { date, amountMinor } of lines) paid.set(date, (paid.get(date) ?? 0) + Math.sign(amountMinor));
  const nights: [string, number][] = [];
  const { first, end } = nightsOf({ startsAt, endsAt }, hotel);
  for (let date = first; date < end; date = addDays(date, 1)) nights.push([date, 1]);
  expect([...paid].filter(([, times]) => times !== 0).sort()).toEqual(nights);
}

async function checkStay(walk: Walk, stayId: number, booked: readonly Booked[]): Promise<void> {
  const { owner } = walk.scopes;
  const own = booked.filter((entry) => entry.stayId === stayId);
  const chargedMinor = 0 - accountOf(own, "revenue");
  const owedMinor = accountOf(own, "receivable");
  const depositHeldMinor = 0 - accountOf(own, "deposits");
  const stayDetail = await detail(owner, stayId);
  expect(stayDetail.money).toMatchObject({
    chargedMinor,
    owedMinor,
    depositHeldMinor,
    paidMinor: chargedMinor - owedMinor,
  });
  expect(stayDetail.money.unusedMinor).toBeLessThanOrEqual(Math.max(0, chargedMinor));
  checkNights(stayDetail, owner.hotel);
  const receipt = await readReceipt(owner, stayId);
  expect(receipt).toMatchObject({ chargedMinor, owedMinor, depositHeldMinor, paidMinor: chargedMinor - owedMinor });
  expect(sumOf(receipt.charges.map(({ amountMinor }) => amountMinor))).toBe(chargedMinor);
  expect(sumOf(receipt.moves.map(({ amountMinor }) => amountMinor))).toBe(moneyOf(own));
  expect(sumOf(receipt.moves.map(({ amountMinor }) => amountMinor))).toBe(receipt.paidMinor + depositHeldMinor);
  for (const charge of receipt.charges.filter(({ type }) => type === "room" || type === "renewal")) {
    expect(totalOf(charge.lines)).toBe(charge.amountMinor);
  }
  const unit = walk.plain.get(stayId);
  if (unit) {
    const { rows } = await world.database.pool.query(
      `SELECT p.usual_minor AS "usualMinor", p.weekend_minor AS "weekendMinor", p.hour_minor AS "hourMinor", coalesce((SELECT jsonb_object_agg(
          to_char(d.date, 'YYYY-MM-DD'), d.price_minor) FROM room_price_date d WHERE d.room_id = p.room_id), '{}') AS dates
         FROM room_price p WHERE p.room_id = $1`,
      [stayDetail.room.id],
    );
    const prices = { ...rows[0], depositMinor: 0, renewalMinor: null, monthMinor: null, yearMinor: null };
    const again = quoteStay(stayDetail, unit, prices, owner.hotel);
    const { roomChargedMinor } = await readAccount(owner.sql, stayId);
    expect(roomChargedMinor, "charged as if booked in one step").toBe(
      "lines" in again ? totalOf(again.lines) : Number.NaN,
    );
  }
}

/** Checks the rules for the hotel: every report equals a recount of the ledger. */
async function checkHotel(walk: Walk, booked: readonly Booked[]): Promise<void> {
  const { owner } = walk.scopes;
  const balance = await get(owner);
  const deposits = 0 - accountOf(booked, "deposits");
  const stays = [...new Set(booked.map(({ stayId }) => stayId))].filter((id) => id !== null);
  const owed = stays.map((id) =>
    accountOf(
      booked.filter(({ stayId }) => stayId === id),
      "receivable",
    ),
  );
  const credits = sumOf(owed.map((minor) => Math.max(0, -minor)));
  expect(balance).toMatchObject({ moneyMinor: moneyOf(booked), heldMinor: deposits, creditsMinor: credits });
  expect(balance.availableMinor).toBe(moneyOf(booked) - deposits - credits);
  expect(balance.availableMinor).toBeLessThanOrEqual(sumOf(balance.channels.map(({ amountMinor }) => amountMinor)));
  for (const { channel, amountMinor } of balance.channels) expect(amountMinor).toBe(accountOf(booked, channel));
}

async function checkReports(walk: Walk, booked: readonly Booked[]): Promise<void> {
  const { owner } = walk.scopes;
  const guests = booked.filter(({ stayId }) => stayId !== null);
  const dayOf = ({ createdAt }: Booked): string => localDate(createdAt, ZONE);
  const takenOf = (own: readonly Booked[], name: string, sign: 1 | -1): number =>
    sumOf(
      own.flatMap(({ entries }) =>
        entries
          .filter(({ account, amount }) => account === name && amount * sign > 0)
          .map(({ amount }) => amount * sign),
      ),
    );
  const first = localDate(NOW, ZONE);
  const today = localDate(world.clock.now().toISOString(), ZONE);
  const { revenue } = await overview(owner, new BoardReader(), "1", true);
  const months = [...new Set([first, today].map((date) => `${date.slice(0, 7)}-01`))];
  for (const date of months) {
    const { rows } = await statement(owner, { span: "day", date });
    for (const row of rows) {
      const own = guests.filter((entry) => dayOf(entry) === row.date);
      const chargedMinor = 0 - accountOf(own, "revenue");
      const returnedMinor = sumOf(PaymentChannel.options.map((name) => takenOf(own, name, -1)));
      const taken = PaymentChannel.options.map((name) => ({ channel: name, amountMinor: takenOf(own, name, 1) }));
      expect(row).toMatchObject({ chargedMinor, returnedMinor, taken });
      const shown = revenue?.find(({ date }) => date === row.date);
      if (shown) expect(shown.minor).toBe(chargedMinor);
      if (row.date < first || row.date > today) continue;
      const from = new Date(`${row.date}T00:00:00.000Z`).toISOString();
      const to = new Date(`${addDays(row.date, 1)}T00:00:00.000Z`).toISOString();
      const { figures } = await auditDay(owner, { date: row.date, from, to, over: true, at: to });
      const inDay = guests.filter(({ createdAt }) => createdAt >= from && createdAt < to);
      expect(figures.revenueMinor).toBe(0 - accountOf(inDay, "revenue"));
      expect(figures.channels).toEqual(
        PaymentChannel.options.map((name) => ({
          channel: name,
          takenMinor: takenOf(inDay, name, 1),
          returnedMinor: takenOf(inDay, name, -1),
        })),
      );
    }
  }
  const { text, values } = entryListQuery(owner, {});
  const exported = await owner.sql.rows<{ id: number; amountMinor: number; refundableMinor: number }>(text, ...values);
  expect(new Map(exported.map(({ id, amountMinor }) => [id, amountMinor]))).toEqual(
    new Map(booked.map(({ id, amountMinor }) => [id, amountMinor])),
  );
}

const tally = { walks: 0, steps: 0, done: new Map<string, number>(), refused: new Map<string, number>() };
const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);

it("keeps every rule about money on a random walk", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, STEPS), async (acts) => {
      const walk = await begin();
      let booked: Booked[] = [];
      tally.walks += 1;
      for (const step of acts) {
        tally.steps += 1;
        try {
          await attempt(walk, step);
          count(tally.done, step.kind);
        } catch (error) {
          if (error instanceof DomainError) count(tally.refused, `${step.kind} ${error.code}`);
          else if (error instanceof Error && error.name === "ZodError") count(tally.refused, `${step.kind} parse`);
          else throw error;
        }
        const before = booked;
        booked = await readBooked(walk.hotel.id);
        checkLedger(booked);
        checkPayouts(step, before, booked);
        const touched = new Set(booked.slice(before.length).map(({ stayId }) => stayId));
        for (const stayId of touched) if (stayId !== null) await checkStay(walk, stayId, booked);
        await checkHotel(walk, booked);
      }
      await checkReports(walk, booked);
    }),
    { numRuns: WALKS, seed: SEED },
  );
  if (process.env.MONEY_WALKS) process.stdout.write(`${inspect(tally)}\n`);
}, 3_600_000);

/** Acts on one stay that two desks may do at the same moment. */
type Race = (walk: Walk, by: Actor, stayId: number) => Promise<unknown>;
const LATER = "2026-10-26T10:00:00.000Z";
/** After the first night, so that breakfast can be served. */
const MORNING = "2026-10-22T06:30:00.000Z";
const RACES: Record<string, Race> = {
  checkOut: ({ scopes }, by, stayId) =>
    desk.checkOut(scopes[by], schema.checkOutInput.parse({ stayId, confirmUnpaid: true })),
  checkOutUnused: ({ scopes }, _by, stayId) =>
    desk.checkOut(
      scopes.owner,
      schema.checkOutInput.parse({
        stayId,
        refundUnusedMinor: 6_000,
        refundChannel: "card",
        useDeposit: false,
        channel: "cash",
      }),
    ),
  keepDeposit: ({ scopes }, by, stayId) =>
    desk.checkOut(
      scopes[by],
      schema.checkOutInput.parse({ stayId, confirmUnpaid: true, keepDeposit: { amountMinor: 1_000, reason: "Lamp" } }),
    ),
  refundDeposit: async (walk, by, stayId) =>
    folio.refundAsPaid(walk.scopes[by], { entryId: await entryOf(stayId, "deposit"), amountMinor: 15_000, note: "" }),
  refundCharge: async (walk, _by, stayId) =>
    folio.refund(walk.scopes.owner, {
      entryId: await entryOf(stayId, "room"),
      amountMinor: 20_000,
      channel: "cash",
      note: "",
    }),
  writeOff: async (walk, _by, stayId) =>
    folio.refund(walk.scopes.owner, {
      entryId: await entryOf(stayId, "room"),
      amountMinor: 30_000,
      channel: null,
      note: "",
    }),
  refundPayment: async (walk, _by, stayId) =>
    folio.refundAsPaid(walk.scopes.owner, {
      entryId: await entryOf(stayId, "payment"),
      amountMinor: 15_000,
      note: "",
    }),
  pay: async ({ scopes }, by, stayId) => {
    const { owedMinor } = await readAccount(scopes.owner.sql, stayId);
    return folio.pay(scopes[by], { stayId, amountMinor: Math.max(1, owedMinor), channel: "cash", note: "" });
  },
  chargeExtra: ({ scopes }, by, stayId) =>
    chargeExtra(scopes[by], { stayId, text: "Minibar", quantity: 2, unitMinor: 900, channel: null }),
  cancelCharge: async ({ scopes }, _by, stayId) =>
    cancelCharge(scopes.owner, { entryId: await entryOf(stayId, "extra"), reason: "By mistake" }),
  breakfast: async ({ scopes }) => {
    const { guests, date } = await breakfastList(scopes.owner);
    const stayGuestIds = guests.map(({ stayGuestId }) => stayGuestId);
    return desk.tickBreakfast(scopes.owner, { date, stayGuestIds, used: true });
  },
  noBreakfast: async ({ scopes }) => {
    const { guests, date } = await breakfastList(scopes.owner);
    const stayGuestIds = guests.map(({ stayGuestId }) => stayGuestId);
    return desk.tickBreakfast(scopes.owner, { date, stayGuestIds, used: false });
  },
  payOutCredit: ({ scopes }, _by, stayId) =>
    folio.payOutCredit(scopes.owner, { stayId, amountMinor: 4_000, channel: "cash", note: "" }),
  renew: ({ scopes }, by, stayId) =>
    desk.renew(scopes[by], schema.renewInput.parse({ stayId, endsAt: LATER, channel: "card" })),
  shorten: ({ scopes }, _by, stayId) =>
    desk.shorten(scopes.owner, shortenInput.parse({ stayId, endsAt: "2026-10-22T10:00:00.000Z", channel: "cash" })),
  changeRoom: ({ scopes, rooms }, _by, stayId) =>
    desk.changeRoom(scopes.owner, schema.changeRoomInput.parse({ stayId, roomId: rooms[2], channel: "transfer" })),
  cancel: ({ scopes }, _by, stayId) => desk.cancelReservation(scopes.owner, { stayId, refundChannel: "cash" }),
  arrive: ({ scopes }, by, stayId) =>
    desk.arrive(scopes[by], schema.arriveInput.parse({ stayId, depositMinor: 5_000, channel: "card" })),
  moveReservation: ({ scopes, rooms }, _by, stayId) =>
    desk.moveReservation(
      scopes.owner,
      moveReservationInput.parse({
        stayId,
        roomId: rooms[2],
        startsAt: NOW,
        endsAt: "2026-10-23T10:00:00.000Z",
        channel: "cash",
      }),
    ),
  withdraw: async ({ scopes }) => {
    const { availableMinor } = await get(scopes.owner);
    return withdraw(scopes.owner, { amountMinor: Math.max(1, availableMinor), note: "" });
  },
  refundRecharge: async ({ scopes, hotel }) => {
    const entry = await world.database.prisma.folioEntry.findFirstOrThrow({
      where: { hotelId: hotel.id, type: "recharge" },
    });
    return folio.refundAsPaid(scopes.owner, { entryId: entry.id, amountMinor: 30_000, note: "" });
  },
};

async function entryOf(stayId: number, type: "deposit" | "room" | "payment" | "extra"): Promise<number> {
  const where = { stayId, type, amountMinor: { gt: 0 } };
  return (await world.database.prisma.folioEntry.findFirst({ where, orderBy: { id: "asc" } }))?.id ?? 2_000_000_000;
}

/** A stay of four nights at 25 000, with a deposit, half paid; the hotel has money of its own. */
async function beginRace(arrived: boolean): Promise<{ walk: Walk; stayId: number }> {
  const walk = await begin();
  const { owner } = walk.scopes;
  await recharge(owner, { amountMinor: 50_000, channel: "cash", note: "" });
  const booking = {
    roomId: walk.rooms[1],
    unit: "day",
    startsAt: NOW,
    endsAt: "2026-10-25T10:00:00.000Z",
    guests: [{ name: "Ann" }],
    breakfast: true,
  };
  const { stayId } = arrived
    ? await desk.checkIn(owner, schema.checkInInput.parse({ ...booking, depositMinor: 20_000, depositChannel: "card" }))
    : await desk.reserve(owner, schema.reserveInput.parse(booking));
  await folio.pay(owner, { stayId, amountMinor: 50_000, channel: "card", note: "" });
  await chargeExtra(owner, { stayId, text: "Parking", quantity: 1, unitMinor: 1_500, channel: null });
  if (arrived) {
    const data = { breakfastPriceMinor: 1_200 };
    await world.database.prisma.hotel.update({ where: { id: walk.hotel.id }, data });
    world.clock.set(MORNING);
  }
  return { walk, stayId };
}

const IN_HOUSE = Object.keys(RACES).filter(
  (name) => name !== "cancel" && name !== "arrive" && name !== "moveReservation",
);
const RESERVED = [
  "cancel",
  "arrive",
  "moveReservation",
  "refundCharge",
  "writeOff",
  "refundPayment",
  "chargeExtra",
  "cancelCharge",
  "pay",
  "renew",
  "shorten",
  "changeRoom",
];
const pairsOf = (names: readonly string[]): [string, string][] =>
  names.flatMap((a, at) => names.slice(at).map((b): [string, string] => [a, b]));
/** Withdrawals may race with refunds by operators who can pay out guests' money. */
const MAY_OVERDRAW = new Set(["withdraw", "refundRecharge"]);

it.each([
  ["checked in", true, pairsOf(IN_HOUSE)],
  ["reserved", false, pairsOf(RESERVED)],
] as const)(
  "keeps every rule when two desks act at once on a stay %s",
  async (_name, arrived, pairs) => {
    const outcomes = new Map<string, number>();
    const selected = process.env.MONEY_WALKS ? pairs : pairs.filter((_pair, at) => at % 5 === 0);
    for (const names of selected) {
      const { walk, stayId } = await beginRace(arrived);
      const acts = names.map((name) => RACES[name]).filter((race) => race !== undefined);
      const results = await Promise.allSettled([
        ...acts.map((race) => race(walk, "owner", stayId)),
        ...acts.map((race) => race(walk, "clerk", stayId)),
      ]);
      for (const result of results) {
        if (result.status === "rejected" && !(result.reason instanceof DomainError))
          throw new Error(names.join(" and "), { cause: result.reason });
        count(outcomes, result.status === "rejected" ? (result.reason as DomainError).code : "done");
      }
      const booked = await readBooked(walk.hotel.id);
      walk.plain.clear();
      checkLedger(booked);
      await checkStay(walk, stayId, booked);
      await checkHotel(walk, booked);
      const { availableMinor } = await get(walk.scopes.owner);
      if (names.every((name) => MAY_OVERDRAW.has(name))) expect(availableMinor, names.join()).toBeGreaterThanOrEqual(0);
    }
    if (process.env.MONEY_WALKS) process.stdout.write(`${selected.length} pairs ${inspect(outcomes)}\n`);
  },
  3_600_000,
);
