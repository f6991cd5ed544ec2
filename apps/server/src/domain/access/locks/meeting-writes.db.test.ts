import { airCardInput, cardHoursInput, cardRoomsInput } from "@innkey/shared/schemas/access/cards";
import { lockInput, replaceLockInput } from "@innkey/shared/schemas/access/locks";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { changeRoomInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { scopeFactory, systemScopes } from "../../../kernel/scope.ts";
import { changeRoom } from "../../desk/public.ts";
import { addOverTheAir } from "../cards/air-cards.service.ts";
import { revoke } from "../cards/cards.service.ts";
import { setHours, setRooms } from "../cards/master.service.ts";
import * as passcodes from "../passcodes/passcodes.service.ts";
import { fitZoneKeysOfAllHotels } from "../zones/zone-jobs.ts";
import * as registration from "./registration.service.ts";
import { replace } from "./replace-lock.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const MAC = "A4:C1:38:00:1F:2B";

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let other: DeskRoom;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  room = await desk.room("101");
  other = await desk.room("102");
});

const exchange = () =>
  replace(desk.owner, replaceLockInput.parse({ lockId: room.lock.id, mac: MAC, isOffDoor: true }), {
    brokerUrl: "mqtt://192.0.2.1:1883",
  });
const reportLost = (cardId: number) => revoke(desk.owner, { cardId, reason: "lost" });
const code = (stayId: number) =>
  passcodes.create(
    desk.owner,
    createPasscodeInput.parse({ type: "air", roomIds: [room.roomId], stayId, person: "Ann" }),
  );
const liveKeys = (where: object) =>
  world.database.prisma.credential.findMany({
    where: { hotelId: hotel.id, state: { notIn: ["revoking", "revoked"] }, ...where },
    include: { lock: true },
  });
const staffCard = async () => {
  const card = await desk.issueMaster("management", desk.newUid(), { roomIds: [room.roomId] });
  await desk.deliver(room.lock.id);
  return card.cardId;
};

type Act = () => Promise<unknown>;

/** Waits until at least so many statements of the test's database wait for a row. */
const untilWaiting = (count: number) =>
  expect
    .poll(async () => {
      const { rows } = await world.database.pool.query<{ waiting: number }>(
        "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0]?.waiting ?? 0;
    })
    .toBeGreaterThanOrEqual(count);

/** Begins one write and then another while the row of the room's lock is not free, and lets both go on. */
async function meet(first: Act, second: Act): Promise<PromiseSettledResult<unknown>[]> {
  const blocker = await world.database.pool.connect();
  try {
    await blocker.query("BEGIN");
    await blocker.query("SELECT id FROM lock WHERE id = $1 FOR UPDATE", [room.lock.id]);
    const begun = first();
    await untilWaiting(1);
    const both = Promise.allSettled([begun, second()]);
    await untilWaiting(2);
    await blocker.query("ROLLBACK");
    return await both;
  } finally {
    blocker.release();
  }
}

describe.each(["first", "second"])("when the end of the key begins %s", (turn) => {
  const inTurn = (end: Act, grant: Act) => (turn === "first" ? meet(end, grant) : meet(grant, end));

  it("a card that is reported lost while its lock is replaced opens neither lock", async () => {
    const cardId = await staffCard();
    await inTurn(() => reportLost(cardId), exchange);
    expect(await liveKeys({ cardId })).toEqual([]);
  });

  it("a card that is reported lost while its hours or doors change opens nothing", async () => {
    const first = await staffCard();
    const hours = [{ days: [1], from: "08:00", to: "12:00" }];
    await inTurn(
      () => reportLost(first),
      () => setHours(desk.owner, cardHoursInput.parse({ cardId: first, hours })),
    );
    const second = await staffCard();
    const doors = { roomIds: [other.roomId], doorIds: [], groupIds: [], zoneIds: [] };
    await inTurn(
      () => reportLost(second),
      () => setRooms(desk.owner, cardRoomsInput.parse({ cardId: second, ...doors })),
    );
    expect(await liveKeys({ kind: "card" })).toEqual([]);
  });

  it("a code ends with its stay while the lock is replaced", async () => {
    const stayId = await desk.checkIn(room.roomId);
    await code(stayId);
    await desk.deliver(room.lock.id);
    await inTurn(() => desk.checkOut(stayId), exchange);
    expect(await liveKeys({ stayId })).toEqual([]);
  });

  it("a code moves with its stay while the lock is replaced", async () => {
    const stayId = await desk.checkIn(room.roomId);
    await code(stayId);
    await desk.deliver(room.lock.id);
    const move = { stayId, roomId: other.roomId, confirmDirty: true };
    await inTurn(() => changeRoom(desk.owner, changeRoomInput.parse(move)), exchange);
    expect((await liveKeys({ stayId })).map(({ lockId }) => lockId)).toEqual([other.lock.id]);
  });

  it("a bracelet made while the lock is replaced opens the new lock and not the former one", async () => {
    const bracelet = { uid: desk.newUid(), roomIds: [room.roomId], validTo: "2026-11-19T14:00:00.000Z" };
    const outcomes = await inTurn(() => addOverTheAir(desk.owner, airCardInput.parse(bracelet)), exchange);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect((await liveKeys({ kind: "card" })).map(({ lock }) => [lock.mac, lock.roomId])).toEqual([[MAC, room.roomId]]);
  });
});

it("doesn't grant a card to a door's first lock while the card is reported lost", async () => {
  const { cardId } = await desk.issueMaster("emergency", desk.newUid(), { allDoors: true });
  await desk.deliver(room.lock.id);
  const roomId = await hotel.createRoom("103");
  await Promise.all([
    reportLost(cardId),
    registration.save(desk.owner, lockInput.parse({ mac: "A4:C1:38:00:1F:2D", roomId })),
  ]);
  expect(await liveKeys({ cardId })).toEqual([]);
});

it("revokes whatever is live of a card or stay that ended, and at a lock that was removed", async () => {
  const { database } = world;
  const stayId = await desk.checkIn(room.roomId);
  await code(stayId);
  await desk.deliver(room.lock.id);
  const cardId = await staffCard();
  const keys = await liveKeys({});
  await desk.checkOut(stayId);
  await reportLost(cardId);
  const spare = await desk.issueMaster("management", desk.newUid(), { roomIds: [other.roomId] });
  await database.prisma.lock.update({
    where: { id: other.lock.id },
    data: { deletedAt: world.clock.now(), roomId: null },
  });
  await database.prisma.credential.updateMany({
    where: { id: { in: keys.map(({ id }) => id) } },
    data: { state: "confirmed", revokedAt: null, revokeReason: null },
  });
  expect(await liveKeys({})).toHaveLength(3);
  await fitZoneKeysOfAllHotels(database, systemScopes(database, scopeFactory(world)));
  expect(await liveKeys({})).toEqual([]);
  const ended = await database.prisma.credential.findMany({ where: { hotelId: hotel.id }, orderBy: { id: "asc" } });
  expect(ended.map((key) => [key.cardId, key.revokeReason])).toEqual([
    [null, "checked_out"],
    [cardId, "lost"],
    [spare.cardId, "lock_moved"],
  ]);
});
