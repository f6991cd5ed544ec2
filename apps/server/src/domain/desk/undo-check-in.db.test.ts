import { DomainError } from "@innkey/shared/errors";
import { airCardInput, prepareCardInput } from "@innkey/shared/schemas/access/cards";
import { grantFaceInput } from "@innkey/shared/schemas/access/faces";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { payInput } from "@innkey/shared/schemas/folio";
import { shortenInput } from "@innkey/shared/schemas/overview/timeline";
import {
  arriveInput,
  changeRoomInput,
  checkInInput,
  checkOutInput,
  guestListInput,
  renewInput,
  reserveInput,
} from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import { addOverTheAir } from "../access/cards/air-cards.service.ts";
import { confirm, prepare } from "../access/cards/cards.service.ts";
import { readStayKeys } from "../access/credentials/stay-keys.queries.ts";
import * as faces from "../access/faces/faces.service.ts";
import * as passcodes from "../access/passcodes/passcodes.service.ts";
import * as folio from "../folio/entries/entries.service.ts";
import { detail } from "../overview/stays.queries.ts";
import { detail as roomDetail } from "../property/rooms/rooms.queries.ts";
import { list } from "../stays/guests/guest-list.queries.ts";
import * as desk from "./public.ts";

// The reservation begins an hour after the party comes.
const NOW = "2026-11-18T13:00:00.000Z";
const START = "2026-11-18T14:00:00.000Z";
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
  const booking = { ...party(), startsAt: START };
  stayId = (await desk.reserve(owner, reserveInput.parse(booking))).stayId;
});

const party = () => ({ roomId: room.roomId, unit: "day", startsAt: NOW, endsAt: END, guests: [{ name: "Ann Lee" }] });
const arrive = (fields: object = {}, scope = owner) =>
  desk.arrive(scope, arriveInput.parse({ stayId, depositMinor: 0, channel: null, ...fields }));
const undo = (scope = owner, id = stayId) => desk.undoCheckIn(scope, { stayId: id });
const undoOf = async (scope = owner, id = stayId) => (await detail(scope, id)).checkInUndo;
const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );
const closeDay = (date: string) =>
  world.database.prisma.nightAudit.create({
    data: { hotelId: hotel.id, date: new Date(date), figures: {}, closedAt: owner.now() },
  });
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

describe("a check-in that is undone", () => {
  it("leaves the reservation as it was, in its room from its planned start", async () => {
    const before = await detail(owner, stayId);
    await arrive({ depositMinor: 5_000 });
    expect(await roomDetail(owner, room.roomId)).toMatchObject({ status: "checked_in" });
    world.clock.advance(60_000);
    expect(await undo()).toEqual({ stayId, keysRevoked: 0 });
    const after = await detail(owner, stayId);
    expect({ ...after, entries: [], money: null }).toEqual({ ...before, entries: [], money: null });
    expect(after.money).toEqual(before.money);
    const stored = await world.database.prisma.stay.findUniqueOrThrow({ where: { id: stayId } });
    expect(stored).toMatchObject({ depositMinor: 0, checkedInAt: null, checkInLastEntryId: null });
    const audit = await world.database.prisma.auditEntry.findFirstOrThrow({
      where: { hotelId: hotel.id, action: "stay.check_in_undone" },
    });
    expect(audit).toMatchObject({
      ...{ entity: "stay", entityId: String(stayId) },
      ...{ before: { checkedInAt: NOW, depositMinor: 5_000 }, after: { startsAt: START, givenBackMinor: 5_000 } },
    });
    expect(await codeOf(undo())).toBe("state_conflict");
    // The party comes once more, and what was written before is not taken back again.
    await arrive({ depositMinor: 3_000 });
    expect(await undoOf()).toEqual({ givenBackMinor: 3_000 });
    await undo();
    expect(await totals()).toEqual({ receivable: 35_000, revenue: -35_000 });
  });

  it("leaves a reservation of a party that came without one, which owes its price", async () => {
    await desk.cancelReservation(owner, { stayId });
    const fields = { ...party(), depositMinor: 20_000, depositChannel: "card", channel: "cash" };
    const walkIn = await desk.checkIn(owner, checkInInput.parse(fields));
    expect(await undoOf(owner, walkIn.stayId)).toEqual({ givenBackMinor: 55_000 });
    await undo(owner, walkIn.stayId);
    expect(await detail(owner, walkIn.stayId)).toMatchObject({
      ...{ state: "reserved", startsAt: NOW, endsAt: END, checkedInAt: null },
      money: { chargedMinor: 35_000, paidMinor: 0, owedMinor: 35_000, depositHeldMinor: 0 },
    });
    expect(await totals()).toEqual({ receivable: 35_000, revenue: -35_000 });
    await desk.cancelReservation(owner, { stayId: walkIn.stayId });
    expect(await totals()).toEqual({});
  });

  it("gives back the deposit and the payment through the channels they came by, and no earlier money", async () => {
    await folio.pay(owner, payInput.parse({ stayId, amountMinor: 1_000, channel: "transfer" }));
    const before = [await totals(), (await detail(owner, stayId)).money];
    await arrive({ depositMinor: 20_000, depositChannel: "cash", channel: "card" });
    expect(await totals()).toMatchObject({ cash: 20_000, card: 34_000, transfer: 1_000 });
    expect(await undoOf()).toEqual({ givenBackMinor: 54_000 });
    await undo();
    expect([await totals(), (await detail(owner, stayId)).money]).toEqual(before);
  });

  it("needs the permission to check in, and to pay out what the guest paid", async () => {
    const staff = (capabilities: string[], roomIds = [room.roomId]) => hotel.scope("staff", { capabilities, roomIds });
    const clerk = await staff(["stays.manage"]);
    await arrive({ channel: "card" }, clerk);
    expect(await codeOf(undo(clerk))).toBe("payout_not_allowed");
    expect(await codeOf(undo(await staff(["stays.view"])))).toBe("no_permission");
    expect(await codeOf(undo(await staff(["stays.manage"], [])))).toBe("not_found");
    expect(await codeOf(undo(await (await world.createHotel()).scope()))).toBe("not_found");
    expect(await undoOf(await staff(["stays.view"]))).toBeNull();
    expect(await detail(owner, stayId)).toMatchObject({ state: "checked_in", money: { paidMinor: 35_000 } });
    await undo(await staff(["stays.manage", "folio.refund"]));
    await arrive({}, clerk);
    await undo(clerk);
    expect(await detail(owner, stayId)).toMatchObject({ state: "reserved" });
  });

  it.each([
    [
      "another room",
      async () => {
        const { roomId } = await cards.room("102");
        await desk.changeRoom(owner, changeRoomInput.parse({ stayId, roomId }));
      },
    ],
    [
      "a later departure",
      () => desk.renew(owner, renewInput.parse({ stayId, endsAt: "2026-11-22T11:00:00.000Z", unit: "day" })),
    ],
    [
      "an earlier departure that refunds nothing",
      () => desk.shorten(owner, shortenInput.parse({ stayId, endsAt: "2026-11-21T10:00:00.000Z" })),
    ],
    ["a payment", () => folio.pay(owner, payInput.parse({ stayId, amountMinor: 1_000, channel: "cash" }))],
  ] as const)("is refused after %s", async (_what, follow) => {
    await arrive({ depositMinor: 5_000 });
    expect(await undoOf()).toEqual({ givenBackMinor: 5_000 });
    await follow();
    expect(await undoOf()).toBeNull();
    expect(await codeOf(undo())).toBe("changed_since");
    expect(await detail(owner, stayId)).toMatchObject({ state: "checked_in", money: { depositHeldMinor: 5_000 } });
  });

  it("is refused once the party has checked out, and possible again when that is undone", async () => {
    await arrive();
    await desk.checkOut(owner, checkOutInput.parse({ stayId, confirmUnpaid: true, refundChannel: null }));
    expect(await codeOf(undo())).toBe("state_conflict");
    await desk.undoCheckOut(owner, { stayId });
    await undo();
  });

  it("is offered on the stay's page and in the list, as long as it may be undone", async () => {
    const offered = async (): Promise<boolean[]> => {
      const { rows } = await list(owner, guestListInput.parse({ state: "in" }));
      return [...rows.map(({ undoable }) => undoable), (await undoOf()) !== null];
    };
    await arrive();
    expect(await offered()).toEqual([true, true]);
    await closeDay("2026-11-18");
    world.clock.advance(10 * 60_000);
    expect(await offered()).toEqual([true, true]);
    world.clock.advance(1);
    expect(await offered()).toEqual([false, false]);
    expect(await codeOf(undo())).toBe("undo_over");
  });

  it("is refused for a check-in that recorded nothing", async () => {
    await arrive();
    const unknown = { checkInAfterEntryId: null, checkInLastEntryId: null, checkInEndsAt: null };
    await world.database.prisma.stay.update({ where: { id: stayId }, data: unknown });
    expect(await undoOf()).toBeNull();
    const { rows } = await list(owner, guestListInput.parse({ state: "in" }));
    expect(rows.map(({ undoable }) => undoable)).toEqual([false]);
    expect(await codeOf(undo())).toBe("undo_over");
  });
});

describe("the keys of a stay whose check-in is undone", () => {
  const standings = async () => (await readStayKeys(owner, stayId)).keys.map(({ kind, state }) => [kind, state]).sort();
  const createCode = () =>
    passcodes.create(
      owner,
      createPasscodeInput.parse({ type: "air", roomIds: [room.roomId], person: "Ann Lee", stayId }),
    );

  it("that were issued since the check-in end at every door; those from before open from the planned arrival on", async () => {
    const early = await createCode();
    await cards.deliver(room.lock.id);
    world.clock.advance(60_000);
    const arrivedAt = owner.now();
    await arrive();
    const uid = cards.newUid();
    world.clock.advance(60_000);
    const card = await prepare(owner, prepareCardInput.parse({ stayId, uid, holderId: null }));
    await confirm(owner, { cardId: card.cardId, readBack: card.data });
    await addOverTheAir(owner, airCardInput.parse({ uid: cards.newUid(), stayId, roomIds: [room.roomId] }));
    const late = await createCode();
    const face = await world.database.prisma.face.create({
      data: { hotelId: hotel.id, note: "Ann", consentAt: owner.now(), createdById: null, createdAt: owner.now() },
    });
    await faces.grant(owner, grantFaceInput.parse({ faceId: face.id, stayId }));
    await cards.deliver(room.lock.id);
    const credentialOf = (passcodeId: number) =>
      world.database.prisma.credential.findFirstOrThrow({ where: { passcodeId }, orderBy: { id: "desc" } });
    expect((await credentialOf(early.passcodeId)).validFrom).toEqual(arrivedAt);
    expect(await standings()).toHaveLength(5);

    expect(await undo()).toEqual({ stayId, keysRevoked: 4 });
    await cards.deliver(room.lock.id);
    expect((await standings()).map(([kind]) => kind)).toEqual(["passcode"]);
    expect((await credentialOf(early.passcodeId)).validFrom.getTime()).toBeGreaterThan(owner.now().getTime());
    expect(await credentialOf(late.passcodeId)).toMatchObject({ state: "revoked", revokeReason: "check_in_undone" });
    const live = await world.database.prisma.credential.findMany({
      where: { hotelId: hotel.id, state: { notIn: ["revoking", "revoked"] } },
    });
    expect(live.map(({ passcodeId }) => passcodeId)).toEqual([early.passcodeId]);
    const { state, revokeReason } = await world.database.prisma.card.findUniqueOrThrow({ where: { id: card.cardId } });
    expect([revokeReason, ["revoking", "revoked"].includes(state)]).toEqual(["check_in_undone", true]);

    // Nothing of it comes back with the next check-in.
    await arrive();
    await cards.deliver(room.lock.id);
    expect((await standings()).map(([kind]) => kind)).toEqual(["passcode"]);
    expect((await roomDetail(owner, room.roomId)).cardsToRewrite).toBe(0);
  });
});
