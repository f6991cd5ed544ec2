import { airCardInput } from "@innkey/shared/schemas/cards";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../testing/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../testing/hotel.ts";
import { save } from "../locks/registration.service.ts";
import { residual } from "../locks/risk.service.ts";
import { addOverTheAir } from "./air-cards.service.ts";
import { settleAll } from "./cards.jobs.ts";
import { confirm, revoke } from "./cards.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const DAY_MS = 86_400_000;

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let stayId: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  room = await desk.room("101");
  stayId = await desk.checkIn(room.roomId);
});

const lose = (cardId: number) => revoke(desk.owner, { cardId, reason: "lost" });
const types = async (lockId = room.lock.id) =>
  (await desk.bench.commands(lockId))
    .filter(({ type }) => type !== "configure")
    .map(({ type, state }) => [type, state]);
const atRisk = async () => (await residual(desk.owner)).map(({ cardId, lockId }) => [cardId, lockId]);

describe("a guest's card", () => {
  it("lost among several is refused by its number, and its duplicates go on opening", async () => {
    const [uid, other] = [desk.newUid(), desk.newUid()];
    const card = await desk.issue(stayId, uid);
    await desk.issue(stayId, other);
    expect(await lose(card.cardId)).toEqual({ cardId: card.cardId, state: "revoking" });
    expect(desk.opens(uid, room.lock.id), "nobody has told the lock yet").toBe(true);
    expect(await atRisk()).toEqual([[card.cardId, room.lock.id]]);
    await desk.deliver(room.lock.id);
    expect(await types()).toEqual([["block_card", "acknowledged"]]);
    expect([desk.opens(uid, room.lock.id), desk.opens(other, room.lock.id)]).toEqual([false, true]);
    expect(await desk.state(card.cardId)).toBe("revoked");
    expect(await atRisk()).toEqual([]);
  });

  it("lost as the only one raises the lock's floor, so that it can be written again without further ado", async () => {
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    await lose(cardId);
    await desk.deliver(room.lock.id);
    expect(await types()).toEqual([["raise_floor", "acknowledged"]]);
    expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([false, "revoked"]);
    await desk.issue(stayId, uid);
    expect(desk.opens(uid, room.lock.id)).toBe(true);
  });

  it("found again is let in only once it was written anew", async () => {
    const [uid, other] = [desk.newUid(), desk.newUid()];
    const { cardId } = await desk.issue(stayId, uid);
    await desk.issue(stayId, other);
    await lose(cardId);
    await desk.deliver(room.lock.id);
    const old = desk.chips.get(uid);
    const again = await desk.issue(stayId, uid, { confirm: false });
    desk.chips.set(uid, old ?? { uid, data: null, cardId });
    await desk.deliver(room.lock.id);
    expect(desk.opens(uid, room.lock.id), "prepared, and the write failed").toBe(false);
    await revoke(desk.owner, { cardId: again.cardId, reason: "by_hand" });
    await desk.issue(stayId, uid);
    await desk.deliver(room.lock.id);
    expect((await types()).at(-1)).toEqual(["allow_card", "acknowledged"]);
    expect(desk.opens(uid, room.lock.id)).toBe(true);
  });

  it("found before its lock heard of the loss is simply let in", async () => {
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    await desk.issue(stayId, desk.newUid());
    await lose(cardId);
    await desk.issue(stayId, uid);
    await desk.deliver(room.lock.id);
    expect(await types()).toEqual([
      ["block_card", "superseded"],
      ["allow_card", "acknowledged"],
    ]);
    expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([true, "revoked"]);
  });

  it("whose writing was never confirmed may be written all the same", async () => {
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid, { confirm: false });
    expect(desk.opens(uid, room.lock.id)).toBe(true);
    expect((await revoke(desk.owner, { cardId, reason: "by_hand" })).state).toBe("revoking");
    await desk.deliver(room.lock.id);
    expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([false, "revoked"]);
  });

  it("ends with the stay once the lock confirms", async () => {
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    await desk.checkOut(stayId);
    expect(await desk.state(cardId)).toBe("revoking");
    await desk.deliver(room.lock.id);
    expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([false, "revoked"]);
  });

  it("ends when a newer one is seen at the door, though nobody reached the lock", async () => {
    const [uid, newer] = [desk.newUid(), desk.newUid()];
    const { cardId } = await desk.issue(stayId, uid);
    await desk.checkOut(stayId);
    await desk.issue(await desk.checkIn(room.roomId), newer);
    expect(await desk.state(cardId)).toBe("revoking");
    expect(await desk.show(newer, room.lock.id)).toBe(true);
    expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([false, "revoked"]);
  });

  it("ends when its time is over, by the clock alone", async () => {
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    await desk.checkOut(stayId);
    world.clock.advance(3 * DAY_MS - 1);
    await settleAll(world.database, desk.bench.scopes);
    expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([true, "revoking"]);
    world.clock.advance(1);
    await settleAll(world.database, desk.bench.scopes);
    expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([false, "revoked"]);
  });

  it("disabled by a newer one opens until that was written, and is told so from then on", async () => {
    const [uid, newer] = [desk.newUid(), desk.newUid()];
    const { cardId } = await desk.issue(stayId, uid);
    const { data, cardId: newId } = await desk.issue(stayId, newer, { disableOldCards: true, confirm: false });
    expect(await atRisk()).toEqual([[cardId, room.lock.id]]);
    expect(await types()).toEqual([]);
    await confirm(desk.owner, { cardId: newId, readBack: data });
    await desk.deliver(room.lock.id);
    expect(await types()).toEqual([["raise_floor", "acknowledged"]]);
    expect([desk.opens(uid, room.lock.id), desk.opens(newer, room.lock.id)]).toEqual([false, true]);
    expect(await desk.state(cardId)).toBe("revoked");
  });

  it("opens no other door with its lock when that is moved", async () => {
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    const elsewhere = await hotel.createRoom("102");
    const { id, mac } = room.lock;
    await save(desk.owner, { id, mac, bluetoothName: "", driver: "mqtt", address: "", roomId: elsewhere });
    expect(await desk.state(cardId)).toBe("revoking");
    expect(await atRisk()).toEqual([[cardId, id]]);
    await desk.deliver(id);
    expect([desk.opens(uid, id), await desk.state(cardId)]).toEqual([false, "revoked"]);
    const next = desk.newUid();
    await desk.issue(await desk.checkIn(elsewhere), next);
    expect(desk.opens(next, id)).toBe(true);
  });
});

describe("a universal card", () => {
  it("lost is refused by every lock, also by those that come later, and no other card dies", async () => {
    const second = await desk.room("102");
    const [uid, other] = [desk.newUid(), desk.newUid()];
    const { cardId } = await desk.issueMaster("universal", uid);
    await desk.issueMaster("universal", other);
    await lose(cardId);
    await desk.deliver(room.lock.id);
    expect(await desk.state(cardId), "one door still opens").toBe("revoking");
    expect(await atRisk()).toEqual([[cardId, second.lock.id]]);
    await desk.deliver(second.lock.id);
    expect(await desk.state(cardId)).toBe("revoked");
    const third = await desk.room("103");
    for (const { lock } of [room, second, third]) {
      expect([desk.opens(uid, lock.id), desk.opens(other, lock.id)]).toEqual([false, true]);
    }
    await desk.issueMaster("universal", uid);
    for (const { lock } of [room, second, third]) await desk.deliver(lock.id);
    for (const { lock } of [room, second, third]) expect(desk.opens(uid, lock.id)).toBe(true);
  });
});

describe("a number that a lock was told to refuse", () => {
  it("is not let in over the air: what is written on it would open again", async () => {
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    await desk.issue(stayId, desk.newUid());
    await lose(cardId);
    const act = () => addOverTheAir(desk.owner, airCardInput.parse({ uid, stayId }));
    await expect(act()).rejects.toMatchObject({ code: "card_in_use" });
    await desk.deliver(room.lock.id);
    await expect(act()).rejects.toMatchObject({ code: "card_in_use" });
  });
});

describe("a lock that was reset", () => {
  it("refuses again the lost one of a party's cards, and opens for the others", async () => {
    const [uid, other] = [desk.newUid(), desk.newUid()];
    const card = await desk.issue(stayId, uid);
    await desk.issue(stayId, other);
    await lose(card.cardId);
    await desk.deliver(room.lock.id);
    await desk.reset(room.lock.id);
    expect([desk.opens(uid, room.lock.id), desk.opens(other, room.lock.id)]).toEqual([false, true]);
    expect(await desk.state(card.cardId)).toBe("revoked");
  });

  it("does not refuse a card that was found and written anew", async () => {
    const [uid, other] = [desk.newUid(), desk.newUid()];
    const { cardId } = await desk.issue(stayId, uid);
    await desk.issue(stayId, other);
    await lose(cardId);
    await desk.deliver(room.lock.id);
    await desk.issue(stayId, uid);
    await desk.deliver(room.lock.id);
    await desk.reset(room.lock.id);
    expect(desk.opens(uid, room.lock.id)).toBe(true);
  });
});
