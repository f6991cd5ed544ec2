import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../test/harness/people.ts";
import { createTestServer, failure, type TestServer } from "../../../test/harness/server.ts";

// Monday, 2 March 2026; the business day begins at 05:00 in Berlin, which is 04:00 UTC.
const MORNING = "2026-03-02T09:00:00.000Z";
const DATE = "2026-03-02";
const NIGHT = "2026-03-03T01:00:00.000Z";
const OVER = "2026-03-03T04:00:00.000Z";

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser;
let seq = 0n;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.set(MORNING);
  hotel = await server.createHotel({ timeZone: "Europe/Berlin" });
  owner = await server.createOperator(hotel, { role: "owner" });
  desk = await server.loginAs(owner);
});

/** Sets the clock and logs in again, because no session survives a whole day without use. */
async function later(now: string): Promise<void> {
  server.clock.set(now);
  desk = await server.loginAs(owner);
}

async function createRoom(name: string): Promise<number> {
  const mac = `02:00:00:00:0${name.slice(0, 1)}:${name.slice(1)}`;
  const { roomId } = await desk.api.rooms.save.mutate({ name, groupId: null, lock: { mac } });
  const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000 };
  await desk.api.rooms.setPrices.mutate({ roomIds: [roomId], prices });
  return roomId;
}

const stayOf = (roomId: number, name: string, startsAt: string, endsAt: string) => ({
  roomId,
  unit: "day" as const,
  startsAt,
  endsAt,
  guests: [{ name }, { name: `${name}'s child` }],
});

async function opened(roomId: number, at: string, fields: { style: "card" | "key" | "remote"; stayGuestId?: number }) {
  const lock = await server.database.prisma.lock.findFirstOrThrow({ where: { roomId } });
  const record = { hotelId: hotel.id, roomId, lockId: lock.id, lockSeq: ++seq, at, success: true, ...fields };
  await server.database.prisma.unlockRecord.create({ data: record });
}

const audit = (date: string | null = DATE, browser = desk) => browser.api.nightAudit.read.query({ date });

describe("a business day", () => {
  it("counts arrivals, departures, amounts owed and paid, and the doors' reports", async () => {
    const [quiet, open, left, late, empty] = [
      await createRoom("101"),
      await createRoom("102"),
      await createRoom("103"),
      await createRoom("104"),
      await createRoom("105"),
    ];
    const { stays } = desk.api;
    const tomorrow = "2026-03-03T11:00:00.000Z";
    await stays.checkIn.mutate(stayOf(quiet, "Quiet", MORNING, tomorrow));
    const { stayGuestId } = await stays.checkIn.mutate({ ...stayOf(open, "Open", MORNING, tomorrow), channel: "card" });
    const departed = await stays.checkIn.mutate({
      ...stayOf(left, "Left", MORNING, "2026-03-02T18:00:00.000Z"),
      channel: "cash",
    });
    await stays.checkIn.mutate({ ...stayOf(late, "Late", MORNING, "2026-03-02T20:00:00.000Z"), channel: "card" });
    await stays.reserve.mutate(stayOf(empty, "Absent", "2026-03-02T14:00:00.000Z", tomorrow));

    server.clock.set("2026-03-02T17:00:00.000Z");
    await stays.checkOut.mutate({ stayId: departed.stayId, confirmUnpaid: true });
    await opened(open, "2026-03-02T12:00:00.000Z", { style: "card", stayGuestId });
    await opened(left, "2026-03-02T19:00:00.000Z", { style: "card", stayGuestId: departed.stayGuestId });
    await opened(empty, "2026-03-02T13:00:00.000Z", { style: "key" });
    await opened(late, "2026-03-02T13:00:00.000Z", { style: "remote" });
    // The day before.
    await opened(empty, "2026-03-02T03:59:00.000Z", { style: "key" });

    server.clock.set(NIGHT);
    const night = await audit(null);
    expect(night).toMatchObject({ date: DATE, over: false, closed: null, whole: true });
    expect([night.from, night.to]).toEqual(["2026-03-02T04:00:00.000Z", OVER]);
    expect(night.figures).toEqual({
      arrivals: { expected: 5, arrived: 4, notCome: 1 },
      departures: { expected: 2, left: 1, overstaying: 1 },
      inHouse: { stays: 3, guests: 6 },
      unpaid: { stays: 1, owedMinor: 10_000 },
      revenueMinor: 50_000,
      channels: [
        { channel: "cash", takenMinor: 10_000, returnedMinor: 0 },
        { channel: "card", takenMinor: 20_000, returnedMinor: 0 },
        { channel: "transfer", takenMinor: 0, returnedMinor: 0 },
        { channel: "other", takenMinor: 0, returnedMinor: 0 },
      ],
      doors: { neverOpened: 2, afterCheckOut: 1, vacantOpened: 1 },
    });
    const names = (rows: { guestName: string }[]) => rows.map(({ guestName }) => guestName).sort();
    expect(names(night.notCome)).toEqual(["Absent"]);
    expect(names(night.overstaying)).toEqual(["Late"]);
    expect(night.unpaid).toMatchObject([{ guestName: "Quiet", owedMinor: 10_000 }]);
    expect(names(night.neverOpened)).toEqual(["Late", "Quiet"]);
    expect(night.afterCheckOut).toMatchObject([{ guestName: "Left", roomName: "103", style: "card" }]);
    expect(night.vacantOpened).toMatchObject([{ roomName: "105", style: "key", guestName: null }]);

    // The next morning the figures are unchanged, whatever happens afterwards.
    server.clock.set("2026-03-03T09:00:00.000Z");
    await stays.checkOut.mutate({
      stayId: (await desk.api.guests.list.query({ keyword: "Quiet", state: "in" })).rows[0]?.stayId ?? 0,
      channel: "cash",
    });
    expect((await audit(null)).date).toBe(DATE);
    expect((await audit()).figures).toMatchObject({ inHouse: { stays: 3, guests: 6 }, unpaid: { stays: 1 } });
  });

  it("is closed once, when it is over, and keeps its figures", async () => {
    const room = await createRoom("101");
    await desk.api.stays.checkIn.mutate({
      ...stayOf(room, "Ann", MORNING, "2026-03-03T11:00:00.000Z"),
      channel: "card",
    });
    const seen = async () => (await audit()).figures;
    const close = async (figures?: Awaited<ReturnType<typeof seen>>) =>
      desk.api.nightAudit.close.mutate({ date: DATE, note: "All quiet", figures: figures ?? (await seen()) });
    await later("2026-03-03T03:59:59.000Z");
    expect(await failure(close())).toMatchObject({ code: "day_not_over" });
    await later(OVER);
    const figures = await seen();
    const stale = close({ ...figures, revenueMinor: figures.revenueMinor + 1 });
    expect(await failure(stale)).toMatchObject({ code: "figures_changed" });
    expect((await audit()).closed).toBeNull();
    const outcomes = await Promise.allSettled([close(), close(), close()]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await failure(close())).toMatchObject({ code: "state_conflict" });

    const auditAfter = await audit();
    expect(auditAfter).toMatchObject({ closed: { at: OVER, note: "All quiet" }, figures: { revenueMinor: 10_000 } });
    await server.database.prisma.unlockRecord.deleteMany({ where: { hotelId: hotel.id } });
    await opened(room, "2026-03-02T10:00:00.000Z", { style: "key" });
    expect((await audit()).figures).toEqual(auditAfter.figures);
    const days = await desk.api.nightAudit.closedDays.query();
    expect(days).toMatchObject([{ date: DATE, closedAt: OVER, note: "All quiet" }]);
    const { rows } = await desk.api.audit.list.query({});
    expect(rows[0]).toMatchObject({ action: "nightAudit.close", entityId: DATE, after: { revenueMinor: 10_000 } });
    expect(JSON.stringify(await server.database.prisma.nightAudit.findMany())).not.toContain("Ann");
  });

  it("shows staff only their rooms, and cannot be closed by them", async () => {
    const [ownRoomId, other] = [await createRoom("101"), await createRoom("102")];
    for (const [room, name] of [
      [ownRoomId, "Mine"],
      [other, "Other"],
    ] as const) {
      await desk.api.stays.checkIn.mutate({ ...stayOf(room, name, MORNING, "2026-03-03T11:00:00.000Z") });
      await opened(room, "2026-03-02T08:00:00.000Z", { style: "key" });
    }
    await later(OVER);
    const staff = async (capabilities: "reports.view"[], roomIds: number[]) =>
      server.loginAs(await server.createOperator(hotel, { role: "staff", capabilities, roomIds }));
    const clerk = await staff(["reports.view"], [ownRoomId]);
    const staffView = await audit(DATE, clerk);
    expect(staffView).toMatchObject({ whole: false, figures: { inHouse: { stays: 1 }, revenueMinor: 10_000 } });
    expect(JSON.stringify(staffView)).not.toContain("Other");
    expect(staffView.vacantOpened).toHaveLength(1);
    expect(await failure(clerk.api.nightAudit.close.mutate({ date: DATE, figures: staffView.figures }))).toMatchObject({
      code: "no_permission",
    });
    expect(await failure(audit(DATE, await staff([], [ownRoomId])))).toMatchObject({ code: "no_permission" });
    await desk.api.nightAudit.close.mutate({ date: DATE, figures: (await audit()).figures });
    expect((await audit(DATE, clerk)).figures.revenueMinor).toBe(10_000);

    const foreign = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
    expect(await audit(DATE, foreign)).toMatchObject({
      closed: null,
      figures: { arrivals: { arrived: 0 } },
      unpaid: [],
    });
    expect(await foreign.api.nightAudit.closedDays.query()).toEqual([]);
  });
});
