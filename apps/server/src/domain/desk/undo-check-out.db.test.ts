import { DomainError } from "@innkey/shared/errors";
import { airCardInput, prepareCardInput } from "@innkey/shared/schemas/access/cards";
import { grantFaceInput } from "@innkey/shared/schemas/access/faces";
import { createPasscodeInput, passcodesInput } from "@innkey/shared/schemas/access/passcodes";
import {
  type CheckOutInput,
  checkInInput,
  checkOutInput,
  guestListInput,
  reserveInput,
} from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import { addOverTheAir } from "../access/cards/air-cards.service.ts";
import { listStayCards } from "../access/cards/cards.queries.ts";
import { confirm, prepare } from "../access/cards/cards.service.ts";
import { readStayKeys } from "../access/credentials/stay-keys.queries.ts";
import * as faces from "../access/faces/faces.service.ts";
import { list as listCodes } from "../access/passcodes/passcodes.queries.ts";
import * as passcodes from "../access/passcodes/passcodes.service.ts";
import * as folio from "../folio/entries/entries.service.ts";
import { detail } from "../overview/stays.queries.ts";
import { detail as roomDetail } from "../property/rooms/rooms.queries.ts";
import { list } from "../stays/guests/guest-list.queries.ts";
import * as desk from "./public.ts";
import { setStatus } from "./set-room-status.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const END = "2026-11-21T11:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let cards: CardDesk;
let room: DeskRoom;
let owner: Scope;
let stayId: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  cards = await createCardDesk(world, hotel);
  owner = cards.owner;
  room = await cards.room("101");
  stayId = await checkIn();
});

/** A stay of three nights that owes its price, with a deposit of 200 in cash. */
const checkIn = async (fields: object = {}): Promise<number> => {
  const party = { roomId: room.roomId, unit: "day", startsAt: NOW, endsAt: END, guests: [{ name: "Ann Lee" }] };
  const input = { ...party, depositMinor: 20_000, depositChannel: "cash", ...fields };
  return (await desk.checkIn(owner, checkInInput.parse(input))).stayId;
};
const checkOut = (fields: Partial<CheckOutInput> = {}, scope = owner) =>
  desk.checkOut(scope, checkOutInput.parse({ stayId, confirmUnpaid: true, refundChannel: null, ...fields }));
const undo = (scope = owner, id = stayId) => desk.undoCheckOut(scope, { stayId: id });
const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );
const closeDay = (date: string) =>
  world.database.prisma.nightAudit.create({
    data: { hotelId: hotel.id, date: new Date(date), figures: {}, closedAt: owner.now() },
  });
const moneyOf = async () => (await detail(owner, stayId)).money;
const totals = async () => {
  const rows = await world.database.prisma.ledgerEntry.groupBy({
    by: ["account"],
    where: { hotelId: hotel.id },
    _sum: { amountMinor: true },
  });
  return Object.fromEntries(
    rows.flatMap(({ account, _sum }) => (_sum.amountMinor ? [[account, _sum.amountMinor]] : [])),
  );
};

describe("a check-out that is undone", () => {
  it("brings the stay back with its dates, and the room with its condition", async () => {
    const before = await detail(owner, stayId);
    world.clock.advance(60_000);
    await checkOut();
    expect(await roomDetail(owner, room.roomId)).toMatchObject({ status: "dirty" });
    world.clock.advance(60_000);
    await undo();
    const { state, startsAt, endsAt, checkedInAt, checkedOutAt, occupancies } = await detail(owner, stayId);
    expect({ state, startsAt, endsAt, checkedInAt, checkedOutAt, occupancies }).toEqual({
      ...{ state: "checked_in", startsAt: before.startsAt, endsAt: before.endsAt, checkedInAt: before.checkedInAt },
      ...{ checkedOutAt: null, occupancies: before.occupancies },
    });
    const { condition } = await world.database.prisma.room.findUniqueOrThrow({ where: { id: room.roomId } });
    expect(condition).toBe("clean");
    const audit = await world.database.prisma.auditEntry.findFirstOrThrow({
      where: { hotelId: hotel.id, action: "stay.check_out_undone" },
    });
    expect(audit).toMatchObject({ entity: "stay", entityId: String(stayId), after: { endsAt: END, keysLost: 0 } });
    expect(await codeOf(undo())).toBe("state_conflict");
    await checkOut();
    await undo();
  });

  it("leaves the room dirty if it was, and clean if it was cleaned since", async () => {
    const { room: table } = world.database.prisma;
    const condition = async () => (await table.findUniqueOrThrow({ where: { id: room.roomId } })).condition;
    await table.update({ where: { id: room.roomId }, data: { condition: "dirty" } });
    await checkOut();
    await undo();
    expect(await condition()).toBe("dirty");
    await checkOut();
    await setStatus(owner, { roomIds: [room.roomId], status: "vacant", until: null, note: "" });
    await undo();
    expect(await condition()).toBe("clean");
  });

  it.each([
    ["the deposit that paid, beside a rest that was owed", {}, 0, 0],
    ["a payment, and the deposit that went back", { useDeposit: false, channel: "card" }, 20_000, 35_000],
    [
      "unused nights, the deposit that paid and a payment",
      { refundUnusedMinor: 10_000, channel: "transfer" },
      0,
      5_000,
    ],
    [
      "a kept part of the deposit",
      { useDeposit: false, channel: "card", keepDeposit: { amountMinor: 6_000, reason: "A broken lamp" } },
      14_000,
      35_000,
    ],
  ] as const)("moves back %s", async (_what, fields, takenBackMinor, givenBackMinor) => {
    const [account, money] = [await totals(), await moneyOf()];
    await checkOut(fields as Partial<CheckOutInput>);
    expect((await detail(owner, stayId)).checkOutUndo).toEqual({ takenBackMinor, givenBackMinor });
    await undo();
    expect([await totals(), await moneyOf()]).toEqual([account, money]);
    // The same check-out works again, and so does its undo.
    await checkOut(fields as Partial<CheckOutInput>);
    await undo();
    expect([await totals(), await moneyOf()]).toEqual([account, money]);
  });

  it("gives back only what of a payment is left, and what was kept can't be refunded any more", async () => {
    await checkOut({ useDeposit: false, channel: "card", keepDeposit: { amountMinor: 6_000, reason: "A lamp" } });
    const paid = await world.database.prisma.folioEntry.findFirstOrThrow({ where: { stayId, type: "payment" } });
    await folio.refund(owner, { entryId: paid.id, amountMinor: 5_000, channel: "card", note: "" });
    expect((await detail(owner, stayId)).checkOutUndo).toEqual({ takenBackMinor: 14_000, givenBackMinor: 30_000 });
    await undo();
    expect(await moneyOf()).toMatchObject({
      chargedMinor: 35_000,
      paidMinor: 0,
      owedMinor: 35_000,
      depositHeldMinor: 20_000,
    });
    expect(await totals()).toMatchObject({ cash: 20_000, deposits: -20_000, receivable: 35_000 });
    const income = await world.database.prisma.folioEntry.findFirstOrThrow({ where: { stayId, type: "deposit_kept" } });
    expect(await codeOf(folio.refund(owner, { entryId: income.id, amountMinor: 1, channel: null, note: "" }))).toBe(
      "refund_too_large",
    );
  });

  it("needs the right to pay out if a payment must be given back, and the permission to check out", async () => {
    const staff = (capabilities: string[], roomIds = [room.roomId]) => hotel.scope("staff", { capabilities, roomIds });
    const clerk = await staff(["stays.manage"]);
    await checkOut({ useDeposit: false, channel: "card" }, clerk);
    expect(await codeOf(undo(clerk))).toBe("payout_not_allowed");
    expect(await codeOf(undo(await staff(["stays.view"])))).toBe("no_permission");
    expect(await codeOf(undo(await staff(["stays.manage"], [])))).toBe("not_found");
    expect(await codeOf(undo(await (await world.createHotel()).scope()))).toBe("not_found");
    await undo(await staff(["stays.manage", "folio.refund"]));
    // A deposit that went back, or paid, needs no more than the check-out did.
    await checkOut({}, clerk);
    expect((await detail(await staff(["stays.view"]), stayId)).checkOutUndo).toBeNull();
    await undo(clerk);
    expect((await moneyOf()).depositHeldMinor).toBe(20_000);
  });

  it("is refused once somebody else has the room", async () => {
    const guests = [{ name: "Bob Lee" }];
    const next = { roomId: room.roomId, unit: "day", guests };
    await checkOut();
    const later = { ...next, startsAt: "2026-11-20T14:00:00.000Z", endsAt: "2026-11-22T11:00:00.000Z" };
    const booked = await desk.reserve(owner, reserveInput.parse(later));
    expect(await codeOf(undo())).toBe("room_taken");
    await desk.cancelReservation(owner, { stayId: booked.stayId });
    await setStatus(owner, { roomIds: [room.roomId], status: "maintenance", until: null, note: "" });
    expect(await codeOf(undo())).toBe("room_taken");
    await setStatus(owner, { roomIds: [room.roomId], status: "vacant", until: null, note: "" });
    const after = { ...next, startsAt: "2026-11-22T14:00:00.000Z", endsAt: "2026-11-23T11:00:00.000Z" };
    await desk.reserve(owner, reserveInput.parse(after));
    await undo();
  });

  it("of a guest who stayed too long is refused once the room is reserved or closed from now", async () => {
    world.clock.set("2026-11-21T12:00:00.000Z");
    await checkOut();
    await setStatus(owner, { roomIds: [room.roomId], status: "maintenance", until: null, note: "" });
    expect(await codeOf(undo())).toBe("room_taken");
    await setStatus(owner, { roomIds: [room.roomId], status: "vacant", until: null, note: "" });
    const now = "2026-11-21T12:00:00.000Z";
    const next = { roomId: room.roomId, unit: "day", guests: [{ name: "Bob" }], startsAt: now };
    const input = reserveInput.parse({ ...next, endsAt: "2026-11-22T11:00:00.000Z" });
    const booked = await desk.reserve(owner, input);
    expect(await codeOf(undo())).toBe("room_taken");
    await desk.cancelReservation(owner, { stayId: booked.stayId });
    await undo();
    expect(await detail(owner, stayId)).toMatchObject({ state: "checked_in", expired: true, endsAt: END });
  });

  it("is offered on the stay's page and in the list, as long as it may be undone", async () => {
    const offered = async (): Promise<boolean[]> => {
      const { rows } = await list(owner, guestListInput.parse({ state: "out" }));
      return [...rows.map(({ undoable }) => undoable), (await detail(owner, stayId)).checkOutUndo !== null];
    };
    expect((await detail(owner, stayId)).checkOutUndo).toBeNull();
    await checkOut();
    expect(await offered()).toEqual([true, true]);
    await closeDay("2026-11-18");
    expect(await offered()).toEqual([true, true]);
    world.clock.advance(10 * 60_000 + 1);
    expect(await offered()).toEqual([false, false]);
    expect(await codeOf(undo())).toBe("undo_over");
  });

  it("is refused for a check-out that recorded nothing", async () => {
    await checkOut();
    await world.database.prisma.stay.update({ where: { id: stayId }, data: { roomConditionBefore: null } });
    expect((await detail(owner, stayId)).checkOutUndo).toBeNull();
    expect(await codeOf(undo())).toBe("undo_over");
  });
});

describe("the keys of a stay whose check-out is undone", () => {
  const standings = async () => (await readStayKeys(owner, stayId)).keys.map(({ kind, state }) => [kind, state]).sort();
  const createCode = (fields: object = {}) =>
    passcodes.create(
      owner,
      createPasscodeInput.parse({ type: "air", roomIds: [room.roomId], person: "Ann Lee", stayId, ...fields }),
    );
  async function giveKeys(): Promise<{ code: string; airUid: string; uid: string }> {
    const uid = cards.newUid();
    const card = await prepare(owner, prepareCardInput.parse({ stayId, uid, holderId: null }));
    await confirm(owner, { cardId: card.cardId, readBack: card.data });
    const airUid = cards.newUid();
    await addOverTheAir(owner, airCardInput.parse({ uid: airUid, stayId, roomIds: [room.roomId] }));
    const face = await world.database.prisma.face.create({
      data: { hotelId: hotel.id, note: "Ann", consentAt: owner.now(), createdById: null, createdAt: owner.now() },
    });
    await faces.grant(owner, grantFaceInput.parse({ faceId: face.id, stayId }));
    return { code: (await createCode()).code, airUid, uid };
  }
  const OPEN = [
    ["airCard", "opens"],
    ["card", "opens"],
    ["face", "opens"],
    ["passcode", "opens"],
  ];

  it("work again, whether or not the lock had removed them; written cards must be written again", async () => {
    const { code, uid } = await giveKeys();
    await cards.deliver(room.lock.id);
    expect(await standings()).toEqual(OPEN);
    for (const removed of [false, true]) {
      await checkOut();
      if (removed) await cards.deliver(room.lock.id);
      expect(await undo()).toEqual({ stayId, keysLost: 0 });
      await cards.deliver(room.lock.id);
      expect(await standings()).toEqual(OPEN.map(([kind, state]) => [kind, kind === "card" ? "rewrite" : state]));
      expect((await roomDetail(owner, room.roomId)).cardsToRewrite).toBe(1);
      const { rows } = await listCodes(owner, passcodesInput.parse({ stayId, state: "live" }));
      expect(rows).toMatchObject([{ standing: "active", validTo: END }]);
      expect((await passcodes.reveal(owner, { passcodeId: rows[0]?.id ?? 0 })).code).toBe(code);
      const again = await prepare(owner, prepareCardInput.parse({ stayId, uid, holderId: null }));
      await confirm(owner, { cardId: again.cardId, readBack: again.data });
      await cards.deliver(room.lock.id);
      expect(await standings()).toEqual(OPEN);
    }
    expect((await listStayCards(owner, stayId)).filter(({ rewrite }) => rewrite)).toEqual([]);
  });

  it("stay with whoever has them since: a card given to others, a code that is taken, a face that was removed", async () => {
    const { code, airUid } = await giveKeys();
    await cards.deliver(room.lock.id);
    await checkOut();
    await cards.deliver(room.lock.id);
    const other = await cards.room("102");
    await addOverTheAir(
      owner,
      airCardInput.parse({ uid: airUid, stayId: null, roomIds: [other.roomId], validTo: END }),
    );
    await createCode({ type: "custom", code, stayId: null, person: "Plumber", validFrom: null, validTo: END });
    await world.database.prisma.face.updateMany({ where: { hotelId: hotel.id }, data: { deletedAt: owner.now() } });
    expect(await undo()).toEqual({ stayId, keysLost: 3 });
    expect(await standings()).toEqual([["card", "rewrite"]]);
  });

  it("that had been taken back before stay so, and those whose time is over work again after a renewal", async () => {
    await giveKeys();
    const { passcodeId } = await createCode({ person: "Old code" });
    await cards.deliver(room.lock.id);
    await passcodes.remove(owner, { passcodeId });
    await cards.deliver(room.lock.id);
    world.clock.set("2026-11-21T12:00:00.000Z");
    await checkOut();
    await cards.deliver(room.lock.id);
    expect(await undo()).toEqual({ stayId, keysLost: 0 });
    await desk.renew(owner, {
      ...{ stayId, endsAt: "2026-11-23T11:00:00.000Z", unit: "day", channel: null },
      ...{ agreedTotalMinor: null, expectedTotalMinor: null },
    });
    await cards.deliver(room.lock.id);
    expect(await standings()).toEqual(OPEN.map(([kind, state]) => [kind, kind === "card" ? "rewrite" : state]));
  });
});
