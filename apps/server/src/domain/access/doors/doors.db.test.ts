import { DomainError } from "@innkey/shared/errors";
import { doorInput } from "@innkey/shared/schemas/access/doors";
import { lockInput } from "@innkey/shared/schemas/access/locks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { createLogger } from "../../../adapters/telemetry/logger.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { list as listAlerts } from "../../messaging/alerts/alerts.service.ts";
import { raiseAlert } from "../../messaging/public.ts";
import * as air from "../cards/air-cards.service.ts";
import * as lockQueries from "../locks/locks.queries.ts";
import * as registration from "../locks/registration.service.ts";
import { UnlockIngest } from "../unlocks/ingest.ts";
import { listHotelRecords } from "../unlocks/unlocks.queries.ts";
import * as doors from "./doors.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const MAC = "A4:C1:38:00:1F:2B";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
});

const save = (fields: object, scope = owner) => doors.save(scope, doorInput.parse({ kind: "entrance", ...fields }));
const refusal = (act: Promise<unknown>): Promise<string | null> =>
  act.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return error.code;
    },
  );

/** Registers a lock that is on no door, as set up and online. */
async function spareLock(mac = MAC): Promise<number> {
  const { lockId } = await registration.save(owner, lockInput.parse({ mac }));
  await world.database.prisma.lock.update({ where: { id: lockId }, data: { online: true, configuredAt: owner.now() } });
  return lockId;
}

describe("a common door", () => {
  it("is listed with its lock, and the lock with the door's name", async () => {
    const lockId = await spareLock();
    const { doorId } = await save({ name: "Entrance", lockId });
    expect(await doors.list(owner)).toMatchObject([
      { id: doorId, name: "Entrance", kind: "entrance", lock: { id: lockId, mac: MAC, online: true } },
    ]);
    expect(await lockQueries.list(owner)).toMatchObject([{ id: lockId, roomId: null, doorId, roomName: "Entrance" }]);
  });

  it("keeps its lock when it is renamed, and is renamed in the list of locks", async () => {
    const lockId = await spareLock();
    const { doorId } = await save({ name: "Entrance", lockId });
    await save({ id: doorId, name: "Main entrance", lockId });
    expect(await lockQueries.list(owner)).toMatchObject([{ doorId, roomName: "Main entrance" }]);
  });

  it("can't have the name of another one, in any case, but that of one that was removed", async () => {
    const { doorId } = await save({ name: "Gym" });
    expect(await refusal(save({ name: "gym" }))).toBe("name_taken");
    await doors.remove(owner, { doorId });
    expect(await refusal(save({ name: "gym" }))).toBeNull();
  });

  it("can't take a lock from a room or from another common door", async () => {
    const roomId = await hotel.createRoom("101");
    const { lockId } = await registration.save(owner, lockInput.parse({ mac: MAC, roomId }));
    expect(await refusal(save({ name: "Gym", lockId }))).toBe("lock_in_use");
    const other = await spareLock("A4:C1:38:00:1F:2C");
    await save({ name: "Entrance", lockId: other });
    const taken = save({ name: "Gym", lockId: other });
    const fields = { lockId: { key: "validation.lockOnDoor", params: { roomName: "Entrance" } } };
    await expect(taken).rejects.toMatchObject({ code: "lock_in_use", fields });
    expect(await lockQueries.list(owner)).toHaveLength(2);
  });

  it("loses its lock to a room that the lock is put on", async () => {
    const roomId = await hotel.createRoom("101");
    const lockId = await spareLock();
    const { doorId } = await save({ name: "Gym", lockId });
    await registration.save(owner, lockInput.parse({ id: lockId, mac: MAC, roomId }));
    expect(await doors.list(owner)).toMatchObject([{ id: doorId, lock: null }]);
    expect(await lockQueries.list(owner)).toMatchObject([{ id: lockId, roomId, doorId: null, roomName: "101" }]);
  });

  it("keeps its lock when only the lock's data are changed", async () => {
    const lockId = await spareLock();
    const { doorId } = await save({ name: "Gym", lockId });
    await registration.save(owner, lockInput.parse({ id: lockId, mac: MAC, bluetoothName: "Gym lock" }));
    expect(await lockQueries.list(owner)).toMatchObject([{ id: lockId, doorId }]);
  });

  it("opens for a universal card, and no longer once its lock is taken off", async () => {
    const lockId = await spareLock();
    const { doorId } = await save({ name: "Gym" });
    const { cardId } = await air.register(owner, {
      kind: "universal",
      uid: "DA3CBC66",
      note: "Master",
      validFrom: null,
      validTo: null,
    });
    await air.grantCard(owner, { cardId, roomIds: [], validFrom: null, validTo: null, permanent: true });
    await save({ id: doorId, name: "Gym", lockId });
    const credential = { where: { cardId, lockId } };
    expect(await world.database.prisma.credential.findFirst(credential)).toMatchObject({
      state: "queued",
      roomId: null,
    });
    await save({ id: doorId, name: "Gym", lockId: null });
    expect(await world.database.prisma.credential.findFirst(credential)).toMatchObject({ state: "revoked" });
  });

  it("is told in its records what it was called when it opened, also after its lock has moved", async () => {
    const lockId = await spareLock();
    await save({ name: "Gym", lockId });
    const event = { seq: 1, at: NOW, style: "inside" as const, success: true };
    const ingest = new UnlockIngest({ ...world, log: createLogger("silent") });
    await ingest.events({ hotelId: hotel.id, mac: MAC }, [event]);
    await registration.save(owner, lockInput.parse({ id: lockId, mac: MAC, roomId: await hotel.createRoom("101") }));
    const { records } = await listHotelRecords(owner, { keyword: "", limit: 10 });
    expect(records).toMatchObject([{ roomId: null, roomName: "Gym", style: "inside" }]);
  });

  it("is named in the alerts of its lock", async () => {
    const lockId = await spareLock();
    await save({ name: "Gym", lockId });
    await owner.write((tx) => raiseAlert(owner, tx, { kind: "tamper", lockId, roomId: null }));
    const { rows } = await listAlerts(owner, { state: "all", page: 1, pageSize: 10 });
    expect(rows).toMatchObject([{ kind: "tamper", roomName: "Gym" }]);
  });
});

describe("opening a common door", () => {
  it("commands its lock, and needs one that can be reached", async () => {
    const lockId = await spareLock();
    const { doorId } = await save({ name: "Gym" });
    expect(await refusal(doors.open(owner, { doorId }))).toBe("lock_missing");
    await save({ id: doorId, name: "Gym", lockId });
    const { commandId } = await doors.open(owner, { doorId });
    expect(await world.database.prisma.lockCommand.findFirst({ where: { id: commandId } })).toMatchObject({
      lockId,
      type: "unlock",
    });
    await world.database.prisma.lock.update({ where: { id: lockId }, data: { online: false } });
    expect(await refusal(doors.open(owner, { doorId }))).toBe("lock_offline");
  });

  it("is not for staff of certain rooms, who don't see the door either", async () => {
    const lockId = await spareLock();
    const { doorId } = await save({ name: "Gym", lockId });
    const roomId = await hotel.createRoom("101");
    const staff = await hotel.scope("staff", { capabilities: ["locks.view", "locks.open"], roomIds: [roomId] });
    expect(await doors.list(staff)).toEqual([]);
    expect(await refusal(doors.open(staff, { doorId }))).toBe("not_found");
    expect(await refusal(save({ name: "Back door" }, staff))).toBe("no_permission");
  });
});
