import {
  airCardInput,
  prepareCardInput,
  prepareMasterInput,
  prepareRoomCardInput,
} from "@innkey/shared/schemas/access/cards";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createDeskWithGuest, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { listPendingRevocations } from "../credentials/pending-revocations.ts";
import { save } from "../locks/registration.service.ts";
import { addOverTheAir } from "./air-cards.service.ts";
import { listStayCards } from "./cards.queries.ts";
import { confirm, prepare, prepareForRoom, revoke } from "./cards.service.ts";
import { prepareMaster } from "./master.service.ts";
import { settleCardsOfAllHotels } from "./revoke-cards.ts";

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
  ({ hotel, desk, room, stayId } = await createDeskWithGuest(world));
});

const lose = (cardId: number) => revoke(desk.owner, { cardId, reason: "lost" });
const types = async (lockId = room.lock.id) =>
  (await desk.bench.commands(lockId))
    .filter(({ type }) => type !== "configure" && type !== "read_back")
    .map(({ type, state }) => [type, state]);
const cardStatus = async (cardId: number) =>
  (await listStayCards(desk.owner, stayId)).find(({ id }) => id === cardId)?.standing;
const atRisk = async () => (await listPendingRevocations(desk.owner)).map(({ cardId, lockId }) => [cardId, lockId]);

describe("a guest's card", () => {
  it("is refused by its number when it is lost, and its duplicates still open", async () => {
    const [uid, other] = [desk.newUid(), desk.newUid()];
    const card = await desk.issue(stayId, uid);
    await desk.issue(stayId, other);
    expect(await lose(card.cardId)).toEqual({ cardId: card.cardId, state: "revoking" });
    expect(desk.opens(uid, room.lock.id), "before the lock gets the command").toBe(true);
    expect(await atRisk()).toEqual([[card.cardId, room.lock.id]]);
    await desk.deliver(room.lock.id);
    expect(await types()).toEqual([["block_card", "acknowledged"]]);
    expect([desk.opens(uid, room.lock.id), desk.opens(other, room.lock.id)]).toEqual([false, true]);
    expect(await desk.state(card.cardId)).toBe("revoked");
    expect(await atRisk()).toEqual([]);
  });

  it("raises the minimum sequence when the only one is lost, and can be written again at once", async () => {
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    await lose(cardId);
    await desk.deliver(room.lock.id);
    expect(await types()).toEqual([["raise_floor", "acknowledged"]]);
    expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([false, "revoked"]);
    await desk.issue(stayId, uid);
    expect(desk.opens(uid, room.lock.id)).toBe(true);
  });

  it("that was found opens again only after it was rewritten", async () => {
    const [uid, other] = [desk.newUid(), desk.newUid()];
    const { cardId } = await desk.issue(stayId, uid);
    await desk.issue(stayId, other);
    await lose(cardId);
    await desk.deliver(room.lock.id);
    const old = desk.chips.get(uid);
    const again = await desk.issue(stayId, uid, { confirm: false });
    desk.chips.set(uid, old ?? { uid, data: null, cardId });
    await desk.deliver(room.lock.id);
    expect(desk.opens(uid, room.lock.id), "prepared, but not written").toBe(false);
    await revoke(desk.owner, { cardId: again.cardId, reason: "by_hand" });
    await desk.issue(stayId, uid);
    await desk.deliver(room.lock.id);
    expect((await types()).at(-1)).toEqual(["allow_card", "acknowledged"]);
    expect(desk.opens(uid, room.lock.id)).toBe(true);
  });

  it("that was found before its lock heard of the loss opens again when it is rewritten", async () => {
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

  it("is revoked at the lock even if its writing was never confirmed", async () => {
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

  it("ends when a newer card is seen at the door, even if the lock was never reached", async () => {
    const [uid, newer] = [desk.newUid(), desk.newUid()];
    const { cardId } = await desk.issue(stayId, uid);
    await desk.checkOut(stayId);
    await desk.issue(await desk.checkIn(room.roomId), newer);
    expect(await desk.state(cardId)).toBe("revoking");
    expect(await desk.presentCard(newer, room.lock.id)).toBe(true);
    expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([false, "revoked"]);
  });

  it("ends when its time is over by the clock of a lock that stayed silent", async () => {
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    await desk.checkOut(stayId);
    world.clock.advance(3 * DAY_MS - 1);
    await settleCardsOfAllHotels(world.database, desk.bench.scopes);
    expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([true, "revoking"]);
    world.clock.advance(1);
    await settleCardsOfAllHotels(world.database, desk.bench.scopes);
    expect([desk.opens(uid, room.lock.id), await desk.state(cardId)]).toEqual([false, "revoking"]);
    // Three days offline, less the first: the lock's clock may be 48 s slow.
    world.clock.advance(48_000);
    await settleCardsOfAllHotels(world.database, desk.bench.scopes);
    expect(await desk.state(cardId)).toBe("revoked");
  });

  it("disabled by a newer card opens until that one is written, and is revoked at the lock then", async () => {
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

  it("opens no other door when its lock is moved", async () => {
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

describe("a revoked card", () => {
  let free: DeskRoom;
  const uid = "C0FFEE11";
  const issueFor = async (number: string, minutes: number): Promise<number> => {
    const validTo = new Date(world.clock.now().getTime() + minutes * 60_000).toISOString();
    const input = prepareRoomCardInput.parse({ roomId: free.roomId, uid: number, validTo, overwrite: true });
    const card = await prepareForRoom(desk.owner, input);
    desk.chips.set(number, { uid: number, data: card.data, cardId: card.cardId });
    await confirm(desk.owner, { cardId: card.cardId, readBack: card.data });
    return card.cardId;
  };
  /** the lost card's own five-day record; its lock refuses it by number, while a duplicate still opens */
  let lost: { cardId: number; chip: { uid: string; data: string | null; cardId: number } };
  const opensLost = (): boolean => {
    desk.chips.set(uid, lost.chip);
    return desk.opens(uid, free.lock.id);
  };

  beforeEach(async () => {
    free = await desk.room("102");
    const cardId = await issueFor(uid, 5 * 24 * 60);
    lost = { cardId, chip: desk.chips.get(uid) as (typeof lost)["chip"] };
    await issueFor("C0FFEE12", 5 * 24 * 60);
    await lose(cardId);
    await desk.deliver(free.lock.id);
    expect([opensLost(), await desk.state(cardId)]).toEqual([false, "revoked"]);
  });

  it("stays refused after a shorter card with its number was written and taken back", async () => {
    const short = await issueFor(uid, 4);
    const own = desk.chips.get(uid);
    await desk.deliver(free.lock.id);
    expect(opensLost(), "while the shorter card is valid").toBe(false);
    if (own) desk.chips.set(uid, own);
    expect(desk.opens(uid, free.lock.id), "the shorter card").toBe(true);
    await lose(short);
    await desk.deliver(free.lock.id);
    expect(await desk.state(short)).toBe("revoked");
    world.clock.advance(10 * 60_000);
    expect(opensLost()).toBe(false);
    await desk.reset(free.lock.id);
    expect(opensLost(), "at a lock that was reset").toBe(false);
  });

  it("stays refused after a shorter card with its number expired", async () => {
    await issueFor(uid, 4);
    await desk.deliver(free.lock.id);
    world.clock.advance(10 * 60_000);
    await settleCardsOfAllHotels(world.database, desk.bench.scopes);
    expect(opensLost()).toBe(false);
    await desk.reset(free.lock.id);
    expect(opensLost()).toBe(false);
  });

  it.each(["management", "universal"] as const)("stays refused when its number becomes a %s card", async (kind) => {
    const { cardId } = await desk.issueMaster(kind, uid, { roomIds: kind === "management" ? [free.roomId] : [] });
    await desk.deliver(free.lock.id);
    expect(desk.opens(uid, free.lock.id)).toBe(true);
    expect(opensLost()).toBe(false);
    await lose(cardId);
    await desk.deliver(free.lock.id);
    expect(opensLost()).toBe(false);
  });

  it("stays blocked when a shorter card of the same number is waiting to be blocked, and the other way round", async () => {
    const short = await issueFor(uid, 4);
    await lose(short);
    await desk.deliver(free.lock.id);
    world.clock.advance(10 * 60_000);
    expect(opensLost()).toBe(false);
  });
});

describe("a universal card", () => {
  it("in use is overwritten only with confirmation", async () => {
    const uid = desk.newUid();
    const { cardId } = await desk.issueMaster("universal", uid);
    const ask = (fields: object = {}) => prepare(desk.owner, prepareCardInput.parse({ stayId, uid, ...fields }));
    const refusal = { code: "card_of_house", params: { kind: "universal" } };
    await expect(ask()).rejects.toMatchObject(refusal);
    const master = prepareMasterInput.parse({ kind: "management", uid, note: "x", roomIds: [room.roomId] });
    await expect(prepareMaster(desk.owner, master)).rejects.toMatchObject(refusal);
    expect(await desk.state(cardId)).toBe("active");
    await expect(ask({ overwrite: true })).resolves.toMatchObject({ uid });
    expect(await desk.state(cardId)).toBe("revoking");
  });

  it("that is lost is refused by every lock, including later ones, and no other card ends", async () => {
    const second = await desk.room("102");
    const [uid, other] = [desk.newUid(), desk.newUid()];
    const { cardId } = await desk.issueMaster("universal", uid);
    await desk.issueMaster("universal", other);
    for (const { lock } of [room, second]) await desk.deliver(lock.id);
    for (const { lock } of [room, second]) expect(desk.opens(uid, lock.id)).toBe(true);
    await lose(cardId);
    await desk.deliver(room.lock.id);
    expect(await desk.state(cardId), "it still opens one door").toBe("revoking");
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

describe("a card reported as overwritten", () => {
  const clerkOf = (roomId: number) =>
    hotel.scope("staff", { capabilities: ["cards.issue", "cards.view", "stays.view"], roomIds: [roomId] });

  it("at another door may still open there until that lock confirms, whoever reports it", async () => {
    const other = await desk.room("102");
    const uid = desk.newUid();
    const otherCard = await desk.issue(await desk.checkIn(other.roomId), uid);
    await lose(otherCard.cardId);
    expect(await atRisk()).toEqual([[otherCard.cardId, other.lock.id]]);
    const clerk = await clerkOf(room.roomId);
    // No card or reader is involved: the client reports the server's own answer as read back.
    const { cardId, data } = await prepare(clerk, prepareCardInput.parse({ stayId, uid }));
    await confirm(clerk, { cardId, readBack: data });
    expect(await desk.state(otherCard.cardId)).toBe("revoking");
    const [row] = await listPendingRevocations(desk.owner);
    expect(row).toMatchObject({ cardId: otherCard.cardId, lockId: other.lock.id, overwrittenAt: NOW });
    await desk.deliver(other.lock.id);
    expect([await desk.state(otherCard.cardId), await atRisk()]).toEqual(["revoked", []]);
  });

  it("by a card for another door is refused at the old door", async () => {
    const other = await desk.room("102");
    const uid = desk.newUid();
    const before = await desk.issue(await desk.checkIn(other.roomId), uid);
    const old = desk.chips.get(uid);
    const input = prepareCardInput.parse({ stayId, uid, overwrite: true });
    const after = await prepare(desk.owner, input);
    await confirm(desk.owner, { cardId: after.cardId, readBack: after.data });
    expect(await desk.state(before.cardId)).toBe("revoking");
    await desk.deliver(other.lock.id);
    if (old) desk.chips.set(uid, old);
    expect([desk.opens(uid, other.lock.id), await desk.state(before.cardId)]).toEqual([false, "revoked"]);
  });
});

describe("a card that belongs to another guest", () => {
  it("is overwritten only with confirmation, and is then taken back", async () => {
    const other = await desk.room("102");
    const uid = desk.newUid();
    const otherCard = await desk.issue(await desk.checkIn(other.roomId), uid);
    const ask = (fields: object = {}) => prepare(desk.owner, prepareCardInput.parse({ stayId, uid, ...fields }));
    await expect(ask()).rejects.toMatchObject({
      code: "card_of_guest",
      params: { kind: "guest", guestName: expect.stringContaining("Holder"), roomName: "102" },
    });
    expect(await desk.state(otherCard.cardId)).toBe("active");
    const master = (fields: object) =>
      prepareMaster(desk.owner, prepareMasterInput.parse({ kind: "universal", uid, note: "x", ...fields }));
    await expect(master({})).rejects.toMatchObject({ code: "card_of_guest" });
    const forRoom = prepareRoomCardInput.parse({ roomId: room.roomId, uid });
    await expect(prepareForRoom(desk.owner, forRoom)).rejects.toMatchObject({ code: "card_of_guest" });
    await expect(ask({ overwrite: true })).resolves.toMatchObject({ uid });
    expect(await desk.state(otherCard.cardId)).toBe("revoking");
  });

  it("needs no confirmation for the same stay, nor when it has expired or was taken back", async () => {
    const uid = desk.newUid();
    const first = await desk.issue(stayId, uid);
    await expect(desk.issue(stayId, uid)).resolves.toMatchObject({ uid });
    await desk.checkOut(stayId);
    expect(await desk.state(first.cardId)).not.toBe("active");
    await expect(desk.issue(await desk.checkIn(room.roomId), uid)).resolves.toMatchObject({ uid });
  });

  it("hides its holder from those who cannot see stays, and everything about rooms that are not theirs", async () => {
    const other = await desk.room("102");
    const uid = desk.newUid();
    await desk.issue(await desk.checkIn(other.roomId), uid);
    const clerk = (roomIds: number[]) => hotel.scope("staff", { capabilities: ["cards.issue"], roomIds });
    const input = prepareCardInput.parse({ stayId, uid });
    await expect(prepare(await clerk([room.roomId, other.roomId]), input)).rejects.toMatchObject({
      code: "card_of_guest",
      params: { kind: "room", guestName: "–", roomName: "102" },
    });
    await expect(prepare(await clerk([room.roomId]), input)).rejects.toMatchObject({ code: "card_in_use", params: {} });
  });
});

describe("a number that a lock refuses", () => {
  it("cannot become an over-the-air card, because the old record would open again", async () => {
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
  it("refuses a party's lost card again, and opens for the others", async () => {
    const [uid, other] = [desk.newUid(), desk.newUid()];
    const card = await desk.issue(stayId, uid);
    await desk.issue(stayId, other);
    await lose(card.cardId);
    await desk.deliver(room.lock.id);
    await desk.reset(room.lock.id);
    expect([desk.opens(uid, room.lock.id), desk.opens(other, room.lock.id)]).toEqual([false, true]);
    expect(await desk.state(card.cardId)).toBe("revoked");
  });

  it("does not refuse a card that was found and rewritten", async () => {
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

  it("shows its cards as unconfirmed until it has its keys again", async () => {
    const card = await desk.issue(stayId, desk.newUid());
    const { lock } = room;
    await desk.bench.status(lock, "online", { log: "log-1" });
    await desk.deliver(lock.id);
    expect(await cardStatus(card.cardId)).toBe("active");
    await desk.bench.status(lock, "online", { log: "log-2" });
    expect(await cardStatus(card.cardId)).toBe("pending");
    await desk.deliver(lock.id);
    expect(await cardStatus(card.cardId)).toBe("active");
  });

  it("opens for the current party although a card for the next one was written already", async () => {
    const uid = desk.newUid();
    await desk.issue(stayId, uid);
    const validFrom = new Date(Date.parse(NOW) + 4 * DAY_MS).toISOString();
    const validTo = new Date(Date.parse(NOW) + 5 * DAY_MS).toISOString();
    const next = await prepareForRoom(
      desk.owner,
      prepareRoomCardInput.parse({ uid: desk.newUid(), roomId: room.roomId, validFrom, validTo }),
    );
    await confirm(desk.owner, { cardId: next.cardId, readBack: next.data });
    await desk.deliver(room.lock.id);
    expect(desk.opens(uid, room.lock.id)).toBe(true);
    await desk.reset(room.lock.id);
    expect(desk.opens(uid, room.lock.id)).toBe(true);
  });
});

describe("a lost card that was found and rewritten", () => {
  it("is not active until its lock has allowed it again", async () => {
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    await desk.issue(stayId, desk.newUid());
    await lose(cardId);
    await desk.deliver(room.lock.id);
    const anew = await desk.issue(stayId, uid);
    expect([desk.opens(uid, room.lock.id), await cardStatus(anew.cardId)]).toEqual([false, "pending"]);
    await desk.deliver(room.lock.id);
    expect([desk.opens(uid, room.lock.id), await cardStatus(anew.cardId)]).toEqual([true, "active"]);
  });
});
