import type { DomainError } from "@innkey/shared/errors";
import { prepareSpareInput } from "@innkey/shared/schemas/access/cards";
import { alertsInput } from "@innkey/shared/schemas/messaging";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { list as listAlerts } from "../../messaging/alerts/alerts.service.ts";
import { listPendingRevocations } from "../credentials/pending-revocations.ts";
import { UnlockIngest } from "../unlocks/ingest.ts";
import { list as listRoomRecords } from "../unlocks/unlocks.queries.ts";
import { whoEntered } from "../unlocks/who-entered.queries.ts";
import { confirm, prepareForRoom, revoke } from "./cards.service.ts";
import { listSpares, prepareSpare } from "./spare-cards.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const DAY = 86_400_000;

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let other: DeskRoom;
let ingest: UnlockIngest;
let seq = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  room = await desk.room("301");
  other = await desk.room("302");
  ingest = new UnlockIngest({ database: world.database, clock: world.clock, log: { info: vi.fn() } });
  seq = 0;
});

const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "done",
    (error: DomainError) => error.code,
  );

async function issueSpare({ roomId } = room, { months = 6, uid = desk.newUid(), scope = desk.owner } = {}) {
  const card = await prepareSpare(scope, prepareSpareInput.parse({ roomId, uid, months }));
  const others = card.others.map(({ data }) => data);
  desk.chips.set(card.uid, { uid: card.uid, data: card.data, others, cardId: card.cardId });
  await confirm(scope, { cardId: card.cardId, readBack: card.data });
  return card;
}

/** Presents the card at the lock, which reports the opening with the sequence of its record. */
async function use(uid: string, { lock }: DeskRoom = room): Promise<boolean> {
  const isOpened = desk.opens(uid, lock.id);
  const cardId = desk.chips.get(uid)?.cardId ?? 0;
  const { sequence } = await world.database.prisma.card.findUniqueOrThrow({ where: { id: cardId } });
  if (!(await desk.presentCard(uid, lock.id))) return isOpened;
  seq += 1;
  const credential = { kind: "card" as const, uid, sequence };
  const event = { seq, at: world.clock.now().toISOString(), style: "card" as const, success: true, credential };
  await ingest.events({ hotelId: hotel.id, mac: lock.mac }, [event], null);
  return isOpened;
}

const stateOf = async (label: string) => {
  const { rooms } = await listSpares(desk.owner);
  return rooms.flatMap(({ cards }) => cards).find((card) => card.label === label)?.state;
};
const roomOf = async ({ roomId } = room) => (await listSpares(desk.owner)).rooms.find((row) => row.roomId === roomId);

describe("a spare card", () => {
  it("opens its room without the lock having heard of it, ends the guest's cards there, and opens no other door", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const guest = desk.newUid();
    await desk.issue(stayId, guest);
    const spare = await issueSpare();
    expect(desk.opens(guest, room.lock.id), "in the drawer it ends nothing").toBe(true);
    expect(await use(spare.uid)).toBe(true);
    expect([guest, spare.uid].map((uid) => desk.opens(uid, room.lock.id))).toEqual([false, true]);
    expect(desk.opens(spare.uid, other.lock.id)).toBe(false);
    expect(await stateOf("301/1")).toBe("used");
  });

  it("stays sealed while the party gets more cards, leaves, and the room is empty", async () => {
    const stayId = await desk.checkIn(room.roomId);
    await desk.issue(stayId, desk.newUid());
    const spare = await issueSpare();
    await desk.issue(stayId, desk.newUid());
    await desk.checkOut(stayId);
    await desk.deliver(room.lock.id);
    expect(await stateOf("301/1")).toBe("sealed");
    expect(desk.opens(spare.uid, room.lock.id)).toBe(true);
  });

  it("is void once a later party's card is encoded, and the list says that the room needs a new one", async () => {
    const spare = await issueSpare();
    expect(await roomOf()).toMatchObject({ needsCard: false, cards: [{ label: "301/1", state: "sealed" }] });
    const guest = desk.newUid();
    await desk.issue(await desk.checkIn(room.roomId), guest);
    expect(await roomOf()).toMatchObject({ needsCard: true, cards: [{ state: "void", mayStillOpen: true }] });
    expect(await listPendingRevocations(desk.owner)).toMatchObject([{ cardId: spare.cardId, reason: "superseded" }]);
    await desk.deliver(room.lock.id);
    expect([spare.uid, guest].map((uid) => desk.opens(uid, room.lock.id))).toEqual([false, true]);
    expect(await roomOf()).toMatchObject({ needsCard: true, cards: [{ state: "void", mayStillOpen: false }] });
    await issueSpare();
    expect(await roomOf()).toMatchObject({ needsCard: false, cards: [{ label: "301/2", state: "sealed" }] });
    expect(await roomOf(other)).toMatchObject({ needsCard: false, cards: [] });
  });

  it("is ended at the lock by the later card alone, without a network", async () => {
    const spare = await issueSpare();
    const guest = desk.newUid();
    await desk.issue(await desk.checkIn(room.roomId), guest);
    expect(desk.opens(spare.uid, room.lock.id)).toBe(true);
    expect(await use(guest)).toBe(true);
    expect(desk.opens(spare.uid, room.lock.id)).toBe(false);
  });

  it("has a number of its own in each room, and a later one ends the earlier when it is used", async () => {
    const cards = [await issueSpare(), await issueSpare(), await issueSpare(other)];
    expect(cards.map(({ label }) => label)).toEqual(["301/1", "301/2", "302/1"]);
    expect(await use(cards[1]?.uid ?? "")).toBe(true);
    expect(desk.opens(cards[0]?.uid ?? "", room.lock.id)).toBe(false);
    expect(await stateOf("301/1")).toBe("void");
  });

  it("keeps its number when its writing failed and is repeated", async () => {
    const uid = desk.newUid();
    await prepareSpare(desk.owner, prepareSpareInput.parse({ roomId: room.roomId, uid, months: 1 }));
    expect((await issueSpare(room, { uid })).label).toBe("301/1");
    expect((await roomOf())?.cards.map(({ label }) => label)).toEqual(["301/1"]);
  });

  it("is valid for the months chosen, at most twelve", async () => {
    const spare = await issueSpare(room, { months: 1 });
    expect(spare.validTo?.slice(0, 10)).toBe("2026-12-18");
    world.clock.advance(31 * DAY);
    expect(desk.opens(spare.uid, room.lock.id)).toBe(false);
    expect(await roomOf()).toMatchObject({ needsCard: true, cards: [{ state: "expired" }] });
    for (const months of [0, 13])
      expect(prepareSpareInput.safeParse({ roomId: 1, uid: "11223344", months }).success).toBe(false);
  });

  it("raises an alert with each opening, and stands in the records and in Who entered by its label", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const spare = await issueSpare();
    await use(spare.uid);
    await use(spare.uid);
    const { rows } = await listAlerts(desk.owner, alertsInput.parse({}));
    expect(rows).toMatchObject([{ kind: "spare_opened", roomName: "301", count: 2, params: { card: "301/1" } }]);
    world.clock.advance(1000);
    const { rooms } = await whoEntered(desk.owner, stayId);
    expect(rooms[0]?.entries.map(({ who, name }) => [who, name])).toEqual([
      ["spare", "301/1"],
      ["spare", "301/1"],
    ]);
    const { records } = await listRoomRecords(desk.owner, { roomId: room.roomId, limit: 5 });
    expect(records[0]).toMatchObject({ spareCard: "301/1", holder: null, success: true });
  });

  it("that somebody used ends when the party checks out, and when the next one arrives", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const [first, second] = [await issueSpare(), await issueSpare()];
    await use(first.uid);
    await desk.checkOut(stayId);
    await desk.deliver(room.lock.id);
    expect([first, second].map(({ uid }) => desk.opens(uid, room.lock.id))).toEqual([false, true]);
    expect(await stateOf("301/2")).toBe("sealed");
    await use(second.uid);
    world.clock.advance(DAY);
    await desk.checkIn(room.roomId);
    await desk.deliver(room.lock.id);
    expect(desk.opens(second.uid, room.lock.id)).toBe(false);
  });

  it("is revoked by hand, and another card without a stay neither shares its sequence nor keeps it sealed", async () => {
    const spare = await issueSpare();
    await revoke(desk.owner, { cardId: spare.cardId, reason: "lost" });
    await desk.deliver(room.lock.id);
    expect(desk.opens(spare.uid, room.lock.id)).toBe(false);
    expect(await roomOf()).toMatchObject({ needsCard: false, cards: [{ state: "revoked" }] });
    await issueSpare();
    const period = { validFrom: null, validTo: "2026-11-20T12:00:00.000Z" };
    const input = { roomId: room.roomId, uid: desk.newUid(), overwrite: false, note: "", disableOldCards: false };
    await prepareForRoom(desk.owner, { ...input, ...period });
    expect(await stateOf("301/2")).toBe("void");
  });

  it("is written, listed, revoked and overwritten only by who may encode staff cards", async () => {
    const spare = await issueSpare();
    const clerk = await hotel.scope("staff", { capabilities: ["cards.view", "cards.issue"], roomIds: [room.roomId] });
    const input = { roomId: room.roomId, uid: desk.newUid(), months: 6 };
    expect(await codeOf(prepareSpare(clerk, prepareSpareInput.parse(input)))).toBe("no_permission");
    expect(await codeOf(listSpares(clerk))).toBe("no_permission");
    expect(await codeOf(revoke(clerk, { cardId: spare.cardId, reason: "lost" }))).toBe("not_found");
    const overwriting = { roomId: room.roomId, uid: spare.uid, overwrite: true, note: "", disableOldCards: false };
    const period = { validFrom: null, validTo: "2026-11-20T12:00:00.000Z" };
    expect(await codeOf(prepareForRoom(clerk, { ...overwriting, ...period }))).toBe("card_in_use");
    expect((await listSpares(await hotel.scope("administrator"))).rooms).toHaveLength(2);
  });

  it("is nothing to another hotel", async () => {
    const spare = await issueSpare();
    const stranger = await (await world.createHotel()).scope("owner");
    const input = { roomId: room.roomId, uid: desk.newUid(), months: 6 };
    expect(await codeOf(prepareSpare(stranger, prepareSpareInput.parse(input)))).toBe("not_found");
    expect(await codeOf(revoke(stranger, { cardId: spare.cardId, reason: "lost" }))).toBe("not_found");
    expect((await listSpares(stranger)).rooms.flatMap(({ cards }) => cards)).toEqual([]);
  });

  it("is not overwritten by the next one without a question", async () => {
    const spare = await issueSpare();
    const again = { roomId: room.roomId, uid: spare.uid, months: 6 };
    expect(await codeOf(prepareSpare(desk.owner, prepareSpareInput.parse(again)))).toBe("card_of_guest");
    expect(await codeOf(prepareSpare(desk.owner, prepareSpareInput.parse({ ...again, overwrite: true })))).toBe("done");
  });
});
