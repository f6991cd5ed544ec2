import { randomUUID } from "node:crypto";
import { eventMessage, type LockEvent, MAX_EVENT_SEQ, type StoredCredential } from "@innkey/shared/locks/protocol";
import { hotelRecordsInput, lockRecordsInput, unlockRecordsInput } from "@innkey/shared/schemas/access/unlocks";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { type Door, keyRing } from "../../../../test/harness/keys.ts";
import { SOON } from "../../../../test/harness/soon.ts";
import { scopeFactory, systemScopes } from "../../../kernel/scope.ts";
import { compareInventory } from "../lock-commands/compare-inventory.ts";
import { enqueueUnknownKeyReadBacks } from "../lock-commands/upkeep.ts";
import { settleUnmanaged } from "../locks/locks.service.ts";
import { handleStatus } from "../locks/presence.ts";
import { connect } from "../locks/registration.service.ts";
import { UnlockIngest } from "./ingest.ts";
import { storeEvents, toReportedEvent } from "./store-events.ts";
import { list, listHotelRecords, listLockRecords } from "./unlocks.queries.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const MINUTE = 60_000;

let world: TestWorld;
let hotel: TestHotel;
let door: Door;
let keys: ReturnType<typeof keyRing>;
let ingest: UnlockIngest;
const log = { info: vi.fn() };

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  keys = keyRing(world, hotel);
  door = await keys.door("101");
  ingest = newIngest();
  log.info.mockClear();
});

const newIngest = () => new UnlockIngest({ database: world.database, clock: world.clock, log });
const at = (minutes: number): string => new Date(Date.parse(NOW) + minutes * MINUTE).toISOString();
const opened = (seq: number, fields: Partial<LockEvent> = {}): LockEvent => ({
  seq,
  at: at(-100 + seq),
  style: "card",
  success: true,
  ...fields,
});
const range = (from: number, to: number): LockEvent[] =>
  Array.from({ length: to - from + 1 }, (_, i) => opened(from + i));
const records = (lockId = door.lockId) =>
  world.database.prisma.unlockRecord.findMany({ where: { lockId }, orderBy: { id: "asc" } });
const seqs = async (lockId = door.lockId) => (await records(lockId)).map(({ lockSeq }) => Number(lockSeq));
const lock = () => world.database.prisma.lock.findUniqueOrThrow({ where: { id: door.lockId } });
const alerts = () => world.database.prisma.alert.findMany({ where: { hotelId: hotel.id }, orderBy: { id: "asc" } });
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Returns the notifications of this hotel that other connections receive while `work` runs. */
async function notificationsDuring(
  work: () => Promise<unknown>,
): Promise<{ topic: string; [name: string]: unknown }[]> {
  const client = await world.database.pool.connect();
  const payloads: string[] = [];
  client.on("notification", ({ payload = "" }) => payloads.push(payload));
  await client.query("LISTEN innkey");
  await work();
  await client.query("SELECT 1");
  client.removeAllListeners("notification");
  await client.query("UNLISTEN innkey");
  client.release();
  return payloads.map((payload) => JSON.parse(payload)).filter(({ hotelId }) => hotelId === hotel.id);
}

describe("event numbers", () => {
  it("are acknowledged with the last one, and the lock counts as online", async () => {
    expect(await ingest.events(door.name, range(1, 3))).toBe(3);
    expect(await seqs()).toEqual([1, 2, 3]);
    expect(await lock()).toMatchObject({ eventSeq: 3n, lastSeenAt: new Date(NOW), failures: 0 });
  });

  it("that are sent again or overlap add only new events", async () => {
    await ingest.events(door.name, range(1, 5));
    expect(await ingest.events(door.name, range(1, 5))).toBe(5);
    expect(await ingest.events(door.name, range(3, 9))).toBe(9);
    expect(await seqs()).toEqual(numbers(1, 9));
    expect(await alerts()).toEqual([]);
  });

  it("that one batch repeats are one event", async () => {
    await ingest.events(door.name, [opened(1), opened(1), opened(2)]);
    expect(await seqs()).toEqual([1, 2]);
  });

  describe("of a lock that lost its memory", () => {
    const BEFORE = "before-1";
    /** size of the number range that each log has */
    const EPOCH_STEP = 2 ** 31;
    const AFTER = "after-2";
    const storedEvents = async () =>
      (await records()).map(({ lockSeq, at: when }) => [Number(lockSeq), when.toISOString()]);
    const report = (log: string, ...events: LockEvent[]) => ingest.events(door.name, events, log);

    it("start over as new events, and are acknowledged in the lock's own count", async () => {
      await ingest.events(door.name, range(1, 3));
      await report(BEFORE, opened(4));
      expect(await seqs()).toEqual([1, 2, 3, 4]);
      expect(await report(AFTER, opened(1), opened(2))).toBe(2);
      expect(await seqs()).toEqual([1, 2, 3, 4, EPOCH_STEP + 1, EPOCH_STEP + 2]);
      expect(await alerts()).toEqual([]);
    });

    it("are stored once for either memory, in whatever order they arrive", async () => {
      await report(BEFORE, ...range(1, 3));
      await report(AFTER, opened(1));
      await report(BEFORE, ...range(2, 5));
      await report(AFTER, ...range(1, 3));
      await report(BEFORE, opened(5));
      expect(await seqs()).toEqual([1, 2, 3, EPOCH_STEP + 1, 4, 5, EPOCH_STEP + 2, EPOCH_STEP + 3]);
      expect((await storedEvents()).at(-1)).toEqual([EPOCH_STEP + 3, at(-97)]);
    });

    it("get one place when two servers report a new memory", async () => {
      await report(BEFORE, ...range(1, 3));
      const other = newIngest();
      await Promise.all([report(AFTER, ...range(1, 9)), other.events(door.name, range(1, 9), AFTER)]);
      expect(await seqs()).toHaveLength(12);
    });

    it("leave room for every later memory, even at the highest number", async () => {
      for (const last of ["first", "second", "third"]) await report(last, opened(MAX_EVENT_SEQ, { at: at(-9) }));
      expect(await report(AFTER, ...range(1, 10))).toBe(10);
      const numbers = await seqs();
      expect(numbers).toHaveLength(13);
      expect(new Set(numbers).size).toBe(13);
      const beyond = { ...opened(1), seq: MAX_EVENT_SEQ + 1 };
      expect(eventMessage.safeParse({ log: AFTER, events: [beyond] }).success).toBe(false);
    });

    it("name a limited number of memories a day, and the limit is lifted when the lock is reconnected", async () => {
      await report(BEFORE, opened(1));
      for (let n = 0; n < 20; n += 1)
        expect(await report(`flood-${n}`, opened(MAX_EVENT_SEQ, { at: at(-9) }))).toBe(MAX_EVENT_SEQ);
      expect(await seqs()).toHaveLength(16);
      expect(await alerts()).toMatchObject([{ kind: "tamper", count: 5 }]);
      expect(await report(BEFORE, opened(2))).toBe(2);
      expect(await seqs()).toHaveLength(17);
      const owner = await hotel.scope();
      await connect(owner, { lockId: door.lockId }, { brokerUrl: "mqtt://here" });
      await owner.write(async (tx) => handleStatus(owner, tx, door.lockId, { state: "online", log: "honest" }, false));
      expect((await lock()).eventLog).toBe("honest");
      await report("honest", ...range(1, 10));
      await ingest.events(door.name, range(11, 12));
      expect(await seqs()).toHaveLength(29);
      await report(BEFORE, opened(2), opened(3));
      expect(await seqs()).toHaveLength(30);
    });

    it("accept another memory the next day, and forget the oldest of many", async () => {
      for (let day = 0; day < 5; day += 1) {
        for (let n = 0; n < 15; n += 1) await report(`day-${day}-${n}`, opened(1));
        world.clock.advance(25 * 60 * MINUTE);
      }
      world.clock.set(NOW);
      expect(await seqs()).toHaveLength(75);
      expect(await world.database.prisma.lockLog.count({ where: { lockId: door.lockId } })).toBe(64);
    });

    it("show gaps within each memory", async () => {
      await report(BEFORE, ...range(1, 3));
      await report(AFTER, opened(7));
      expect(await alerts()).toEqual([]);
      await report(AFTER, opened(10));
      expect(await alerts()).toMatchObject([{ kind: "records_lost", params: { count: 2 } }]);
    });
  });

  it("are stored once when two servers report them", async () => {
    const doors = [door, await keys.door("102"), await keys.door("103")];
    const other = newIngest();
    await Promise.all(
      [ingest, other].flatMap((one) =>
        doors.flatMap(({ name }) => [0, 1, 2, 3, 4].map((i) => one.events(name, range(1 + 10 * i, 30 + 10 * i)))),
      ),
    );
    for (const { lockId } of doors) {
      expect((await seqs(lockId)).sort((a, b) => a - b)).toEqual(numbers(1, 70));
    }
  });

  it("are stored once when a connection breaks half-way and they are sent again", async () => {
    const { pool } = world.database;
    const blocker = await pool.connect();
    await blocker.query("BEGIN");
    // The blocked card row stops the batch after its records are inserted.
    const card = await keys.card({ uid: "AABBCCDD" });
    await blocker.query("SELECT FROM card WHERE id = $1 FOR UPDATE", [card.id]);
    const events = [opened(1, { credential: { kind: "card", uid: "AABBCCDD" } }), opened(2)];
    const first = ingest.events(door.name, events).catch((error: unknown) => error);
    const WAITING =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE card%'";
    await vi.waitFor(async () => expect((await pool.query(WAITING)).rows).toHaveLength(1), SOON);
    await pool.query(`SELECT pg_terminate_backend(pid) FROM (${WAITING}) w`);
    expect(await first).toMatchObject({ code: "unavailable" });
    expect(await seqs()).toEqual([]);
    await blocker.query("ROLLBACK");
    blocker.release();
    expect(await ingest.events(door.name, events)).toBe(2);
    expect(await seqs()).toEqual([1, 2]);
  });

  it("keep the order of a lock when many are written at once", async () => {
    const doors = [door, ...(await Promise.all(["a", "b", "c", "d"].map((name) => keys.door(name))))];
    const reports = numbers(1, 400).flatMap((seq) => doors.map(({ name }) => ingest.events(name, [opened(seq)])));
    await Promise.all(reports);
    for (const { lockId } of doors) expect(await seqs(lockId)).toEqual(numbers(1, 400));
  });

  it("that arrive together are written in a few transactions", async () => {
    const connect = vi.spyOn(world.database.pool, "connect");
    await Promise.all(numbers(1, 100).map((seq) => ingest.events(door.name, [opened(seq)])));
    expect(connect.mock.calls.length).toBeLessThan(5);
    connect.mockRestore();
  });

  it("that arrive while others are written follow at once, together, when those are", async () => {
    const others = await Promise.all(["a", "b", "c"].map((name) => keys.door(name)));
    await ingest.events(door.name, [opened(1)]);
    for (const { name } of others) await ingest.events(name, [opened(1)]);
    // The first report is large enough to be written at once. No timer runs, so only its end can start the others.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      const connect = vi.spyOn(world.database.pool, "connect");
      const large = ingest.events(
        door.name,
        numbers(2, 301).map((seq) => opened(seq)),
      );
      const small = others.map(({ name }) => ingest.events(name, [opened(2)]));
      expect(await Promise.all([large, ...small])).toEqual([301, 2, 2, 2]);
      expect(connect).toHaveBeenCalledTimes(2);
      connect.mockRestore();
    } finally {
      vi.useRealTimers();
    }
  });

  it("are read on the connections that stored them, whatever the list", async () => {
    const owner = await hotel.scope();
    const roomId = (await lock()).roomId ?? 0;
    await Promise.all(numbers(1, 20).map((seq) => newIngest().events(door.name, [opened(seq)])));
    const reads = numbers(1, 20).flatMap(() => [
      listLockRecords(owner, lockRecordsInput.parse({ lockId: door.lockId })),
      list(owner, unlockRecordsInput.parse({ roomId })),
      listHotelRecords(owner, hotelRecordsInput.parse({})),
    ]);
    for (const { records: page } of await Promise.all(reads)) expect(page).toHaveLength(20);
  });

  it("of other reports are stored when one report cannot be", async () => {
    const other = await keys.door("102");
    const bad = { ...opened(1), at: "not an instant", style: "spell" as "card" };
    const [first, second] = await Promise.allSettled([
      ingest.events(door.name, [bad]),
      ingest.events(other.name, [opened(1)]),
    ]);
    expect([first?.status, second?.status]).toEqual(["rejected", "fulfilled"]);
    expect(await seqs(other.lockId)).toEqual([1]);
  });

  it("are stored with values that PostgreSQL would refuse", async () => {
    const events = [
      opened(1, { credential: { kind: "card", uid: "\u0000\ud800'" } }),
      opened(2, { credential: { kind: "slot", slot: 2 ** 53 - 1 } }),
      opened(3, { credential: { kind: "otp", counter: 2 ** 53 - 1 } }),
      opened(4, { credential: { kind: "card", uid: "AA", sequence: 2 ** 40, card: "guest" } }),
      { ...opened(5), seq: 2 ** 53 - 1, at: "0001-01-01T00:00:00Z" },
    ];
    expect(await ingest.events(door.name, events)).toBe(2 ** 53 - 1);
    expect(await records()).toHaveLength(5);
    expect((await lock()).guestFloor).toBe(0);
  });
});

describe("a lock's clock", () => {
  it("cannot put an event into the future, and counts as now when it was never set", async () => {
    await ingest.events(door.name, [opened(1, { at: at(5) }), opened(2, { at: "1970-01-01T00:00:09Z" }), opened(3)]);
    expect((await records()).map((record) => record.at.toISOString())).toEqual([NOW, NOW, at(-97)]);
  });
});

describe("when a late event happened", () => {
  const happened = async () => (await records()).map(({ happenedAt }) => happenedAt?.toISOString() ?? null);
  const setDrift = (driftSeconds: number | null) =>
    world.database.prisma.lock.update({ where: { id: door.lockId }, data: { driftSeconds } });
  /** An event received an hour and a half ago, so that events reported now can have happened after it. */
  beforeEach(async () => {
    world.clock.set(at(-90));
    await ingest.events(door.name, [opened(1, { at: at(-90) })]);
    world.clock.set(NOW);
  });

  it.each([
    ["right", 0],
    ["ten days ahead", 14_400],
    ["five days behind", -7_200],
  ])("is computed from the lock's clock, which is %s", async (_how, minutes) => {
    await setDrift(minutes * 60);
    const backlog = [opened(2, { at: at(minutes - 80) }), opened(3, { at: at(minutes - 40) })];
    await ingest.events(door.name, [...backlog, opened(4, { at: at(minutes) })]);
    expect(await happened()).toEqual([null, at(-80), at(-40), null]);
    await ingest.events(door.name, [opened(5, { at: at(minutes - 2) })]);
    expect((await happened()).at(-1), "earlier than the event before it").toBeNull();
  });

  it.each(["0000-01-01T00:00:00.000Z", "0000-02-29T23:59:59Z", "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])(
    "is unknown for an event at %s, which is stored whatever the clock's drift",
    async (time) => {
      for (const [index, driftSeconds] of [null, -(2 ** 31), 0, 2 ** 31 - 1].entries()) {
        await setDrift(driftSeconds);
        expect(await ingest.events(door.name, [opened(index + 2, { at: time })])).toBe(index + 2);
      }
      expect(await happened()).toEqual([null, null, null, null, null]);
    },
  );

  it("is unknown where the clock's drift is unknown, or the time is impossible", async () => {
    await setDrift(null);
    await ingest.events(door.name, [opened(2, { at: at(-40) })]);
    await setDrift(0);
    await ingest.events(door.name, [opened(3, { at: at(-7_200) }), opened(4, { at: at(7_200) })]);
    await ingest.events(door.name, [opened(5, { at: "1970-01-01T00:00:09Z" })]);
    expect(await happened()).toEqual([null, null, null, null, null]);
  });
});

describe("an unregistered lock", () => {
  it("may drop its events, is logged once, and is accepted as soon as it is registered", async () => {
    const name = { hotelId: hotel.id, mac: "F0F0F0F0F0F0" };
    expect(await ingest.events(name, range(4, 6))).toBe(6);
    expect(await ingest.events(name, range(7, 7))).toBe(7);
    expect(log.info).toHaveBeenCalledTimes(1);
    const data = { hotelId: hotel.id, mac: "F0:F0:F0:F0:F0:F0" };
    const { id } = await world.database.prisma.lock.create({ data });
    await ingest.events(name, range(8, 8));
    expect(await seqs(id)).toEqual([8]);
  });

  it("is also one of another hotel", async () => {
    const stranger = await world.createHotel();
    expect(await ingest.events({ ...door.name, hotelId: stranger.id }, range(1, 2))).toBe(2);
    expect(await seqs()).toEqual([]);
  });
});

describe("whose event it is", () => {
  it("a guest's card: its stay's guest, the card, and the lock's room", async () => {
    const { stayId, stayGuestId } = await keys.stay(door.roomId);
    const card = await keys.card({ uid: "DA3CBC66", stayId });
    await keys.card({ uid: "11223344" });
    await ingest.events(door.name, [opened(1, { credential: { kind: "card", uid: "DA3CBC66" } })]);
    expect(await records()).toMatchObject([
      { roomId: door.roomId, stayGuestId, cardId: card.id, operatorId: null, source: "lock" },
    ]);
    expect((await keys.cardNow(card.id)).usedAt).toEqual(new Date(at(-99)));
  });

  it("a card with several issues: the newest that existed then", async () => {
    const { stayId, stayGuestId } = await keys.stay(door.roomId);
    const before = await keys.card({ uid: "DA3CBC66", stayId, createdAt: at(-500), state: "revoked" });
    const newerCard = await keys.card({ uid: "DA3CBC66", createdAt: at(-50) });
    const usedCard = { credential: { kind: "card" as const, uid: "DA3CBC66" } };
    await ingest.events(door.name, [opened(1, { ...usedCard, at: at(-90) }), opened(2, { ...usedCard, at: at(-10) })]);
    expect(await records()).toMatchObject([
      { cardId: before.id, stayGuestId },
      { cardId: newerCard.id, stayGuestId: null },
    ]);
  });

  it("not a card of another hotel with the same number, nor a credential of another lock", async () => {
    const other = await world.createHotel();
    const foreign = keyRing(world, other);
    await foreign.card({ uid: "DA3CBC66" });
    const elsewhere = await keys.credential(await keys.door("102"), { passcode: {} });
    await ingest.events(door.name, [
      opened(1, { credential: { kind: "card", uid: "DA3CBC66" } }),
      opened(2, { credential: { kind: "slot", slot: elsewhere.id } }),
    ]);
    expect(await records()).toMatchObject([
      { cardId: null, credentialId: null },
      { cardId: null, credentialId: null },
    ]);
    expect(await keys.credentialNow(elsewhere.id)).toMatchObject({ usedAt: null, state: "confirmed" });
  });

  it("a command: the operator who sent it, as remote", async () => {
    const owner = await hotel.scope();
    const id = randomUUID();
    const sent = { createdById: owner.actor.id, createdAt: at(-101), sentAt: at(-100), state: "acknowledged" } as const;
    await keys.command(door, { id, type: "unlock", ...sent });
    const remoteUse = { credential: { kind: "command" as const, id } };
    await ingest.events(door.name, [opened(1, { style: "unknown", ...remoteUse })]);
    await ingest.events(door.name, [opened(1, { style: "unknown", ...remoteUse })]);
    expect(await records()).toMatchObject([{ style: "remote", source: "console", operatorId: owner.actor.id }]);
  });

  it("nobody, where the command did not open this door then, or had opened it before", async () => {
    const owner = await hotel.scope();
    const sent = { createdById: owner.actor.id, createdAt: at(-101), sentAt: at(-100), state: "acknowledged" } as const;
    const command = async (fields: Parameters<typeof keys.command>[1], where = door) => {
      const id = randomUUID();
      await keys.command(where, { id, type: "unlock", ...sent, ...fields });
      return id;
    };
    const ids = [
      await command({ type: "configure" }),
      await command({ state: "queued", sentAt: null }),
      await command({ createdAt: at(-5000), sentAt: at(-5000) }),
      await command({}, await keys.door("102")),
      randomUUID(),
    ];
    const commandId = await command({});
    const openings = [...ids, commandId, commandId].map((id, index) =>
      opened(index + 1, { style: "remote", credential: { kind: "command", id } }),
    );
    await ingest.events(door.name, openings);
    await ingest.events(door.name, [opened(9, { style: "remote", credential: { kind: "command", id: commandId } })]);
    const unknown = { style: "unknown", source: "lock", operatorId: null };
    const byOwner = { style: "remote", source: "console", operatorId: owner.actor.id };
    expect(await records()).toMatchObject([...ids.map(() => unknown), byOwner, unknown, unknown]);
  });
});

describe("what an event changes about a credential", () => {
  it.each([
    ["queued", "used"],
    ["sent", "used"],
    ["confirmed", "used"],
    ["used", "used"],
    ["failed", "failed"],
    ["revoking", "revoking"],
    ["revoked", "revoked"],
  ] as const)("%s becomes %s, and its time of use is stored", async (state, then) => {
    const { id } = await keys.credential(door, { state, passcode: {} });
    await ingest.events(door.name, [
      opened(2, { style: "passcode", credential: { kind: "slot", slot: id } }),
      opened(3, { style: "passcode", credential: { kind: "slot", slot: id }, success: false, reason: "expired" }),
    ]);
    expect(await keys.credentialNow(id)).toMatchObject({ state: then, usedAt: new Date(at(-98)) });
    expect(await records()).toMatchObject([
      { credentialId: id, reason: "" },
      { credentialId: id, reason: "expired", success: false },
    ]);
  });

  it("a listed card counts as used at that lock, by its number", async () => {
    const card = await keys.card({ uid: "0011223344", kind: "management" });
    const { id } = await keys.credential(door, { cardId: card.id });
    await ingest.events(door.name, [opened(1, { credential: { kind: "card", uid: "0011223344" } })]);
    expect(await keys.credentialNow(id)).toMatchObject({ state: "used" });
  });

  it("a one-time code is used up with all earlier ones, but no later one", async () => {
    const codes = await Promise.all([3, 4, 5].map((counter) => keys.credential(door, { passcode: { counter } })));
    await ingest.events(door.name, [opened(1, { style: "passcode", credential: { kind: "otp", counter: 4 } })]);
    const [earlier, spent, later] = await Promise.all(codes.map(({ id }) => keys.credentialNow(id)));
    expect(earlier).toMatchObject({ state: "revoked", revokeReason: "superseded", usedAt: null });
    expect(spent).toMatchObject({ state: "revoked", revokeReason: null, usedAt: new Date(at(-99)) });
    expect(later).toMatchObject({ state: "confirmed" });
    expect((await lock()).otpFloor).toBe(5n);
  });
});

describe("what an event changes about the lock", () => {
  const record = (card: "guest" | "management", sequence: number) =>
    ({ credential: { kind: "card", uid: "AA", card, sequence } }) as const;

  it("a newer card makes the lock refuse older ones, and a revoked card ends", async () => {
    const old = await keys.card({ uid: "BB", sequence: 4, state: "revoking", lockNumber: door.lockId });
    const same = await keys.card({ uid: "CC", sequence: 5, state: "revoking", lockNumber: door.lockId });
    await ingest.events(door.name, [opened(1, { ...record("guest", 9), success: false }), opened(2)]);
    expect((await keys.cardNow(old.id)).state).toBe("revoking");
    await ingest.events(door.name, [opened(3, record("guest", 5)), opened(4, record("management", 7))]);
    expect(await lock()).toMatchObject({ guestFloor: 5 });
    expect((await keys.cardNow(old.id)).state).toBe("revoked");
    expect((await keys.cardNow(same.id)).state).toBe("revoking");
    await ingest.events(door.name, [opened(5, record("guest", 4))]);
    expect((await lock()).guestFloor).toBe(5);
  });

  it("a card or code that the console never issued is tampering, and raises no minimum", async () => {
    await keys.card({ uid: "BB", sequence: 4, state: "active", lockNumber: door.lockId });
    await ingest.events(door.name, [opened(1, record("guest", 65_535))]);
    expect((await lock()).guestFloor).toBe(0);
    const otp = (counter: number) => ({ style: "passcode" as const, credential: { kind: "otp" as const, counter } });
    await ingest.events(door.name, [opened(2, otp(2 ** 40))]);
    expect((await lock()).otpFloor).toBe(0n);
    const alerts = await world.database.prisma.alert.findMany({ where: { lockId: door.lockId } });
    expect(alerts).toMatchObject([{ kind: "tamper", count: 2 }]);
    await ingest.events(door.name, [opened(3, record("guest", 4)), opened(4, otp(3))]);
    expect(await lock()).toMatchObject({ guestFloor: 4, otpFloor: 4n });
    expect(await world.database.prisma.alert.count({ where: { lockId: door.lockId, kind: "tamper" } })).toBe(1);
  });

  it("the lock is online again: its breaker closes, and waiting commands are due", async () => {
    await world.database.prisma.lock.update({
      where: { id: door.lockId },
      data: { breakerOpenedAt: new Date(at(-9)), failures: 3 },
    });
    const { id } = await keys.command(door, { nextTryAt: new Date(at(60)) });
    const words = await notificationsDuring(() => ingest.events(door.name, [opened(1)]));
    expect(words).toContainEqual({ topic: "locks", hotelId: hotel.id, lockIds: [door.lockId] });
    expect(await lock()).toMatchObject({ breakerOpenedAt: null, failures: 0 });
    const command = await world.database.prisma.lockCommand.findUniqueOrThrow({ where: { id } });
    expect(command.nextTryAt).toEqual(new Date(NOW));
  });

  it("the board is notified of a new power level once, and not of every event", async () => {
    const boards = (words: { topic: string }[]) => words.filter(({ topic }) => topic === "board").length;
    expect(
      boards(
        await notificationsDuring(() => ingest.events(door.name, [opened(1, { power: 80 }), opened(2, { power: 79 })])),
      ),
    ).toBe(1);
    expect(
      boards(await notificationsDuring(() => ingest.events(door.name, [opened(3, { power: 79 }), opened(4)]))),
    ).toBe(0);
    expect((await lock()).power).toBe(79);
    // An older event that arrives later must not change the battery level.
    await ingest.events(door.name, [opened(10, { power: 70 })]);
    await ingest.events(door.name, [opened(5, { power: 78 })]);
    expect((await lock()).power).toBe(70);
  });

  it("desks are notified once per batch of the rooms with new events", async () => {
    const other = await keys.door("102");
    // From now on both locks are cached, and events that they report together are written together.
    await Promise.all([ingest.events(door.name, [opened(1)]), ingest.events(other.name, [opened(1)])]);
    const words = await notificationsDuring(() =>
      Promise.all([ingest.events(door.name, range(2, 9)), ingest.events(other.name, range(2, 9))]),
    );
    expect(words).toEqual([
      {
        topic: "unlocks",
        hotelId: hotel.id,
        roomIds: [door.roomId, other.roomId],
        lockIds: [door.lockId, other.lockId],
      },
    ]);
    expect(await notificationsDuring(() => ingest.events(door.name, range(1, 9)))).toEqual([]);
  });

  it("hundreds of doors at once fit into the notification", async () => {
    const { pool } = world.database;
    await pool.query("SELECT setval('lock_id_seq', 1000000000), setval('room_id_seq', 1000000000)");
    const doors = await Promise.all(numbers(1, 450).map((n) => keys.door(`R${n}`)));
    const now = world.clock.now();
    const batch = doors.map(({ lockId }) => toReportedEvent(lockId, null, opened(1), now));
    const client = await pool.connect();
    const words = await notificationsDuring(() => storeEvents(client, batch, now));
    client.release();
    const rooms = words.flatMap(({ topic, roomIds }) => (topic === "unlocks" ? (roomIds as number[]) : []));
    expect(rooms.toSorted((a, b) => a - b)).toEqual(doors.map(({ roomId }) => roomId).toSorted((a, b) => a - b));
  });
});

describe("alerts for operators", () => {
  it("report lost records", async () => {
    await ingest.events(door.name, range(5, 7));
    expect(await alerts()).toEqual([]);
    await ingest.events(door.name, [opened(10), opened(12)]);
    expect(await alerts()).toMatchObject([
      { kind: "records_lost", lockId: door.lockId, roomId: door.roomId, params: { count: 3 } },
    ]);
  });

  it("report tampering and guessed codes, one alert each, with a count", async () => {
    await ingest.events(door.name, [
      opened(1, { alarm: "tamper", success: false }),
      opened(2, { alarm: "wrong_codes", success: false }),
      opened(3, { alarm: "tamper", success: false }),
    ]);
    const words = await notificationsDuring(() =>
      ingest.events(door.name, [opened(4, { alarm: "tamper", success: false })]),
    );
    expect(words).toContainEqual({ topic: "alerts", hotelId: hotel.id });
    expect(await alerts()).toMatchObject([
      { kind: "tamper", count: 3 },
      { kind: "wrong_codes", count: 1 },
    ]);
  });

  it("report a low battery, and are resolved after a change", async () => {
    await ingest.events(door.name, [opened(1, { power: 20 })]);
    expect(await alerts()).toEqual([]);
    await ingest.events(door.name, [opened(2, { power: 19 })]);
    await ingest.events(door.name, [opened(3, { power: 19 })]);
    await ingest.events(door.name, [opened(4, { power: 20 })]);
    expect(await alerts()).toMatchObject([{ kind: "battery_low", count: 1, params: { power: 19 }, resolvedAt: null }]);
    await ingest.events(door.name, [opened(5, { power: 100 })]);
    expect(await alerts()).toMatchObject([{ resolvedAt: new Date(NOW) }]);
  });
});

describe("a foreign key at a lock", () => {
  const unknown = (seq: number, slot = 900_001): LockEvent =>
    opened(seq, { style: "passcode", credential: { kind: "slot", slot } });
  const ask = () =>
    enqueueUnknownKeyReadBacks(
      world.database.pool,
      systemScopes(world.database, scopeFactory(world)),
      world.clock.now(),
    );
  const readBackCount = () =>
    world.database.prisma.lockCommand.count({ where: { lockId: door.lockId, type: "read_back" } });
  const answer = async (credentials: StoredCredential[]) => {
    const owner = await hotel.scope();
    await world.database.prisma.lockCommand.updateMany({
      where: { lockId: door.lockId, type: "read_back" },
      data: { state: "acknowledged", argsBox: null, endedAt: world.clock.now() },
    });
    await owner.write(async (tx) => compareInventory(owner, tx, await lock(), credentials));
  };
  const storedCredential: StoredCredential = {
    slot: 900_001,
    kind: "passcode",
    name: "",
    validFrom: null,
    validTo: null,
  };

  beforeEach(async () => {
    await world.database.pool.query("UPDATE lock SET online = false");
    await world.database.prisma.lock.update({ where: { id: door.lockId }, data: { online: true } });
  });

  it("is listed at its first opening, raises an alert with its name, and the lock is read back at once", async () => {
    await ingest.events(door.name, [unknown(1)]);
    expect((await lock()).unmanaged).toMatchObject([{ slot: 900_001, kind: "passcode", adopted: false }]);
    const alert = { kind: "unmanaged_code", lockId: door.lockId, params: { count: 1, type: "passcode", key: 900_001 } };
    expect(await alerts()).toMatchObject([{ ...alert, count: 1, resolvedAt: null }]);
    expect(await ask()).toBe(1);
    expect(await readBackCount()).toBe(1);
  });

  it("keeps its alert until the lock no longer has it", async () => {
    await ingest.events(door.name, [unknown(1)]);
    await ask();
    await answer([storedCredential]);
    expect(await alerts()).toMatchObject([{ resolvedAt: null }]);
    await answer([]);
    expect((await lock()).unmanaged).toEqual([]);
    expect((await alerts()).filter(({ resolvedAt }) => resolvedAt === null)).toEqual([]);
  });

  it("is not reported again once a person adopts it", async () => {
    const owner = await hotel.scope();
    await ingest.events(door.name, [unknown(1)]);
    await settleUnmanaged(owner, { lockId: door.lockId, slot: 900_001, kind: "passcode", name: "", act: "adopt" });
    await ingest.events(door.name, [unknown(2)]);
    expect(await alerts()).toMatchObject([{ count: 1, resolvedAt: world.clock.now() }]);
    expect(await ask()).toBe(0);
  });

  it("that is a card stays until a person adopts it, whatever the lock reads back", async () => {
    const owner = await hotel.scope();
    await ingest.events(door.name, [opened(1, { credential: { kind: "card", uid: "0badcafe" } })]);
    await answer([]);
    expect(await alerts()).toMatchObject([{ params: { type: "card", key: "0BADCAFE" }, resolvedAt: null }]);
    const card = { lockId: door.lockId, slot: null, kind: "card" as const, name: "0BADCAFE" };
    await expect(settleUnmanaged(owner, { ...card, act: "remove" })).rejects.toThrow("not_found");
    await settleUnmanaged(owner, { ...card, act: "adopt" });
    await answer([]);
    await ingest.events(door.name, [opened(2, { credential: { kind: "card", uid: "0badcafe" } })]);
    expect((await alerts()).filter(({ resolvedAt }) => resolvedAt === null)).toEqual([]);
  });

  it("is limited to a few per lock, with one read-back in ten minutes", async () => {
    await ingest.events(
      door.name,
      numbers(1, 60).map((n) => unknown(n, 900_000 + n)),
    );
    await ingest.events(door.name, [unknown(61), unknown(62)]);
    expect((await lock()).unmanaged).toHaveLength(20);
    expect(await alerts()).toMatchObject([{ kind: "unmanaged_code", count: 1 }]);
    expect(await ask()).toBe(1);
    await answer([]);
    world.clock.advance(MINUTE);
    await ingest.events(door.name, [unknown(63)]);
    expect(await ask()).toBe(0);
    world.clock.advance(11 * MINUTE);
    await ingest.events(door.name, [unknown(64)]);
    expect(await ask()).toBe(1);
    expect(await readBackCount()).toBe(2);
  });

  it("that was refused raises no alert", async () => {
    await ingest.events(door.name, [{ ...unknown(1), success: false, reason: "unknown" }]);
    expect(await alerts()).toEqual([]);
    expect((await lock()).unmanaged).toEqual([]);
  });
});
