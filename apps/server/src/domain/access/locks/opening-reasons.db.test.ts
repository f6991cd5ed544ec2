import { DomainError } from "@innkey/shared/errors";
import { openDoorInput } from "@innkey/shared/schemas/access/locks";
import { hotelRecordsInput } from "@innkey/shared/schemas/access/unlocks";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { createLockBench, type LockBench } from "../../../../test/locks/locks.ts";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as desk from "../../desk/public.ts";
import { UnlockIngest } from "../unlocks/ingest.ts";
import { listHotelRecords } from "../unlocks/unlocks.queries.ts";
import { whoEntered } from "../unlocks/who-entered.queries.ts";
import * as queries from "./locks.queries.ts";
import { cancelOpening, open } from "./locks.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let bench: LockBench;
let roomId: number;
let lock: Lock;
let ingest: UnlockIngest;
let stayId: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  bench = createLockBench(world);
  ingest = new UnlockIngest({ database: world.database, clock: world.clock, log: { info: () => undefined } });
  roomId = await hotel.createRoom("101");
  lock = await bench.addLock(owner, { roomId });
  const stay = { roomId, unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z", guests: [{ name: "Ada" }] };
  ({ stayId } = await desk.checkIn(owner, checkInInput.parse(stay)));
  await bench.drain(owner, lock.id);
});

const codeOf = (act: Promise<unknown>): Promise<string | null> =>
  act.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return error.code;
    },
  );

async function openedBy(commandId: string, seq = 1): Promise<void> {
  const at = world.clock.now().toISOString();
  const event = {
    seq,
    at,
    style: "remote" as const,
    success: true,
    credential: { kind: "command" as const, id: commandId },
  };
  await ingest.events({ hotelId: hotel.id, mac: lock.mac }, [event]);
  world.clock.advance(60_000);
}

describe("opening an occupied room", () => {
  it("needs a reason, which the records show", async () => {
    expect(await codeOf(open(owner, { roomId }))).toBe("opening_reason_needed");
    expect(await bench.commands(lock.id, "unlock")).toEqual([]);
    const { commandId } = await open(owner, { roomId, reason: "other", note: "Smoke in the corridor" });
    await bench.dispatch(lock);
    await openedBy(commandId);
    const why = { openingReason: "other", openingNote: "Smoke in the corridor" };
    const { commands } = await queries.commands(owner, { lockId: lock.id, limit: 1 });
    expect(commands).toMatchObject([{ id: commandId, ...why }]);
    expect(await listHotelRecords(owner, hotelRecordsInput.parse({}))).toMatchObject({ records: [why] });
    expect(await whoEntered(owner, stayId)).toMatchObject({ rooms: [{ entries: [why] }] });
    const viewer = await hotel.scope("staff", { capabilities: ["unlocks.view", "stays.view"], roomIds: [roomId] });
    expect(await whoEntered(viewer, stayId)).toMatchObject({
      rooms: [{ entries: [{ openingReason: "other", openingNote: "", name: null }] }],
    });
    const audited = await world.database.prisma.auditEntry.findFirst({
      where: { hotelId: hotel.id, action: "lock.open" },
    });
    expect(audited?.after).toMatchObject({ roomId, reason: "other", note: "***" });
  });

  it("says what opened it where nobody could be asked", async () => {
    const system = await bench.scopes(hotel.id);
    if (!system) throw new Error("the hotel has no system scope");
    await open(system, { roomId });
    expect(await bench.commands(lock.id, "unlock")).toMatchObject([{ openingReason: "home_assistant" }]);
  });

  it("is not asked about for a vacant room", async () => {
    const vacantId = await hotel.createRoom("102");
    const vacant = await bench.addLock(owner, { roomId: vacantId });
    await open(owner, { roomId: vacantId });
    expect(await bench.commands(vacant.id, "unlock")).toMatchObject([{ openingReason: null, openingNote: "" }]);
  });

  it("asks for words with another reason, and bounds them", () => {
    const isValid = (fields: object): boolean => openDoorInput.safeParse({ roomId, ...fields }).success;
    expect(isValid({ reason: "other" })).toBe(false);
    expect(isValid({ reason: "other", note: "   " })).toBe(false);
    expect(isValid({ reason: "other", note: "x".repeat(201) })).toBe(false);
    expect(isValid({ reason: "home_assistant" })).toBe(false);
    expect(isValid({ reason: "lockout" })).toBe(true);
  });
});

describe("cancelling an opening", () => {
  const request = async (): Promise<string> => (await open(owner, { roomId, reason: "lockout" })).commandId;

  it("withdraws one that the lock was not sent", async () => {
    const commandId = await request();
    expect(await cancelOpening(owner, { commandId })).toEqual({ outcome: "withdrawn", state: "cancelled" });
    await bench.dispatch(lock);
    expect(bench.driver.typesTo(lock.id)).not.toContain("unlock");
    expect(await cancelOpening(owner, { commandId })).toEqual({ outcome: "ended", state: "cancelled" });
  });

  it("doesn't repeat one that was sent, and keeps that the door opened after all", async () => {
    const commandId = await request();
    await bench.dispatch(lock);
    expect(await cancelOpening(owner, { commandId })).toEqual({ outcome: "may_still_open", state: "sent" });
    await bench.plane.delivery.dispatch(hotel.id, lock.id, undefined, true);
    expect(bench.driver.typesTo(lock.id).filter((type) => type === "unlock")).toHaveLength(1);
    await bench.ack(lock);
    expect(await queries.commandState(owner, { commandId })).toMatchObject({ state: "acknowledged" });
    await openedBy(commandId);
    expect(await listHotelRecords(owner, hotelRecordsInput.parse({}))).toMatchObject({
      records: [{ openingReason: "lockout", operatorName: owner.actor.name }],
    });
  });

  it("is audited, and not for those who may not open this door", async () => {
    const commandId = await request();
    const stranger = await (await world.createHotel()).scope();
    const elsewhere = await hotel.scope("staff", { capabilities: ["locks.open"], roomIds: [] });
    const viewer = await hotel.scope("staff", { capabilities: ["locks.view"], roomIds: [roomId] });
    for (const scope of [stranger, elsewhere])
      expect(await codeOf(cancelOpening(scope, { commandId }))).toBe("not_found");
    expect(await codeOf(cancelOpening(viewer, { commandId }))).toBe("no_permission");
    await cancelOpening(owner, { commandId });
    const where = { hotelId: hotel.id, action: "lock.cancel_opening" };
    expect((await world.database.prisma.auditEntry.findFirst({ where }))?.after).toMatchObject({ roomId, commandId });
  });
});
