import { alertsInput } from "@innkey/shared/schemas/messaging";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { type Door, keyRing } from "../../../../test/harness/keys.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { list, markRead, type Notice, raiseAlert, remove, resolveAlerts, unread } from "./alerts.service.ts";

const MINUTE = 60_000;
const capabilities = ["alerts.view", "alerts.manage"];

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let door: Door;
let pool: Door;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
  const keys = keyRing(world, hotel);
  door = await keys.door("101");
  pool = await keys.door("Pool");
});

const raise = (fields: Partial<Notice> = {}) =>
  owner.write((tx) => raiseAlert(owner, tx, { kind: "tamper", lockId: door.lockId, roomId: door.roomId, ...fields }));
const read = (input: object = {}, scope = owner) => list(scope, alertsInput.parse(input));
const only = async () => {
  const { rows } = await read();
  expect(rows).toHaveLength(1);
  return rows[0] ?? expect.fail();
};

describe("alerts", () => {
  it("of one kind and lock are one while they are open, with a count and the latest facts", async () => {
    const since = world.clock.now().toISOString();
    await raise({ kind: "battery_low", params: { power: 15 } });
    world.clock.advance(MINUTE);
    await raise({ kind: "battery_low", params: { power: 9 } });
    expect(await only()).toMatchObject({
      kind: "battery_low",
      lockId: door.lockId,
      roomId: door.roomId,
      roomName: "101",
      params: { power: 9 },
      count: 2,
      firstAt: since,
      lastAt: world.clock.now().toISOString(),
      readAt: null,
      resolvedAt: null,
    });
  });

  it("that were read become unread when the cause is reported an hour later, and not sooner", async () => {
    await raise();
    const { id } = await only();
    expect(await markRead(owner, { ids: [id] })).toEqual({ changed: 1 });
    expect(await unread(owner)).toEqual({ unread: 0 });
    world.clock.advance(59 * MINUTE);
    await raise();
    expect(await unread(owner)).toEqual({ unread: 0 });
    world.clock.advance(2 * MINUTE);
    await raise();
    expect(await unread(owner)).toEqual({ unread: 1 });
  });

  it("are resolved when the cause is gone, and start again when it returns", async () => {
    await raise();
    const resolve = (lockId: number) => owner.write((tx) => resolveAlerts(owner, tx, { kind: "tamper", lockId }));
    expect(await resolve(pool.lockId)).toBe(0);
    expect(await resolve(door.lockId)).toBe(1);
    expect(await resolve(door.lockId)).toBe(0);
    expect(await read()).toEqual({ rows: [], total: 0, unread: 0 });
    await raise();
    expect((await read({ state: "all" })).rows).toMatchObject([{ resolvedAt: null }, { count: 1 }]);
  });

  it("are listed newest first, page by page, by kind on request", async () => {
    for (const kind of ["tamper", "records_lost", "wrong_codes"] as const) {
      await raise({ kind });
      world.clock.advance(MINUTE);
    }
    const first = await read({ pageSize: 2 });
    expect(first).toMatchObject({ rows: [{ kind: "wrong_codes" }, { kind: "records_lost" }], total: 3, unread: 3 });
    expect((await read({ pageSize: 2, page: 2 })).rows).toMatchObject([{ kind: "tamper" }]);
    expect(await read({ kind: "tamper" })).toMatchObject({ rows: [{ kind: "tamper" }], total: 1, unread: 3 });
  });

  it("are removed by hand for good, and the remover is recorded", async () => {
    await raise();
    const { id } = await only();
    expect(await remove(owner, { ids: [id] })).toEqual({ changed: 1 });
    expect(await remove(owner, { ids: [id] })).toEqual({ changed: 0 });
    expect((await read({ state: "all" })).total).toBe(0);
    const entries = await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } });
    expect(entries).toMatchObject([{ action: "alert.remove", entityId: String(id), actorId: owner.actor.id }]);
    await raise();
    expect((await only()).count).toBe(1);
  });

  it("can all be marked as read at once", async () => {
    await raise();
    await raise({ lockId: pool.lockId, roomId: pool.roomId });
    expect(await markRead(owner, { ids: null })).toEqual({ changed: 2 });
    expect(await markRead(owner, { ids: null })).toEqual({ changed: 0 });
  });

  it("are limited to the caller's hotel and rooms", async () => {
    await raise();
    await raise({ lockId: pool.lockId, roomId: pool.roomId });
    await raise({ lockId: null, roomId: null });
    const ids = (await read()).rows.map(({ id }) => id);
    const clerk = await hotel.scope("staff", { capabilities, roomIds: [pool.roomId] });
    expect(await read({}, clerk)).toMatchObject({ rows: [{ lockId: pool.lockId }], total: 1, unread: 1 });
    expect(await unread(clerk)).toEqual({ unread: 1 });
    const other = await (await world.createHotel()).scope();
    expect(await read({}, other)).toEqual({ rows: [], total: 0, unread: 0 });
    expect(await markRead(other, { ids })).toEqual({ changed: 0 });
    expect(await remove(other, { ids })).toEqual({ changed: 0 });
    expect(await markRead(clerk, { ids: null })).toEqual({ changed: 1 });
    expect(await remove(clerk, { ids })).toEqual({ changed: 1 });
    expect(await read()).toMatchObject({ total: 2, unread: 2 });
    const nobody = await hotel.scope("staff", { roomIds: [door.roomId] });
    for (const call of [read({}, nobody), unread(nobody), markRead(nobody, { ids }), remove(nobody, { ids })]) {
      await expect(call).rejects.toMatchObject({ code: "no_permission" });
    }
  });
});
