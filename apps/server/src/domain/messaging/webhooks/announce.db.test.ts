import type { LockEvent } from "@innkey/shared/locks/protocol";
import { changeRoomInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { WEBHOOK_EVENTS, type WebhookEvent } from "@innkey/shared/webhook-events";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { revoke } from "../../access/cards/cards.service.ts";
import { UnlockIngest } from "../../access/unlocks/ingest.ts";
import * as stays from "../../desk/public.ts";
import * as alerts from "../alerts/alerts.service.ts";
import { raiseAlert, resolveAlerts } from "../alerts/alerts.service.ts";
import { save } from "./webhooks.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const DAY = 86_400_000;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let desk: CardDesk;
let room: DeskRoom;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  owner = desk.owner;
  room = await desk.room("101");
});

const at = (days: number): string => new Date(world.clock.now().getTime() + days * DAY).toISOString();
const subscribe = (scope: Scope, events: WebhookEvent[], url = "https://8.8.8.8/hook") =>
  save(scope, { name: "PMS", url, events }, { allowLocal: false });
/** Returns the deliveries written for this hotel's webhooks, in the order of sending. */
const announcements = async () =>
  (
    await world.database.prisma.webhookDelivery.findMany({
      where: { hotelId: hotel.id },
      orderBy: { number: "asc" },
      select: { event: true, payload: true, webhookId: true },
    })
  ).map(({ event, payload }) => [event, payload] as const);
const events = async () => (await announcements()).map(([event]) => event);

async function reserve(): Promise<number> {
  const guests = [{ name: "Ada Lovelace", documentNumber: "C01X", mobile: "+49301234567", email: "ada@example.com" }];
  const booking = { roomId: room.roomId, unit: "day", startsAt: at(0), endsAt: at(2), guests };
  return (await stays.reserve(owner, reserveInput.parse(booking))).stayId;
}
const arrive = (stayId: number) =>
  stays.arrive(owner, {
    stayId,
    channel: "cash",
    depositMinor: null,
    depositChannel: "cash",
    confirmDirty: true,
    confirmAlreadyIn: true,
  });

describe("a stay", () => {
  it("is announced from reservation to check-out, with its guest and room and no private data", async () => {
    await subscribe(owner, [...WEBHOOK_EVENTS]);
    const stayId = await reserve();
    await arrive(stayId);
    const none = { channel: null, agreedTotalMinor: null };
    await stays.renew(owner, { stayId, endsAt: at(3), expectedTotalMinor: null, ...none });
    const other = await desk.room("102");
    await stays.changeRoom(owner, changeRoomInput.parse({ stayId, roomId: other.roomId }));
    await desk.checkOut(stayId);
    const all = await announcements();
    expect(all.map(([event]) => event)).toEqual([
      "stay.reserved",
      "stay.checked_in",
      "stay.renewed",
      "stay.room_changed",
      "stay.checked_out",
    ]);
    expect(all[0]?.[1]).toEqual({
      ...{ stayId, state: "reserved", roomId: room.roomId, roomName: "101", guestName: "Ada Lovelace" },
      ...{ startsAt: at(0), endsAt: at(2), checkedInAt: null, checkedOutAt: null, cancelledAt: null },
    });
    expect(all[2]?.[1]).toMatchObject({ endsAt: at(3), previousEndsAt: at(2) });
    expect(all[3]?.[1]).toMatchObject({ roomName: "102", previousRoomName: "101", previousRoomId: room.roomId });
    expect(all[4]?.[1]).toMatchObject({ state: "checked_out", checkedOutAt: at(0) });
    for (const secret of ["C01X", "49301234567", "ada@example.com"]) expect(JSON.stringify(all)).not.toContain(secret);
  });

  it("that is cancelled is announced to subscribers that are on, in this hotel", async () => {
    const subscription = await subscribe(owner, ["stay.cancelled"]);
    await subscribe(owner, ["stay.checked_in"]);
    const off = await subscribe(owner, ["stay.cancelled"]);
    await world.database.prisma.webhook.update({ where: { id: off.id }, data: { disabledAt: new Date(NOW) } });
    const other = await (await world.createHotel()).scope("owner", { apiKeyAuth: true });
    await subscribe(other, [...WEBHOOK_EVENTS]);
    const stayId = await reserve();
    await stays.cancelReservation(owner, { stayId, refundChannel: "cash" });
    const rows = await world.database.prisma.webhookDelivery.findMany({ where: { event: "stay.cancelled" } });
    expect(rows).toMatchObject([
      { webhookId: subscription.id, payload: { stayId, state: "cancelled", cancelledAt: at(0) } },
    ]);
    expect(await world.database.prisma.webhookDelivery.count({ where: { hotelId: other.hotelId } })).toBe(0);
  });

  it("that failed to be booked is not announced", async () => {
    await subscribe(owner, [...WEBHOOK_EVENTS]);
    await reserve();
    await expect(reserve()).rejects.toMatchObject({ code: "room_taken" });
    expect(await events()).toEqual(["stay.reserved"]);
  });
});

describe("a card", () => {
  it("is announced when it is written and when it is taken back, without its number", async () => {
    await subscribe(owner, ["card.issued", "card.taken_back"]);
    const stayId = await desk.checkIn(room.roomId);
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    await desk.issue(stayId, desk.newUid(), { confirm: false });
    await revoke(owner, { cardId, reason: "lost" });
    await desk.checkOut(stayId);
    const all = await announcements();
    expect(all.map(([event]) => event)).toEqual(["card.issued", "card.taken_back"]);
    expect(all[0]?.[1]).toMatchObject({
      ...{ cardId, stayId, kind: "guest", overTheAir: false, guestName: expect.stringContaining("Holder") },
      rooms: [{ roomId: room.roomId, roomName: "101" }],
    });
    expect(all[1]?.[1]).toMatchObject({ cardId, reason: "lost" });
    expect(JSON.stringify(all)).not.toContain(uid);
  });
});

describe("a door", () => {
  const opened = (seq: number, fields: Partial<LockEvent> = {}): LockEvent => ({
    ...{ seq, at: new Date(Date.parse(NOW) - 60_000 + seq).toISOString(), style: "card", success: true },
    ...fields,
  });
  const hear = (list: LockEvent[]) => {
    const { database, clock } = world;
    const ingest = new UnlockIngest({ database, clock, log: { info() {} } });
    return ingest.events({ hotelId: hotel.id, mac: room.lock.mac }, list);
  };

  it("that opens or refuses is announced once, however often its lock reports it, in order", async () => {
    await subscribe(owner, ["unlock.opened", "unlock.refused"]);
    const batch = [opened(1), opened(2, { success: false, reason: "expired" }), opened(3)];
    await hear(batch);
    await hear([...batch, opened(4)]);
    const all = await announcements();
    expect(all.map(([event]) => event)).toEqual(["unlock.opened", "unlock.refused", "unlock.opened", "unlock.opened"]);
    expect(all[1]?.[1]).toMatchObject({
      ...{ lockId: room.lock.id, roomId: room.roomId, roomName: "101", style: "card", reason: "expired" },
      at: new Date(Date.parse(NOW) - 60_000 + 2).toISOString(),
    });
  });

  it("is not announced where nobody subscribed", async () => {
    await subscribe(owner, ["stay.reserved"]);
    await hear([opened(1)]);
    expect(await announcements()).toEqual([]);
  });
});

describe("an alarm", () => {
  it("is announced when it begins and when it ends, but not in between", async () => {
    await subscribe(owner, ["alert.raised", "alert.resolved"]);
    const { lock, roomId } = room;
    const raise = () =>
      owner.write((tx) => raiseAlert(owner, tx, { kind: "tamper", lockId: lock.id, roomId, params: {} }));
    const resolve = () => owner.write((tx) => resolveAlerts(owner, tx, { kind: "tamper", lockId: lock.id }));
    await raise();
    await raise();
    await resolve();
    await resolve();
    await raise();
    const { rows } = await alerts.list(owner, { state: "open", page: 1, pageSize: 20 });
    const ids = rows.map(({ id }) => id);
    await alerts.remove(owner, { ids });
    await alerts.remove(owner, { ids });
    const all = await announcements();
    expect(all.map(([event]) => event)).toEqual(["alert.raised", "alert.resolved", "alert.raised", "alert.resolved"]);
    expect(all[0]?.[1]).toMatchObject({ kind: "tamper", lockId: lock.id, roomName: "101", resolvedAt: null, count: 1 });
    expect(all[1]?.[1]).toMatchObject({ kind: "tamper", count: 2, resolvedAt: at(0) });
  });

  it("reported by a lock is announced with the report, and so is the end of a low battery", async () => {
    await subscribe(owner, ["alert.raised", "alert.resolved"]);
    const { database, clock } = world;
    const ingest = new UnlockIngest({ database, clock, log: { info() {} } });
    const report = (seq: number, fields: Partial<LockEvent>): Promise<number> =>
      ingest.events({ hotelId: hotel.id, mac: room.lock.mac }, [
        { seq, at: NOW, style: "card", success: true, ...fields },
      ]);
    await report(1, { alarm: "tamper" });
    await report(2, { alarm: "tamper" });
    await report(3, { power: 5 });
    await report(4, { power: 90 });
    const all = (await announcements()).map(([event, data]) => [event, (data as { kind: string }).kind]);
    expect(all).toEqual([
      ["alert.raised", "tamper"],
      ["alert.raised", "battery_low"],
      ["alert.resolved", "battery_low"],
    ]);
  });

  it("about a failing receiver is not announced to receivers", async () => {
    await subscribe(owner, ["alert.raised", "alert.resolved"]);
    const notice = { kind: "webhook_failing" as const, lockId: null, roomId: null, params: { name: "PMS" } };
    await owner.write((tx) => raiseAlert(owner, tx, notice));
    await owner.write((tx) => resolveAlerts(owner, tx, { kind: "webhook_failing", lockId: null }));
    expect(await announcements()).toEqual([]);
  });
});
