import { DomainError } from "@innkey/shared/errors";
import { checkInInput, checkOutInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createCardDesk } from "../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import * as folio from "../folio/entries/entries.service.ts";
import { readAccount } from "../folio/public.ts";
import { detail } from "../overview/stays.queries.ts";
import { list } from "../stays/breakfast/breakfast.service.ts";
import * as stays from "./public.ts";
import { tickBreakfast as tick, tickByCard } from "./serve-breakfast.ts";

const world = await createTestWorld("2026-11-18T14:00:00.000Z");
let hotel: TestHotel;
let owner: Scope;
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-18T14:00:00.000Z");
  hotel = await world.createHotel();
  owner = await hotel.scope();
});

const code = async (act: Promise<unknown>): Promise<string> => {
  const error = await act.then(
    () => new Error("it went through"),
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error.code;
  throw error;
};

interface Party {
  names?: string[];
  endsAt?: string;
  breakfast?: boolean;
  startsAt?: string;
}

async function book(how: "checkIn" | "reserve", roomId: number, party: Party = {}): Promise<number> {
  const { names = ["Ada", "Bo"], endsAt = "2026-11-20T10:00:00.000Z", breakfast = true } = party;
  const input = {
    roomId,
    unit: "day",
    startsAt: party.startsAt ?? owner.now().toISOString(),
    endsAt,
    breakfast,
    guests: names.map((name) => ({ name })),
  };
  const { stayId } =
    how === "checkIn"
      ? await stays.checkIn(owner, checkInInput.parse({ ...input, confirmAlreadyIn: true }))
      : await stays.reserve(owner, reserveInput.parse({ ...input, confirmAlreadyIn: true }));
  return stayId;
}

const names = async (date?: string, scope = owner) =>
  (await list(scope, date)).guests.map(({ roomName, name, state }) => `${roomName} ${name} ${state}`);

describe("the breakfast list", () => {
  it("contains everyone of a party with breakfast on each morning after a night, including the last", async () => {
    await book("checkIn", await hotel.createRoom("102"));
    await book("checkIn", await hotel.createRoom("101"), { names: ["Cy"], breakfast: false });
    expect(await names()).toEqual([]);
    for (const morning of ["2026-11-19", "2026-11-20"]) {
      expect(await names(morning)).toEqual(["102 Ada in", "102 Bo in"]);
    }
    expect(await names("2026-11-21")).toEqual([]);
    world.clock.set("2026-11-19T06:30:00.000Z");
    expect(await list(owner)).toMatchObject({ date: "2026-11-19", today: "2026-11-19", from: "07:00", to: "10:00" });
    expect(await names()).toHaveLength(2);
  });

  it("includes guests who arrived after midnight, because they used the night before", async () => {
    world.clock.set("2026-11-19T01:00:00.000Z");
    await book("checkIn", await hotel.createRoom("101"), { names: ["Ada"] });
    expect(await names("2026-11-19")).toEqual(["101 Ada in"]);
  });

  it("includes reservations for future mornings only, and none that is already over", async () => {
    await book("reserve", await hotel.createRoom("101"), { names: ["Ada"], startsAt: "2026-11-18T15:00:00.000Z" });
    expect(await names("2026-11-19")).toEqual(["101 Ada expected"]);
    world.clock.set("2026-11-19T06:00:00.000Z");
    expect(await names("2026-11-19")).toEqual([]);
  });

  it("omits guests who checked out before the buffet opened, and keeps those who left later", async () => {
    const [early, late] = [await hotel.createRoom("101"), await hotel.createRoom("102")];
    const first = await book("checkIn", early, { names: ["Ada"] });
    const second = await book("checkIn", late, { names: ["Bo"] });
    world.clock.set("2026-11-19T05:30:00.000Z");
    await stays.checkOut(owner, checkOutInput.parse({ stayId: first, confirmUnpaid: true }));
    world.clock.set("2026-11-19T07:30:00.000Z");
    await stays.checkOut(owner, checkOutInput.parse({ stayId: second, confirmUnpaid: true }));
    expect(await names("2026-11-19")).toEqual(["102 Bo out"]);
  });
});

describe("ticking off", () => {
  it("happens once per guest and day, shows who and when, can be taken back, and is recorded", async () => {
    await book("checkIn", await hotel.createRoom("101"));
    world.clock.set("2026-11-19T06:30:00.000Z");
    const [ada, bo] = (await list(owner)).guests.map(({ stayGuestId }) => stayGuestId);
    const day = { date: "2026-11-19", used: true };
    const both = [ada ?? 0, bo ?? 0];
    expect(await tick(owner, { ...day, stayGuestIds: both })).toEqual({ changed: 2 });
    const colleague = await hotel.scope();
    world.clock.advance(60_000);
    expect(await tick(colleague, { ...day, stayGuestIds: [ada ?? 0] })).toEqual({ changed: 0 });
    const [first] = (await list(owner)).guests;
    expect(first).toMatchObject({ usedAt: "2026-11-19T06:30:00.000Z", operatorName: owner.actor.name });
    expect(await tick(owner, { ...day, stayGuestIds: [ada ?? 0], used: false })).toEqual({ changed: 1 });
    expect((await list(owner)).guests.map(({ usedAt }) => usedAt !== null)).toEqual([false, true]);
    const rows = await world.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, entity: "stayGuest" },
      orderBy: { seq: "asc" },
    });
    expect(rows.map(({ action, entityId }) => [action, entityId])).toEqual([
      ["breakfast.tick", String(ada)],
      ["breakfast.tick", String(bo)],
      ["breakfast.untick", String(ada)],
    ]);
    expect(rows[0]).toMatchObject({ after: { date: "2026-11-19", roomName: "101" } });
  });

  it("the same guest at many desks at once counts once", async () => {
    await book("checkIn", await hotel.createRoom("101"), { names: ["Ada"] });
    world.clock.set("2026-11-19T06:30:00.000Z");
    const stayGuestIds = (await list(owner)).guests.map(({ stayGuestId }) => stayGuestId);
    const acts = Array.from({ length: 8 }, () => tick(owner, { date: "2026-11-19", stayGuestIds, used: true }));
    const changed = (await Promise.all(acts)).reduce((sum, answer) => sum + answer.changed, 0);
    expect(changed).toBe(1);
  });

  it("is refused for a future morning and for guests without breakfast that day", async () => {
    await book("checkIn", await hotel.createRoom("101"), { names: ["Ada"] });
    const [{ stayGuestId } = { stayGuestId: 0 }] = (await list(owner, "2026-11-19")).guests;
    const tickOff = (date: string) => tick(owner, { date, stayGuestIds: [stayGuestId], used: true });
    expect(await code(tickOff("2026-11-19"))).toBe("invalid_input");
    expect(await code(tickOff("2026-11-18"))).toBe("not_found");
    expect(await world.database.prisma.breakfast.count()).toBe(
      await world.database.prisma.breakfast.count({ where: { NOT: { hotelId: hotel.id } } }),
    );
  });

  it("by a room card covers the whole party, and reports an unknown card or one without breakfast", async () => {
    const desk = await createCardDesk(world, hotel);
    const stayId = await book("checkIn", (await desk.room("101")).roomId);
    const withoutBreakfast = await book("checkIn", (await desk.room("102")).roomId, {
      names: ["Cy"],
      breakfast: false,
    });
    await desk.issue(stayId, "DA3CBC66");
    await desk.issue(withoutBreakfast, "DA3CBC67");
    world.clock.set("2026-11-19T06:30:00.000Z");
    expect(await tickByCard(owner, "66BC3CDA")).toEqual({ roomName: "101", party: 2, ticked: 2 });
    expect(await tickByCard(owner, "DA3CBC66")).toEqual({ roomName: "101", party: 2, ticked: 0 });
    expect(await tickByCard(owner, "DA3CBC67")).toEqual({ roomName: "102", party: 0, ticked: 0 });
    expect(await tickByCard(owner, "01020304")).toEqual({ roomName: null, party: 0, ticked: 0 });
    const stranger = await (await world.createHotel()).scope();
    expect(await tickByCard(stranger, "DA3CBC66")).toEqual({ roomName: null, party: 0, ticked: 0 });
    const elsewhere = await hotel.scope("staff", { capabilities: ["breakfast.manage"], roomIds: [] });
    expect(await tickByCard(elsewhere, "DA3CBC66")).toEqual({ roomName: null, party: 0, ticked: 0 });
  });
});

describe("what breakfast costs", () => {
  const MORNING = "2026-11-19";
  const setPrice = (breakfastPriceMinor: number) =>
    world.database.prisma.hotel.update({ where: { id: hotel.id }, data: { breakfastPriceMinor } });
  const guestIds = async () => (await list(owner, MORNING)).guests.map(({ stayGuestId }) => stayGuestId);
  const tickAll = async (stayGuestIds: number[], used = true, scope = owner) =>
    tick(scope, { date: MORNING, stayGuestIds, used });
  const entriesOf = async (stayId: number) =>
    (await detail(owner, stayId)).entries.filter(({ type }) => type === "breakfast" || type === "cancellation");
  const owed = async (stayId: number) => (await readAccount(owner.sql, stayId)).owedMinor;

  async function twoParties() {
    const first = await book("checkIn", await hotel.createRoom("101", { depositMinor: 0 }));
    const second = await book("checkIn", await hotel.createRoom("102", { depositMinor: 0 }), { names: ["Cy"] });
    world.clock.set("2026-11-19T06:30:00.000Z");
    return { first, second, before: [await owed(first), await owed(second)] as const };
  }

  it("is charged with the marks, once per party, and unmarking takes it back at the price that was charged", async () => {
    await setPrice(1_200);
    const { first, second, before } = await twoParties();
    const ids = await guestIds();
    expect(await tickAll(ids)).toEqual({ changed: 3 });
    expect([await owed(first), await owed(second)]).toEqual([before[0] + 2_400, before[1] + 1_200]);
    expect(await entriesOf(first)).toMatchObject([
      { type: "breakfast", amountMinor: 2_400, quantity: 2, unitMinor: 1_200, serviceDate: MORNING, channel: null },
    ]);
    expect(await tickAll(ids)).toEqual({ changed: 0 });
    expect(await entriesOf(first)).toHaveLength(1);
    await setPrice(9_900);
    expect(await tickAll(ids.slice(0, 1), false)).toEqual({ changed: 1 });
    expect(await owed(first)).toBe(before[0] + 1_200);
    const [charge, counter] = await entriesOf(first);
    expect(counter).toMatchObject({ type: "cancellation", amountMinor: 1_200, refundsEntryId: charge?.id });
    expect(await tickAll(ids.slice(0, 1), false)).toEqual({ changed: 0 });
    expect(await entriesOf(first)).toHaveLength(2);
    await tickAll(ids.slice(0, 1));
    expect(await owed(first)).toBe(before[0] + 1_200 + 9_900);
    const audited = await world.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, action: { in: ["folio.breakfast", "folio.cancellation"] } },
      orderBy: { seq: "asc" },
    });
    expect(audited.map(({ after }) => after)).toMatchObject([
      { stayId: first, amountMinor: 2_400, quantity: 2, unitMinor: 1_200, serviceDate: MORNING },
      { stayId: second, amountMinor: 1_200 },
      { stayId: first, amountMinor: 1_200, cancelledEntryId: charge?.id },
      { stayId: first, amountMinor: 9_900 },
    ]);
  });

  it("is nothing if breakfast is included, and a mark made then takes nothing back later", async () => {
    const { first, before } = await twoParties();
    const ids = await guestIds();
    await tickAll(ids);
    await setPrice(1_200);
    await tickAll(ids, false);
    expect(await owed(first)).toBe(before[0]);
    expect(await entriesOf(first)).toEqual([]);
  });

  it("is charged by a room card, to the party of that card", async () => {
    await setPrice(1_200);
    const desk = await createCardDesk(world, hotel);
    const stayId = await book("checkIn", (await desk.room("101")).roomId);
    await desk.issue(stayId, "DA3CBC66");
    world.clock.set("2026-11-19T06:30:00.000Z");
    const before = await owed(stayId);
    await tickByCard(owner, "DA3CBC66");
    await tickByCard(owner, "DA3CBC66");
    expect(await owed(stayId)).toBe(before + 2_400);
  });

  it("is charged once when many desks mark a party at once, and not taken back twice", async () => {
    await setPrice(1_200);
    const { first, before } = await twoParties();
    const ids = await guestIds();
    await Promise.all(Array.from({ length: 6 }, () => tickAll(ids)));
    expect(await owed(first)).toBe(before[0] + 2_400);
    await Promise.all(Array.from({ length: 6 }, () => tickAll(ids.slice(0, 2), false)));
    expect(await owed(first)).toBe(before[0]);
  });

  it("is not taken back again after it was refunded by hand", async () => {
    await setPrice(1_200);
    const { first, before } = await twoParties();
    const ids = await guestIds();
    await tickAll(ids);
    const [charge] = await entriesOf(first);
    const refund = { entryId: charge?.id ?? 0, amountMinor: 2_000, channel: null, note: "Cold coffee" };
    await folio.refund(owner, refund);
    await tickAll(ids.slice(0, 2), false);
    expect(await owed(first)).toBe(before[0]);
  });

  it("charges nothing if marking fails", async () => {
    await setPrice(1_200);
    const { first, before } = await twoParties();
    expect(await code(tickAll([...(await guestIds()), 2_000_000_000]))).toBe("not_found");
    expect(await owed(first)).toBe(before[0]);
  });

  it("may be marked by a program with the permission, and by nobody of another hotel", async () => {
    await setPrice(1_200);
    const { first, before } = await twoParties();
    const ids = await guestIds();
    expect(await code(tickAll(ids, true, await (await world.createHotel()).scope()))).toBe("not_found");
    expect(await owed(first)).toBe(before[0]);
    const program = hotel.keyScope(["breakfast.manage"]);
    expect(await tickAll(ids, true, program)).toEqual({ changed: 3 });
    expect(await tickAll(ids, false, program)).toEqual({ changed: 3 });
    expect(await owed(first)).toBe(before[0]);
  });
});

describe("access to breakfast", () => {
  it("requires one's own hotel, the room and the permission", async () => {
    const roomId = await hotel.createRoom("101");
    await book("checkIn", roomId, { names: ["Ada"] });
    world.clock.set("2026-11-19T06:30:00.000Z");
    const stayGuestIds = (await list(owner)).guests.map(({ stayGuestId }) => stayGuestId);
    const input = { date: "2026-11-19", stayGuestIds, used: true };
    const capabilities = ["breakfast.manage"];
    const other = await (await world.createHotel()).scope();
    const elsewhere = await hotel.scope("staff", { capabilities, roomIds: [await hotel.createRoom("102")] });
    for (const scope of [other, elsewhere]) {
      expect(await names(undefined, scope)).toEqual([]);
      expect(await code(tick(scope, input))).toBe("not_found");
    }
    const viewer = await hotel.scope("staff", { capabilities: ["stays.view"], roomIds: [roomId] });
    expect(await code(list(viewer))).toBe("no_permission");
    expect(await code(tick(viewer, input))).toBe("no_permission");
    const granted = await hotel.scope("staff", { capabilities, roomIds: [roomId] });
    expect(await tick(granted, input)).toEqual({ changed: 1 });
  });
});
