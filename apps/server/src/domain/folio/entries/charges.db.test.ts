import { cancelChargeInput, chargeExtraInput } from "@innkey/shared/schemas/folio";
import { changeRoomInput, checkInInput, checkOutInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as desk from "../../desk/public.ts";
import { save } from "../../messaging/webhooks/webhooks.service.ts";
import { auditDay, businessDay } from "../../overview/night-audit.ts";
import { detail } from "../../overview/stays.queries.ts";
import { statement } from "../balance/balance.service.ts";
import { readReceipt } from "../receipts/receipt.queries.ts";
import { cancelCharge, chargeExtra } from "./charges.service.ts";
import * as folio from "./entries.service.ts";
import { readAccount } from "./stay-account.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const IN_TWO_NIGHTS = "2026-11-20T11:00:00.000Z";
const CLERK = ["rooms.view", "stays.view", "stays.manage", "folio.view"] as const;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let roomId: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  roomId = await hotel.createRoom("101", { usualMinor: 10_000, weekendMinor: 10_000, depositMinor: 0 });
});

const booking = () => ({ roomId, unit: "day", startsAt: NOW, endsAt: IN_TWO_NIGHTS, guests: [{ name: "Ann Lee" }] });
const checkIn = async (): Promise<number> =>
  (await desk.checkIn(owner, checkInInput.parse({ ...booking(), confirmAlreadyIn: true }))).stayId;
const charge = (stayId: number, more: Record<string, unknown> = {}, scope = owner) =>
  chargeExtra(scope, chargeExtraInput.parse({ stayId, text: "Minibar", quantity: 2, unitMinor: 450, ...more }));
const cancel = (entryId: number, scope = owner) =>
  cancelCharge(scope, cancelChargeInput.parse({ entryId, reason: "Wrong room" }));

describe("an extra charge", () => {
  it("is owed at once, and appears wherever the stay's money does", async () => {
    const stayId = await checkIn();
    const charged = await charge(stayId);
    expect(charged).toMatchObject({ owedMinor: 20_900, depositHeldMinor: 0 });
    const { entries, money } = await detail(owner, stayId);
    expect(money).toMatchObject({ chargedMinor: 20_900, owedMinor: 20_900, unusedMinor: 20_000 });
    const facts = { type: "extra", note: "Minibar", quantity: 2, unitMinor: 450, amountMinor: 900, channel: null };
    expect(entries.at(-1)).toMatchObject({ id: charged.entryId, ...facts, refundableMinor: 900 });
    const receipt = await readReceipt(owner, stayId);
    expect(receipt).toMatchObject({ chargedMinor: 20_900, owedMinor: 20_900 });
    expect(receipt.charges.at(-1)).toMatchObject({ type: "extra", text: "Minibar", quantity: 2, unitMinor: 450 });
    const { rows } = await statement(owner, { span: "day", date: null });
    expect(rows.at(-1)).toMatchObject({ chargedMinor: 20_900 });
    expect((await auditDay(owner, businessDay(owner, "2026-11-18"))).figures.revenueMinor).toBe(20_900);
    const listed = await folio.list(owner, { type: "extra", page: 1, pageSize: 10 });
    expect(listed).toMatchObject({ total: 1, rows: [{ ...facts, guestName: "Ann Lee", refundState: "done" }] });
    const [audited] = await world.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, action: "folio.extra" },
    });
    expect(audited?.after).toMatchObject({ stayId, amountMinor: 900, quantity: 2, unitMinor: 450 });
  });

  it("may be paid at once, is paid at check-out otherwise, and may be added after it", async () => {
    const stayId = await checkIn();
    expect(await charge(stayId, { channel: "card" })).toMatchObject({ owedMinor: 20_000 });
    expect(await charge(stayId, { text: "Parking", quantity: 1, unitMinor: 1_500 })).toMatchObject({
      owedMinor: 21_500,
    });
    const out = await desk.checkOut(owner, checkOutInput.parse({ stayId, channel: "cash" }));
    expect(out).toMatchObject({ paidMinor: 21_500, owedMinor: 0 });
    expect(await charge(stayId, { text: "Broken lamp", quantity: 1, unitMinor: 4_000 })).toMatchObject({
      owedMinor: 4_000,
    });
  });

  it("is cancelled by a counter-entry that names it, once, and what was paid for it becomes credit", async () => {
    const stayId = await checkIn();
    const { entryId } = await charge(stayId, { channel: "cash" });
    const cancelled = await cancel(entryId);
    expect(cancelled).toMatchObject({ owedMinor: 19_100 });
    const { entries } = await detail(owner, stayId);
    expect(entries.at(-1)).toMatchObject({
      type: "cancellation",
      amountMinor: 900,
      note: "Wrong room",
      refundsEntryId: entryId,
      channel: null,
    });
    await expect(cancel(entryId)).rejects.toMatchObject({ code: "state_conflict" });
    const room = entries.find(({ type }) => type === "room")?.id ?? 0;
    await expect(cancel(room)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is cancelled once by many at once", async () => {
    const stayId = await checkIn();
    const { entryId } = await charge(stayId);
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => cancel(entryId)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await readAccount(owner.sql, stayId)).toMatchObject({ chargedMinor: 20_000, owedMinor: 20_000 });
  });

  it("is left alone by refunds for unused nights and by a cheaper room, and goes with a cancelled reservation", async () => {
    const stayId = await checkIn();
    await charge(stayId, { quantity: 1, unitMinor: 5_000 });
    const room = (await detail(owner, stayId)).entries.find(({ type }) => type === "room")?.id ?? 0;
    await folio.refund(owner, { entryId: room, amountMinor: 20_000, channel: null, note: "" });
    expect((await detail(owner, stayId)).money).toMatchObject({ chargedMinor: 5_000, unusedMinor: 0 });
    await expect(
      desk.checkOut(owner, checkOutInput.parse({ stayId, refundUnusedMinor: 5_000, confirmUnpaid: true })),
    ).rejects.toMatchObject({ code: "refund_too_large" });
    const cheap = await hotel.createRoom("102", { usualMinor: 1_000, weekendMinor: 1_000 });
    await desk.changeRoom(owner, changeRoomInput.parse({ stayId, roomId: cheap }));
    expect(await readAccount(owner.sql, stayId)).toMatchObject({ chargedMinor: 5_000, roomChargedMinor: 0 });

    roomId = await hotel.createRoom("103", { usualMinor: 10_000, weekendMinor: 10_000, depositMinor: 0 });
    const later = { startsAt: "2026-11-19T14:00:00.000Z" };
    const { stayId: reserved } = await desk.reserve(owner, reserveInput.parse({ ...booking(), ...later }));
    await charge(reserved, { text: "Parking" });
    const dear = await hotel.createRoom("104", { usualMinor: 30_000, weekendMinor: 30_000 });
    await desk.changeRoom(owner, changeRoomInput.parse({ stayId: reserved, roomId: dear }));
    await desk.cancelReservation(owner, { stayId: reserved, refundChannel: null });
    expect(await readAccount(owner.sql, reserved)).toMatchObject({ chargedMinor: 0, owedMinor: 0 });
    await expect(charge(reserved)).rejects.toMatchObject({ code: "state_conflict" });
  });

  it("is announced with what was charged and taken back", async () => {
    const webhook = { name: "POS", url: "https://8.8.8.8/hook", events: ["stay.charged", "stay.charge_cancelled"] };
    const administrator = await hotel.scope("owner", { apiKeyAuth: true });
    await save(administrator, webhook as Parameters<typeof save>[1], { allowLocal: false });
    const stayId = await checkIn();
    const { entryId } = await charge(stayId);
    await cancel(entryId);
    const rows = await world.database.prisma.webhookDelivery.findMany({
      where: { hotelId: hotel.id },
      orderBy: { number: "asc" },
    });
    expect(rows).toMatchObject([
      {
        event: "stay.charged",
        payload: { stayId, entryId, kind: "extra", text: "Minibar", quantity: 2, unitMinor: 450, amountMinor: 900 },
      },
      {
        event: "stay.charge_cancelled",
        payload: { stayId, kind: "extra", cancelledEntryId: entryId, amountMinor: 900 },
      },
    ]);
  });

  it("has a text, a whole quantity and an amount that fits", () => {
    const fieldsOf = (input: Record<string, unknown>) =>
      chargeExtraInput
        .safeParse({ stayId: 1, text: "Minibar", quantity: 1, unitMinor: 100, ...input })
        .error?.issues.map(({ path }) => path.join("."));
    expect(fieldsOf({})).toBeUndefined();
    expect(fieldsOf({ text: " " })).toEqual(["text"]);
    expect(fieldsOf({ quantity: 0 })).toEqual(["quantity"]);
    expect(fieldsOf({ quantity: 1.5 })).toEqual(["quantity"]);
    expect(fieldsOf({ quantity: 1_000 })).toEqual(["quantity"]);
    expect(fieldsOf({ unitMinor: 0 })).toEqual(["unitMinor"]);
    expect(fieldsOf({ unitMinor: 1_000_000_000, quantity: 2 })).toEqual(["unitMinor"]);
  });
});

describe("access to extra charges", () => {
  it("needs the hotel, the room and the right; cancelling needs the right to refund", async () => {
    const stayId = await checkIn();
    const { entryId } = await charge(stayId);
    const stranger = await (await world.createHotel()).scope();
    const other = await hotel.createRoom("102");
    const elsewhere = await hotel.scope("staff", { capabilities: [...CLERK, "folio.refund"], roomIds: [other] });
    for (const scope of [stranger, elsewhere]) {
      await expect(charge(stayId, {}, scope)).rejects.toMatchObject({ code: "not_found" });
      await expect(cancel(entryId, scope)).rejects.toMatchObject({ code: "not_found" });
    }
    const viewer = await hotel.scope("staff", { capabilities: ["stays.view", "folio.view"], roomIds: [roomId] });
    await expect(charge(stayId, {}, viewer)).rejects.toMatchObject({ code: "no_permission" });
    const clerk = await hotel.scope("staff", { capabilities: [...CLERK], roomIds: [roomId] });
    const program = hotel.keyScope([...CLERK]);
    for (const scope of [clerk, program]) {
      await charge(stayId, {}, scope);
      await expect(cancel(entryId, scope)).rejects.toMatchObject({ code: "no_permission" });
    }
    expect(await readAccount(owner.sql, stayId)).toMatchObject({ owedMinor: 22_700 });
  });
});
