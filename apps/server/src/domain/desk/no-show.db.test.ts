import { DomainError } from "@innkey/shared/errors";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { auditListInput } from "@innkey/shared/schemas/compliance";
import { payInput } from "@innkey/shared/schemas/folio";
import { guestCountsInput, guestListInput, noShowInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import { giveLockSecret } from "../../../test/locks/locks.ts";
import type { Scope } from "../../kernel/scope.ts";
import * as passcodes from "../access/passcodes/passcodes.service.ts";
import { list as auditList } from "../compliance/audit/audit-list.queries.ts";
import * as folio from "../folio/entries/entries.service.ts";
import * as nightAudit from "../overview/night-audit.ts";
import { detail } from "../overview/stays.queries.ts";
import { countByState, guestListQuery, list } from "../stays/guests/guest-list.queries.ts";
import { noShowQuote } from "./no-show.ts";
import * as desk from "./public.ts";

// Wednesday 2026-11-18, 15:00 in Berlin. Friday and Saturday nights cost 150, the others 100.
const NOW = "2026-11-18T14:00:00.000Z";
const noon = (day: number): string => `2026-11-${day}T11:00:00.000Z`;
const three = (day: number): string => `2026-11-${day}T14:00:00.000Z`;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let room: number;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  room = await hotel.createRoom("301");
});

/** Wednesday to Saturday: 100 + 100 + 150. */
const reserve = async (roomId = room): Promise<number> => {
  const period = { startsAt: three(18), endsAt: noon(21) };
  const guests = [{ name: `Guest ${++serial}` }];
  return (await desk.reserve(owner, reserveInput.parse({ roomId, unit: "day", ...period, guests }))).stayId;
};
const mark = (stayId: number, fields: object = {}, scope = owner) =>
  desk.markNoShow(scope, noShowInput.parse({ stayId, ...fields }));
const reinstate = (stayId: number, fields: object = {}, scope = owner) =>
  desk.reinstate(scope, { stayId, isMoneyBack: false, ...fields });
const pay = (stayId: number, amountMinor: number) =>
  folio.pay(owner, payInput.parse({ stayId, amountMinor, channel: "card" }));
const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

describe("a no-show", () => {
  it("frees the room, and keeps of the price what the hotel chooses", async () => {
    for (const [charge, chargedMinor] of [
      ["nothing", 0],
      ["first_night", 10_000],
      ["everything", 35_000],
    ] as const) {
      const stayId = await reserve();
      expect(await noShowQuote(owner, { stayId })).toEqual({
        ...{ firstNightMinor: 10_000, everythingMinor: 35_000, othersMinor: 0 },
      });
      await mark(stayId, { charge });
      const stay = await detail(owner, stayId);
      expect(stay).toMatchObject({
        state: "no_show",
        cancelledAt: NOW,
        money: { chargedMinor, owedMinor: chargedMinor },
      });
    }
  });

  it("gives back what was paid beyond that, through the chosen channel or as credit", async () => {
    const stayId = await reserve();
    await pay(stayId, 35_000);
    await mark(stayId, { charge: "first_night", refundChannel: "card" });
    expect((await detail(owner, stayId)).money).toMatchObject({
      chargedMinor: 10_000,
      paidMinor: 10_000,
      owedMinor: 0,
    });
    const other = await reserve();
    await pay(other, 35_000);
    await mark(other, { charge: "first_night", refundChannel: null });
    expect((await detail(owner, other)).money).toMatchObject({ paidMinor: 35_000, owedMinor: -25_000 });
  });

  it("has a reason that the stay's page, lists as files and the audit show, also after it is reinstated", async () => {
    const [stayId, other] = [await reserve(), await reserve(await hotel.createRoom("302"))];
    const reason = "Missed the last train";
    await mark(stayId, { reason: ` ${reason} ` });
    await mark(other);
    const shown = async () => {
      const { text, values } = await guestListQuery(owner, guestListInput.parse({ keyword: "guest" }));
      const files = await owner.sql.rows<{ stayId: number; noShowReason: string }>(text, ...values);
      const { rows: entries } = await auditList(owner, auditListInput.parse({ action: "stay.no_show" }));
      return {
        page: [(await detail(owner, stayId)).noShowReason, (await detail(owner, other)).noShowReason],
        file: Object.fromEntries(files.map((row) => [row.stayId, row.noShowReason])),
        audit: entries.map(({ after }) => (after as { reason?: string }).reason),
      };
    };
    const expected = {
      ...{ page: [reason, ""], file: { [stayId]: reason, [other]: "" } },
      audit: [undefined, reason],
    };
    expect(await shown()).toEqual(expected);
    await reinstate(stayId);
    expect(await shown()).toEqual(expected);
    await desk.cancelReservation(owner, { stayId });
    expect(await shown()).toEqual(expected);
    // The audit can't be changed, so it doesn't keep what is written about a guest.
    const where = { hotelId: hotel.id, action: "stay.no_show", entityId: String(stayId) };
    expect((await world.database.prisma.auditEntry.findFirstOrThrow({ where })).after).toMatchObject({ reason: "***" });
    expect(noShowInput.safeParse({ stayId, reason: "x".repeat(201) }).success).toBe(false);
  });

  it("revokes the keys that were given ahead", async () => {
    const lock = await world.database.prisma.lock.create({
      data: { hotelId: hotel.id, roomId: room, mac: "02:00:00:00:17:01", configuredAt: owner.now() },
    });
    await giveLockSecret(world.database, owner, lock.id, "3132333435363738393031323334353637383930");
    const stayId = await reserve();
    const code = createPasscodeInput.parse({ type: "air", person: "Ann", stayId, roomIds: [room] });
    await passcodes.create(owner, code);
    await mark(stayId);
    const states = await world.database.prisma.credential.findMany({ where: { stayId }, select: { state: true } });
    expect(states.map(({ state }) => state)).toEqual([expect.stringMatching(/revok/)]);
  });

  it("is a state of its own in the list of guests, and still counts as not come in the night audit", async () => {
    const stayId = await reserve();
    world.clock.set("2026-11-19T00:30:00.000Z");
    await mark(stayId);
    const { rows } = await list(owner, guestListInput.parse({ state: "no_show" }));
    expect(rows).toMatchObject([{ stayId, state: "no_show" }]);
    expect((await list(owner, guestListInput.parse({ state: "cancelled" }))).rows).toEqual([]);
    expect(await countByState(owner, guestCountsInput.parse({ keyword: "guest" }))).toMatchObject({ no_show: 1 });
    const audit = await nightAudit.read(owner, { date: "2026-11-18" });
    expect(audit.figures.arrivals).toEqual({ expected: 1, arrived: 0, notCome: 1 });
    expect(audit.notCome).toMatchObject([{ stayId }]);
  });

  it("is refused before the planned arrival, for guests who came, and without the permission", async () => {
    world.clock.set("2026-11-18T13:00:00.000Z");
    const stayId = await reserve();
    expect(await codeOf(mark(stayId))).toBe("not_due_yet");
    world.clock.set(NOW);
    const viewer = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [room] });
    expect(await codeOf(mark(stayId, {}, viewer))).toBe("no_permission");
    expect(await codeOf(mark(stayId, {}, await (await world.createHotel()).scope()))).toBe("not_found");
    const clerk = await hotel.scope("staff", { capabilities: ["stays.manage"], roomIds: [room] });
    await pay(stayId, 35_000);
    expect(await codeOf(mark(stayId, { refundChannel: "cash" }, clerk))).toBe("payout_not_allowed");
    await mark(stayId, {}, clerk);
    expect(await codeOf(mark(stayId))).toBe("state_conflict");
    // Staff of some rooms no longer see whose reservation it was.
    expect((await list(clerk, guestListInput.parse({ state: "no_show" })).catch(() => null))?.rows ?? []).toEqual([]);
  });
});

describe("a reservation that is reinstated", () => {
  it("is charged as before, and what was paid out is owed or back", async () => {
    for (const isMoneyBack of [false, true]) {
      const stayId = await reserve();
      await pay(stayId, 20_000);
      const before = (await detail(owner, stayId)).money;
      await desk.cancelReservation(owner, { stayId, refundChannel: "card" });
      expect((await detail(owner, stayId)).money).toMatchObject({ chargedMinor: 0, paidMinor: 0 });
      await reinstate(stayId, { isMoneyBack });
      const { money, state, cancelledAt, entries } = await detail(owner, stayId);
      expect({ state, cancelledAt }).toEqual({ state: "reserved", cancelledAt: null });
      expect(money).toMatchObject(isMoneyBack ? before : { chargedMinor: 35_000, paidMinor: 0, owedMinor: 35_000 });
      expect(entries.filter(({ type }) => type === "reversal").length).toBeGreaterThan(0);
      await desk.cancelReservation(owner, { stayId, refundChannel: "card" });
      expect((await detail(owner, stayId)).money).toMatchObject({ chargedMinor: 0, paidMinor: 0, owedMinor: 0 });
    }
  });

  it("comes back once, in its room or another one, and only while that is free and the stay isn't over", async () => {
    const stayId = await reserve();
    await mark(stayId, { charge: "first_night" });
    await reserve();
    expect(await codeOf(reinstate(stayId))).toBe("room_taken");
    const other = await hotel.createRoom("302");
    await reinstate(stayId, { roomId: other });
    const stay = await detail(owner, stayId);
    expect(stay).toMatchObject({ state: "reserved", room: { id: other }, money: { chargedMinor: 35_000 } });
    expect(await codeOf(reinstate(stayId))).toBe("state_conflict");
    await desk.arrive(owner, {
      ...{
        stayId,
        confirmDirty: true,
        depositMinor: 0,
        depositChannel: "cash",
        channel: null,
        confirmAlreadyIn: false,
      },
    });
    const second = await reserve(await hotel.createRoom("303"));
    await mark(second);
    world.clock.set(noon(21));
    expect(await codeOf(reinstate(second))).toBe("reservation_over");
  });

  it("needs the permission, and is found only in its hotel and by those who see its room", async () => {
    const stayId = await reserve();
    await desk.cancelReservation(owner, { stayId });
    const viewer = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [room] });
    expect(await codeOf(reinstate(stayId, {}, viewer))).toBe("no_permission");
    expect(await codeOf(reinstate(stayId, {}, await (await world.createHotel()).scope()))).toBe("not_found");
    const elsewhere = await hotel.createRoom("304");
    const clerk = await hotel.scope("staff", { capabilities: ["stays.manage"], roomIds: [room] });
    expect(await codeOf(reinstate(stayId, { roomId: elsewhere }, clerk))).toBe("not_found");
    await reinstate(stayId, {}, clerk);
  });
});
