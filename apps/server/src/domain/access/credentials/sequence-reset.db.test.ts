import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { createLogger } from "../../../adapters/telemetry/logger.ts";
import { UnlockIngest } from "../unlocks/ingest.ts";
import { listPendingRevocations } from "./pending-revocations.ts";
import { resetSequence } from "./sequence-reset.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  room = await desk.room("101");
});

const sequenceOf = async (cardId: number) =>
  (await world.database.prisma.card.findUniqueOrThrow({ where: { id: cardId } })).sequence;
const reset = () => resetSequence(desk.owner, { lockId: room.lock.id });

describe("a door's issue sequence", () => {
  it("that ran out is restarted by an owner: new cards open, and no earlier one does", async () => {
    const former = await desk.checkIn(room.roomId);
    const removedCard = await desk.issue(former, desk.newUid());
    await desk.checkOut(former);
    await desk.deliver(room.lock.id);
    await world.database.prisma.room.update({ where: { id: room.roomId }, data: { cardSequence: 65_534 } });
    const stayId = await desk.checkIn(room.roomId);
    const last = await desk.issue(stayId, desk.newUid());
    expect([await sequenceOf(last.cardId), await desk.presentCard(last.uid, room.lock.id)]).toEqual([65_535, true]);
    await expect(desk.issue(stayId, desk.newUid(), { disableOldCards: true })).rejects.toMatchObject({
      code: "state_conflict",
    });

    world.clock.advance(1_000);
    await reset();
    const risks = (await listPendingRevocations(desk.owner)).map(({ cardId, lockId }) => [cardId, lockId]);
    expect(risks, "cards below the old minimum may open until their numbers are refused").toEqual(
      expect.arrayContaining([removedCard, last].map(({ cardId }) => [cardId, room.lock.id])),
    );
    await desk.deliver(room.lock.id);
    expect(await listPendingRevocations(desk.owner)).toEqual([]);
    for (const { uid, cardId } of [removedCard, last]) {
      expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([false, "revoked"]);
    }
    const next = await desk.issue(stayId, desk.newUid());
    expect([await sequenceOf(next.cardId), await desk.presentCard(next.uid, room.lock.id)]).toEqual([1, true]);
    const rewritten = await desk.issue(stayId, last.uid);
    await desk.deliver(room.lock.id);
    expect(desk.opens(rewritten.uid, room.lock.id)).toBe(true);
    const later = await desk.issue(stayId, desk.newUid(), { disableOldCards: true });
    expect(await sequenceOf(later.cardId)).toBe(2);
  });

  it("does not follow what a lock reports, at its own door or one that gets a lock later", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const ingest = new UnlockIngest({ database: world.database, clock: world.clock, log: createLogger("silent") });
    const forged = { kind: "card", uid: "FFFFFFFF", card: "guest", sequence: 65_535 } as const;
    const event = { seq: 1, at: NOW, style: "card", success: true, credential: forged } as const;
    await ingest.events({ hotelId: hotel.id, mac: room.lock.mac }, [event]);
    expect(await desk.bench.alerts(room.lock.id)).toMatchObject([{ kind: "tamper" }]);
    const card = await desk.issue(stayId, desk.newUid());
    expect([await sequenceOf(card.cardId), await desk.presentCard(card.uid, room.lock.id)]).toEqual([1, true]);
    const next = await desk.room("102");
    const first = await desk.issue(await desk.checkIn(next.roomId), desk.newUid());
    expect([await sequenceOf(first.cardId), desk.opens(first.uid, next.lock.id)]).toEqual([1, true]);
  });

  it("that ran out at one door does not affect other doors", async () => {
    await world.database.prisma.room.update({ where: { id: room.roomId }, data: { cardSequence: 65_534 } });
    await desk.issue(await desk.checkIn(room.roomId), desk.newUid());
    const next = await desk.room("102");
    const first = await desk.issue(await desk.checkIn(next.roomId), desk.newUid());
    expect(await sequenceOf(first.cardId)).toBe(1);
  });

  it("is repaired for a lock with a wrong minimum sequence", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const card = await desk.issue(stayId, desk.newUid());
    desk.model(room.lock.id).execute({
      id: "00000000-0000-4000-8000-000000000000",
      type: "raise_floor",
      args: { kind: "guest", floor: 65_535 },
    });
    expect(desk.opens(card.uid, room.lock.id)).toBe(false);
    world.clock.advance(1_000);
    await reset();
    await desk.deliver(room.lock.id);
    const next = await desk.issue(stayId, desk.newUid());
    expect(desk.opens(next.uid, room.lock.id)).toBe(true);
  });

  it("is restarted by owners only, in their own hotel, and that is recorded", async () => {
    const input = { lockId: room.lock.id };
    const clerk = await hotel.scope("staff", { capabilities: ["locks.manage"], roomIds: [room.roomId] });
    const administrator = await hotel.scope("administrator");
    for (const scope of [clerk, administrator])
      await expect(resetSequence(scope, input)).rejects.toMatchObject({ code: "no_permission" });
    const stranger = await (await world.createHotel()).scope("owner");
    await expect(resetSequence(stranger, input)).rejects.toMatchObject({ code: "not_found" });
    await reset();
    const where = { hotelId: hotel.id, action: "lock.resetSequence" };
    expect(await world.database.prisma.auditEntry.findMany({ where })).toMatchObject([
      { entityId: String(room.lock.id) },
    ]);
  });
});
