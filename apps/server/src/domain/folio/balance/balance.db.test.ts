import { PaymentChannel } from "@innkey/shared/enums";
import { fieldMessages } from "@innkey/shared/errors";
import { confirmedWithdrawInput, setAccountInput } from "@innkey/shared/schemas/folio";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import * as folio from "../entries/entries.service.ts";
import { get, recharge, setAccount, statement, undoWithdrawal, withdraw } from "./balance.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const NUMBER = "DE89370400440532013000";

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

const account = setAccountInput.parse({ type: "bank", name: "Ada Lovelace", bank: "Bank of Elbe", number: NUMBER });
const putIn = (amountMinor: number, channel: PaymentChannel = "transfer") =>
  recharge(owner, { amountMinor, channel, note: "" });
const takeOut = (amountMinor: number, scope = owner) => withdraw(scope, { amountMinor, note: "" });
const channelsOf = async () =>
  Object.fromEntries((await get(owner)).channels.map(({ channel, amountMinor }) => [channel, amountMinor]));

async function checkIn(amounts: { channel: PaymentChannel | null; depositMinor?: number }): Promise<number> {
  const roomId = await hotel.createRoom("101");
  const input = { roomId, unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z", guests: [{ name: "Ann" }] };
  return (await stays.checkIn(owner, checkInInput.parse({ ...input, ...amounts }))).stayId;
}

describe("the available balance", () => {
  it("is the channels' money without deposits and guests' credits", async () => {
    const stayId = await checkIn({ channel: "card", depositMinor: 7_000 });
    expect(await get(owner)).toMatchObject({ moneyMinor: 27_000, heldMinor: 7_000, availableMinor: 20_000 });
    const room = await world.database.prisma.folioEntry.findFirstOrThrow({ where: { stayId, type: "room" } });
    await folio.refund(owner, { entryId: room.id, amountMinor: 4_000, channel: null, note: "" });
    expect(await get(owner)).toMatchObject({
      moneyMinor: 27_000,
      heldMinor: 7_000,
      creditsMinor: 4_000,
      availableMinor: 16_000,
      channels: [
        { channel: "cash", amountMinor: 7_000 },
        { channel: "card", amountMinor: 20_000 },
        { channel: "transfer", amountMinor: 0 },
        { channel: "other", amountMinor: 0 },
      ],
      account: null,
    });
    await setAccount(owner, account);
    await expect(takeOut(16_001)).rejects.toMatchObject({ code: "balance_too_small", params: { left: "€160.00" } });
    await takeOut(16_000);
    expect((await get(owner)).availableMinor).toBe(0);
  });

  it("is withdrawn from the channels in a fixed order, from each at most what it has", async () => {
    await setAccount(owner, account);
    for (const [index, channel] of PaymentChannel.options.entries()) await putIn(1_000 * (index + 1), channel);
    await takeOut(6_000);
    expect(await channelsOf()).toEqual({ cash: 1_000, card: 0, transfer: 0, other: 3_000 });
    const entry = await world.database.prisma.folioEntry.findFirstOrThrow({
      where: { hotelId: hotel.id, type: "withdrawal" },
    });
    expect(entry).toMatchObject({ channel: null, destination: "Ada Lovelace, Bank of Elbe, •••• 3000", stayId: null });
    await takeOut(500);
    const single = await world.database.prisma.folioEntry.findFirst({
      where: { channel: "other", type: "withdrawal" },
    });
    expect(single).toMatchObject({ amountMinor: 500 });
  });

  it("is withdrawn only with an account", async () => {
    await putIn(1_000);
    await expect(takeOut(1)).rejects.toMatchObject({ code: "withdrawal_account_missing" });
  });

  it("is never withdrawn twice by fifty simultaneous requests", async () => {
    await setAccount(owner, account);
    await putIn(10_000);
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => takeOut(900)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(refused).toEqual(Array.from({ length: 39 }, () => "balance_too_small"));
    expect(await get(owner)).toMatchObject({ moneyMinor: 100, availableMinor: 100 });
  });

  it("may exceed a 32-bit integer", async () => {
    await setAccount(owner, account);
    for (let i = 0; i < 4; i += 1) await putIn(1_000_000_000);
    expect((await get(owner)).availableMinor).toBe(4_000_000_000);
    expect((await takeOut(1_000_000_000)).availableMinor).toBe(3_000_000_000);
  });
});

describe("a recharge", () => {
  it("is refunded like any entry, up to what is left of it and available", async () => {
    await setAccount(owner, account);
    const { entryId } = await putIn(5_000);
    const back = (amountMinor: number) => folio.refund(owner, { entryId, amountMinor, channel: "transfer", note: "" });
    await back(1_000);
    await expect(back(4_001)).rejects.toMatchObject({ code: "refund_too_large", params: { leftMinor: 4_000 } });
    await takeOut(3_500);
    await expect(back(501)).rejects.toMatchObject({ code: "refund_too_large", params: { leftMinor: 500 } });
    const outcomes = await Promise.allSettled([back(400), back(400), takeOut(400), takeOut(400)]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await get(owner)).moneyMinor).toBe(100);
  });

  it("can be refunded, but a withdrawal cannot", async () => {
    await setAccount(owner, account);
    await putIn(1_000);
    const { entryId } = await takeOut(500);
    const refund = folio.refund(owner, { entryId, amountMinor: 1, channel: "cash", note: "" });
    await expect(refund).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("an undone withdrawal", () => {
  const undo = (entryId: number, scope = owner) => undoWithdrawal(scope, { entryId, reason: "The bank refused it" });

  it("puts the money back where it came from, once, and counts against what was withdrawn", async () => {
    await setAccount(owner, account);
    await putIn(3_000, "transfer");
    await putIn(1_000, "cash");
    const { entryId } = await takeOut(3_500);
    expect(await channelsOf()).toMatchObject({ transfer: 0, cash: 500 });
    const undone = await undo(entryId);
    expect(undone.availableMinor).toBe(4_000);
    expect(await channelsOf()).toMatchObject({ transfer: 3_000, cash: 1_000 });
    const facts = { type: "withdrawal_undone", amountMinor: 3_500, refundsEntryId: entryId, stayId: null };
    expect(await world.database.prisma.folioEntry.findUniqueOrThrow({ where: { id: undone.entryId } })).toMatchObject({
      ...facts,
      note: "The bank refused it",
      destination: "Ada Lovelace, Bank of Elbe, •••• 3000",
    });
    const { rows } = await statement(owner, { span: "day", date: null });
    expect(rows.at(-1)).toMatchObject({ rechargedMinor: 4_000, withdrawnMinor: 0, closingMinor: 4_000 });
    await expect(undo(entryId)).rejects.toMatchObject({ code: "state_conflict" });
    const [withdrawal] = (await folio.list(owner, { type: "withdrawal", page: 1, pageSize: 10 })).rows;
    expect(withdrawal).toMatchObject({ undoable: false, refundState: "done" });
  });

  it("is undone once by many at once, and nothing else can be undone", async () => {
    await setAccount(owner, account);
    const { entryId: rechargeId } = await putIn(5_000);
    const { entryId } = await takeOut(2_000);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => undo(entryId)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await get(owner)).availableMinor).toBe(5_000);
    await expect(undo(rechargeId)).rejects.toMatchObject({ code: "not_found" });
  });

  it("needs the right to manage the balance, in this hotel", async () => {
    await setAccount(owner, account);
    await putIn(5_000);
    const { entryId } = await takeOut(2_000);
    const clerk = await hotel.scope("staff", { capabilities: ["folio.view", "folio.refund", "stays.manage"] });
    await expect(undo(entryId, clerk)).rejects.toMatchObject({ code: "no_permission" });
    const stranger = await (await world.createHotel()).scope();
    await expect(undo(entryId, stranger)).rejects.toMatchObject({ code: "not_found" });
    expect((await get(owner)).availableMinor).toBe(3_000);
  });
});

it("asks for a withdrawal's amount twice", () => {
  const fieldsOf = (input: object) =>
    fieldMessages(confirmedWithdrawInput.safeParse({ amountMinor: 5_000, ...input }).error?.issues ?? []);
  expect(fieldsOf({ repeatedMinor: 5_000 })).toEqual({});
  expect(fieldsOf({ repeatedMinor: 50_000 })).toEqual({ repeatedMinor: { key: "validation.amountsDiffer" } });
  expect(fieldsOf({})).toEqual({ repeatedMinor: { key: "validation.amount" } });
});

describe("the withdrawal account", () => {
  it("shows only the end of its number anywhere", async () => {
    const saved = await setAccount(owner, account);
    expect(saved.account).toMatchObject({
      type: "bank",
      name: "Ada Lovelace",
      bank: "Bank of Elbe",
      numberEnd: "3000",
    });
    await setAccount(owner, { ...account, name: "Grace Hopper", number: null });
    await setAccount(owner, { ...account, name: "Grace Hopper", number: "GB00000000003000" });
    const context = { column: "withdrawal_account.number_box", hotelId: hotel.id, row: "" } as const;
    const { numberBox } = await world.database.prisma.withdrawalAccount.findFirstOrThrow({
      where: { hotelId: hotel.id },
    });
    expect(world.secrets.payout.open(numberBox, context)).toBe("GB00000000003000");
    const auditEntry = await world.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, action: "balance.account" },
      orderBy: { seq: "asc" },
    });
    const changes = auditEntry.map(({ before, after }) => ({ before, after }));
    expect(changes.map(({ after }) => after)).toEqual([
      { type: "bank", name: "Ada Lovelace", bank: "Bank of Elbe", numberEnd: "3000" },
      { name: "Grace Hopper" },
      { number: "***" },
    ]);
    expect(JSON.stringify([changes, await get(owner)])).not.toMatch(/DE8937|GB0000/);
  });

  it("requires a number", async () => {
    const fields = { number: { key: "validation.required" } };
    await expect(setAccount(owner, { ...account, number: null })).rejects.toMatchObject({
      code: "invalid_input",
      fields,
    });
  });
});

describe("a stranger", () => {
  it("neither sees nor moves the hotel's money", async () => {
    await setAccount(owner, account);
    const { entryId } = await putIn(5_000);
    const staff = await hotel.scope("staff", { capabilities: ["folio.view", "folio.refund", "balance.view"] });
    const refund = { entryId, amountMinor: 1, channel: "cash" as const, note: "" };
    await expect(get(staff)).rejects.toMatchObject({ code: "no_permission" });
    await expect(takeOut(1, staff)).rejects.toMatchObject({ code: "no_permission" });
    await expect(folio.refund(staff, refund)).rejects.toMatchObject({ code: "not_found" });
    const foreign = await (await world.createHotel()).scope();
    expect(await get(foreign)).toMatchObject({ moneyMinor: 0, account: null });
    await expect(takeOut(1, foreign)).rejects.toMatchObject({ code: "withdrawal_account_missing" });
    await expect(folio.refund(foreign, refund)).rejects.toMatchObject({ code: "not_found" });
  });
});
