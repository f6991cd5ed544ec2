import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type CardDesk, createDeskWithGuest, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { scopeFactory, systemScopes } from "../../../kernel/scope.ts";
import { revoke } from "../cards/cards.service.ts";
import { alertPendingRevocations } from "./pending-revocations.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const MINUTE_MS = 60_000;

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

const lock = () => world.database.prisma.lock;
const alerts = () =>
  world.database.prisma.alert.findMany({
    where: { hotelId: hotel.id, kind: "residual_keys" },
    orderBy: { id: "asc" },
  });

async function lose(): Promise<void> {
  const { cardId } = await desk.issue(stayId, desk.newUid());
  await desk.issue(stayId, desk.newUid());
  await revoke(desk.owner, { cardId, reason: "lost" });
}

const silenceLock = () =>
  lock().update({ where: { id: room.lock.id }, data: { online: false, lastSeenAt: world.clock.now() } });

const look = () =>
  alertPendingRevocations(world.database.pool, systemScopes(world.database, scopeFactory(world)), world.clock.now());

it("is raised once for a lock that stays unreachable, and ends when no revoked key may still open", async () => {
  await silenceLock();
  await lose();
  await look();
  expect(await alerts(), "the first minutes without contact").toEqual([]);
  world.clock.advance(6 * MINUTE_MS);
  await look();
  await look();
  expect(await alerts()).toMatchObject([
    { lockId: room.lock.id, roomId: room.roomId, params: { keys: 1 }, count: 1, resolvedAt: null },
  ]);
  await lock().update({ where: { id: room.lock.id }, data: { online: true, lastSeenAt: world.clock.now() } });
  await look();
  expect(await alerts(), "the lock is back, but its keys may still open").toMatchObject([{ resolvedAt: null }]);
  await desk.deliver(room.lock.id);
  await look();
  expect(await alerts()).toMatchObject([{ resolvedAt: world.clock.now() }]);
});

it("counts keys that are revoked later", async () => {
  await silenceLock();
  await lose();
  world.clock.advance(6 * MINUTE_MS);
  await look();
  await lose();
  await look();
  await look();
  expect(await alerts()).toMatchObject([{ params: { keys: 2 }, count: 2 }]);
});

it("is not raised for a lock that answers, nor for one without revoked keys", async () => {
  await lose();
  world.clock.advance(6 * MINUTE_MS);
  await look();
  expect(await alerts()).toEqual([]);
  await desk.deliver(room.lock.id);
  await silenceLock();
  world.clock.advance(6 * MINUTE_MS);
  await look();
  expect(await alerts()).toEqual([]);
});
