import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PaymentChannel } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { shortenInput } from "@innkey/shared/schemas/overview/timeline";
import * as schema from "@innkey/shared/schemas/stays/stays";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { shorten } from "../../desk/public.ts";
import { detail } from "../../overview/stays.queries.ts";
import * as folio from "./entries.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const IN_THREE_NIGHTS = "2026-11-21T11:00:00.000Z";
const IN_ONE_NIGHT = "2026-11-19T11:00:00.000Z";
const CLERK = ["rooms.view", "stays.view", "stays.manage", "folio.view"] as const;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let rooms: { dear: number; cheap: number };

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  rooms = {
    dear: await hotel.createRoom("107", { usualMinor: 50_000, weekendMinor: 50_000, depositMinor: 0 }),
    cheap: await hotel.createRoom("108", { usualMinor: 1_000, weekendMinor: 1_000, depositMinor: 0 }),
  };
});

/** Callers who must not pay out money, but may check guests in and out. */
const PAYERS: [string, () => Promise<Scope>][] = [
  ["a clerk", () => hotel.scope("staff", { capabilities: [...CLERK], roomIds: [rooms.dear, rooms.cheap] })],
  ["an API key", async () => hotel.keyScope([...CLERK])],
];

function checkIn(scope: Scope, more: Partial<schema.CheckInInput> = {}) {
  const guests = [{ name: "Ann Lee" }];
  const stay = { roomId: rooms.dear, unit: "day", startsAt: NOW, endsAt: IN_THREE_NIGHTS, guests };
  return stays.checkIn(scope, schema.checkInInput.parse({ ...stay, ...more }));
}

const checkOut = (scope: Scope, input: { stayId: number } & Record<string, unknown>) =>
  stays.checkOut(scope, schema.checkOutInput.parse(input));

/** Returns the money paid out by channel, in minor units. */
async function readLeft(): Promise<Partial<Record<PaymentChannel, number>>> {
  const { rows } = await world.database.pool.query<{ account: PaymentChannel; minor: number }>(
    `SELECT account::text AS account, -sum(amount_minor)::int AS minor FROM ledger_entry
      WHERE hotel_id = $1 AND amount_minor < 0 AND account IN ('cash', 'card', 'transfer', 'other') GROUP BY account`,
    [hotel.id],
  );
  return Object.fromEntries(rows.map(({ account, minor }) => [account, minor]));
}

describe.each(PAYERS)("%s without the right to refund", (_, payer) => {
  let scope: Scope;
  beforeEach(async () => {
    scope = await payer();
  });

  it("cannot take money out by moving a party into a cheaper room", async () => {
    const { stayId } = await checkIn(scope, { channel: "cash" });
    const move = (channel: PaymentChannel | null) =>
      stays.changeRoom(scope, schema.changeRoomInput.parse({ stayId, roomId: rooms.cheap, channel }));
    await expect(move("cash")).rejects.toMatchObject({ code: "payout_not_allowed" });
    expect(await readLeft()).toEqual({});

    await move(null);
    expect((await detail(owner, stayId)).money.owedMinor).toBe(-147_000);
    expect(await readLeft()).toEqual({});
  });

  it("cannot take money out by shortening a stay and checking it out", async () => {
    const { stayId } = await checkIn(scope, { channel: "cash" });
    await shorten(scope, shortenInput.parse({ stayId, endsAt: IN_ONE_NIGHT }));
    const out = checkOut(scope, { stayId, refundChannel: "cash" });
    await expect(out).rejects.toMatchObject({ code: "payout_not_allowed" });

    const departure = await checkOut(scope, { stayId });
    expect(departure).toMatchObject({ refundMinor: 0, owedMinor: -100_000 });
    expect(await readLeft()).toEqual({});
  });

  it("cannot take money out as the deposit of another channel", async () => {
    const { stayId } = await checkIn(scope, { channel: "card", depositMinor: 900_000, depositChannel: "card" });
    await checkOut(scope, { stayId, refundChannel: "cash" });
    expect((await readLeft()).cash).toBeUndefined();
  });
});

it("lets a clerk without the permission return a deposit through its channel, once nothing is owed", async () => {
  const clerk = await hotel.scope("staff", { capabilities: [...CLERK], roomIds: [rooms.dear] });
  const { stayId } = await checkIn(clerk, { channel: "card", depositMinor: 5_000, depositChannel: "cash" });
  const deposit = (await detail(owner, stayId)).entries.find(({ type }) => type === "deposit");
  const giveBack = (amountMinor: number, channel: PaymentChannel) =>
    folio.refund(clerk, { entryId: deposit?.id ?? 0, amountMinor, channel, note: "" });
  await expect(giveBack(2_000, "card")).rejects.toMatchObject({ code: "payout_not_allowed" });
  await giveBack(2_000, "cash");
  await expect(giveBack(3_001, "cash")).rejects.toMatchObject({ code: "refund_too_large" });
  const dearer = schema.renewInput.parse({ stayId, endsAt: "2026-11-22T11:00:00.000Z" });
  await stays.renew(clerk, dearer);
  await expect(giveBack(1, "cash")).rejects.toMatchObject({ code: "payout_not_allowed" });
  expect(await readLeft()).toEqual({ cash: 2_000 });
});

it("lets a program check a party out, and leaves the deposit for a person to return", async () => {
  const key = hotel.keyScope([...CLERK]);
  const { stayId } = await checkIn(key, { channel: "card", depositMinor: 5_000, depositChannel: "cash" });
  const request = checkOut(key, { stayId, refundDeposit: true });
  await expect(request).rejects.toMatchObject({ code: "payout_not_allowed" });
  expect(await checkOut(key, { stayId })).toMatchObject({ refundMinor: 0, depositHeldMinor: 5_000 });
  const clerk = await hotel.scope("staff", { capabilities: [...CLERK], roomIds: [rooms.dear] });
  const deposit = (await detail(owner, stayId)).entries.find(({ type }) => type === "deposit");
  await folio.refund(clerk, { entryId: deposit?.id ?? 0, amountMinor: 5_000, channel: "cash", note: "" });
  expect((await detail(owner, stayId)).money.depositHeldMinor).toBe(0);
});

it("lets a clerk cancel a paid reservation, and leaves the credit for somebody who can pay it out", async () => {
  const clerk = await hotel.scope("staff", { capabilities: [...CLERK], roomIds: [rooms.dear] });
  const booking = { roomId: rooms.dear, unit: "day", startsAt: "2026-11-19T14:00:00.000Z", endsAt: IN_THREE_NIGHTS };
  const input = { ...booking, guests: [{ name: "Ann Lee" }], channel: "card" };
  const { stayId } = await stays.reserve(clerk, schema.reserveInput.parse(input));
  const cancel = stays.cancelReservation(clerk, { stayId, refundChannel: "cash" });
  await expect(cancel).rejects.toMatchObject({ code: "payout_not_allowed" });
  await stays.cancelReservation(clerk, { stayId });
  expect((await detail(owner, stayId)).money).toMatchObject({ chargedMinor: 0, owedMinor: -100_000 });

  const credit = { stayId, amountMinor: 100_000, channel: "card" as const, note: "" };
  await expect(folio.payOutCredit(clerk, credit)).rejects.toMatchObject({ code: "no_permission" });
  const stranger = await (await world.createHotel()).scope();
  await expect(folio.payOutCredit(stranger, credit)).rejects.toMatchObject({ code: "not_found" });
  const tooMuch = folio.payOutCredit(owner, { ...credit, amountMinor: 100_001 });
  await expect(tooMuch).rejects.toMatchObject({ code: "refund_too_large" });
  expect(await folio.payOutCredit(owner, credit)).toMatchObject({ owedMinor: 0 });
  await expect(folio.payOutCredit(owner, { ...credit, amountMinor: 1 })).rejects.toMatchObject({
    code: "refund_too_large",
  });
  expect(await readLeft()).toEqual({ card: 100_000 });
});

describe("a deposit at check-out", () => {
  const deposit = { depositMinor: 20_000, depositChannel: "card" as const };

  it("settles what is owed first, and only the rest is returned, through its channel", async () => {
    const { stayId } = await checkIn(owner, { ...deposit, roomId: rooms.cheap });
    const out = await checkOut(owner, { stayId, refundChannel: "cash" });
    expect(out).toMatchObject({ depositUsedMinor: 3_000, refundMinor: 17_000, paidMinor: 0, owedMinor: 0 });
    expect(await readLeft()).toEqual({ card: 17_000 });
    const { money } = await detail(owner, stayId);
    expect(money).toMatchObject({ paidMinor: 3_000, owedMinor: 0, depositHeldMinor: 0 });
  });

  it("is never returned while something is owed", async () => {
    const { stayId } = await checkIn(owner, deposit);
    await expect(checkOut(owner, { stayId, useDeposit: false })).rejects.toMatchObject({
      code: "unpaid",
      params: { amountMinor: 130_000 },
    });
    const out = await checkOut(owner, { stayId, useDeposit: false, confirmUnpaid: true });
    expect(out).toMatchObject({ depositUsedMinor: 20_000, refundMinor: 0, owedMinor: 130_000 });
    expect(await readLeft()).toEqual({});
  });

  it("is returned completely when what is owed is paid in addition", async () => {
    const { stayId } = await checkIn(owner, deposit);
    const out = await checkOut(owner, { stayId, useDeposit: false, channel: "cash" });
    expect(out).toMatchObject({ paidMinor: 150_000, depositUsedMinor: 0, refundMinor: 20_000, owedMinor: 0 });
  });

  it("can be kept as income with a reason, which is recorded", async () => {
    const { stayId } = await checkIn(owner, { ...deposit, channel: "card" });
    const keep = (amountMinor: number, reason: string) => ({ stayId, keepDeposit: { amountMinor, reason } });
    expect(schema.checkOutInput.safeParse(keep(5_000, " ")).success).toBe(false);
    await expect(checkOut(owner, keep(20_001, "Broken lamp"))).rejects.toMatchObject({ code: "invalid_input" });
    const out = await checkOut(owner, keep(5_000, "Broken lamp"));
    expect(out).toMatchObject({ depositKeptMinor: 5_000, refundMinor: 15_000, owedMinor: 0, depositHeldMinor: 0 });
    const { money, entries: own } = await detail(owner, stayId);
    expect(money).toMatchObject({ chargedMinor: 155_000, paidMinor: 155_000 });
    const keptDeposit = own.find(({ type }) => type === "deposit_kept");
    expect(keptDeposit).toMatchObject({
      amountMinor: 5_000,
      note: "Broken lamp",
      channel: null,
      refundableMinor: 5_000,
    });
    const entry = await world.database.prisma.auditEntry.findFirstOrThrow({
      where: { hotelId: hotel.id, action: "stay.check_out" },
    });
    expect(entry.after).toMatchObject({ depositKeptMinor: 5_000, keepDepositReason: "Broken lamp" });

    await folio.refund(owner, {
      entryId: keptDeposit?.id ?? 0,
      amountMinor: 5_000,
      channel: "card",
      note: "It wasn't them",
    });
    expect((await detail(owner, stayId)).money).toMatchObject({ chargedMinor: 150_000, owedMinor: 0 });
  });
});

it("shows a deposit and its channel to everybody who can check out, because check-out returns it", async () => {
  const { stayId } = await checkIn(owner, { channel: "card", depositMinor: 5_000, depositChannel: "transfer" });
  const moneyOf = async (...capabilities: string[]) =>
    (await detail(await hotel.scope("staff", { capabilities, roomIds: [rooms.dear] }), stayId)).money;
  const nothing = { chargedMinor: 0, paidMinor: 0, depositHeldMinor: 0, depositChannels: [] };
  expect(await moneyOf("stays.view")).toMatchObject(nothing);
  const depositFacts = { depositHeldMinor: 5_000, depositChannels: ["transfer"] };
  expect(await moneyOf("stays.view", "stays.manage")).toMatchObject({ ...nothing, ...depositFacts });
  expect(await moneyOf("stays.view", "folio.view")).toMatchObject({ ...depositFacts, paidMinor: 150_000 });
  await checkOut(owner, { stayId });
  expect(await moneyOf("stays.view", "stays.manage")).toMatchObject(nothing);
});

it("shows payments to everybody who can pay them out, for example by cancelling", async () => {
  const booking = { roomId: rooms.dear, unit: "day", startsAt: "2026-11-19T14:00:00.000Z", endsAt: IN_THREE_NIGHTS };
  const input = { ...booking, guests: [{ name: "Ann Lee" }], channel: "card" };
  const { stayId } = await stays.reserve(owner, schema.reserveInput.parse(input));
  const capabilities = ["stays.view", "stays.manage", "folio.refund"];
  const payer = await hotel.scope("staff", { capabilities, roomIds: [rooms.dear] });
  const { money, entries: listed } = await detail(payer, stayId);
  expect(money).toMatchObject({ chargedMinor: 0, paidMinor: 100_000 });
  expect(listed).toEqual([]);
  await stays.cancelReservation(payer, { stayId, refundChannel: "cash" });
  expect(await readLeft()).toEqual({ cash: 100_000 });
});

it("shows no payments to those who cannot see charges", async () => {
  const { stayId } = await checkIn(owner);
  const clerk = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [rooms.dear] });
  expect((await detail(clerk, stayId)).money).toMatchObject({ owedMinor: 150_000, chargedMinor: 0, paidMinor: 0 });
});

/** All actions that move a stay's money, with any input. */
const act = fc.record({
  kind: fc.constantFrom("move", "shorten", "renew", "pay", "refund", "cancel", "checkOut", "payOutCredit"),
  by: fc.constantFrom("clerk", "key"),
  entry: fc.nat(6),
  amountMinor: fc.integer({ min: 1, max: 160_000 }),
  channel: fc.constantFrom("cash", "card", null),
  refundChannel: fc.constantFrom("cash", "card", null, undefined),
  flag: fc.constantFrom(true, false, undefined),
});
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

describe("any sequence of acts", () => {
  it("pays out no more than a deposit through its channel without the permission, and nothing for a program", async () => {
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        fc.constantFrom<PaymentChannel>("cash", "card"),
        async (acts, arrived, depositChannel) => {
          hotel = await world.createHotel();
          owner = await hotel.scope();
          rooms = {
            dear: await hotel.createRoom(`D${++serial}`, { usualMinor: 50_000, weekendMinor: 50_000 }),
            cheap: await hotel.createRoom(`C${serial}`, { usualMinor: 1_000, weekendMinor: 1_000 }),
          };
          const by = {
            clerk: await hotel.scope("staff", { capabilities: [...CLERK], roomIds: Object.values(rooms) }),
            key: hotel.keyScope([...CLERK]),
          };
          const begin = { depositMinor: 20_000, depositChannel, channel: "cash" as const };
          const booking = { roomId: rooms.dear, unit: "day" as const, startsAt: NOW, endsAt: IN_THREE_NIGHTS };
          const { stayId } = arrived
            ? await checkIn(by.clerk, begin)
            : await stays.reserve(
                by.clerk,
                schema.reserveInput.parse({ ...booking, guests: [{ name: "Ann Lee" }], channel: "cash" }),
              );
          for (const step of acts) {
            await attempt(by[step.by], stayId, step).catch((error: unknown) => {
              if (!(error instanceof DomainError)) throw error;
            });
          }
          const { rows } = await world.database.pool.query<{
            type: string;
            account: string;
            program: boolean;
            minor: number;
          }>(
            `SELECT o.type::text AS type, e.account::text AS account, o.operator_id IS NULL AS program, -e.amount_minor AS minor
               FROM ledger_entry e JOIN folio_entry o ON o.id = e.folio_entry_id
              WHERE e.hotel_id = $1 AND e.amount_minor < 0 AND e.account IN ('cash', 'card', 'transfer', 'other')`,
            [hotel.id],
          );
          expect(rows.filter(({ program }) => program)).toEqual([]);
          expect(rows.filter(({ account }) => account !== depositChannel)).toEqual([]);
          expect(rows.reduce((sum, { minor }) => sum + minor, 0)).toBeLessThanOrEqual(arrived ? 20_000 : 0);
          expect((await detail(owner, stayId)).money.depositHeldMinor).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});

async function attempt(scope: Scope, stayId: number, { kind, channel, ...step }: Act): Promise<unknown> {
  switch (kind) {
    case "move":
      return stays.changeRoom(scope, schema.changeRoomInput.parse({ stayId, roomId: rooms.cheap, channel }));
    case "shorten":
      return shorten(scope, shortenInput.parse({ stayId, endsAt: IN_ONE_NIGHT, channel }));
    case "renew":
      return stays.renew(scope, schema.renewInput.parse({ stayId, endsAt: "2026-11-23T11:00:00.000Z", channel }));
    case "pay":
      return folio.pay(scope, { stayId, amountMinor: step.amountMinor, channel: channel ?? "cash", note: "" });
    case "payOutCredit":
      return folio.payOutCredit(scope, { stayId, amountMinor: 1_000, channel: channel ?? "cash", note: "" });
    case "cancel":
      return stays.cancelReservation(scope, { stayId, refundChannel: step.refundChannel });
    case "refund": {
      const all = (await detail(owner, stayId)).entries;
      const entry = all[step.entry % all.length];
      return folio.refund(scope, { entryId: entry?.id ?? 0, amountMinor: step.amountMinor, channel, note: "" });
    }
    case "checkOut":
      return checkOut(scope, {
        stayId,
        channel,
        refundChannel: step.refundChannel,
        useDeposit: step.flag,
        refundDeposit: step.flag,
        confirmUnpaid: true,
      });
  }
}

describe("the ledger", () => {
  it("refuses outgoing money without a person, whatever wrote it", async () => {
    const { prisma, pool } = world.database;
    const entry = { hotelId: hotel.id, type: "withdrawal" as const, amountMinor: 5, createdAt: new Date(NOW) };
    const { id } = await prisma.folioEntry.create({ data: entry });
    const insert = `INSERT INTO ledger_entry (hotel_id, folio_entry_id, account, amount_minor)
      VALUES ($1, $2, 'cash', -5), ($1, $2, 'owner_funds', 5)`;
    await expect(pool.query(insert, [hotel.id, id])).rejects.toThrow(/names nobody/);
  });

  it("is written by one function only", () => {
    const source = fileURLToPath(new URL("../../../", import.meta.url));
    const writers = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|generated|^testing/.test(file))
      .filter((file) =>
        /ledgerEntry\.(create|upsert)|INTO "?ledger_entry/i.test(readFileSync(join(source, file), "utf8")),
      );
    expect(writers).toEqual([join("domain", "folio", "entries", "ledger.ts")]);
  });
});
