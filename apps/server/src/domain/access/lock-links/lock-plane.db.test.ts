import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { alertsInput } from "@innkey/shared/schemas/messaging";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { idleQueue } from "../../../../test/harness/idle-queue.ts";
import { createLockBench, type LockBench, ScriptedDriver } from "../../../../test/locks/locks.ts";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { nextId } from "../../../kernel/transaction.ts";
import { list as listAlerts } from "../../messaging/alerts/alerts.service.ts";
import { codeContext } from "../credentials/credential-content.ts";
import { codeHash, grantCredential, revokeCredentials, sendCredential } from "../credentials/credentials.ts";
import { raiseMinSequence } from "../credentials/min-sequences.ts";
import { enqueue } from "../lock-commands/commands.ts";
import { configureLock } from "../locks/configure.ts";
import { retry } from "../locks/locks.service.ts";
import * as passcodes from "../passcodes/passcodes.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let bench: LockBench;
let lock: Lock;
let serial = 100_000;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
  bench = createLockBench(world);
  lock = await bench.addLock(owner, { roomId: await hotel.createRoom("101") });
});

const notice = (subject: string, to = lock, expiresAt: Date | null = null) =>
  owner.write((tx) => enqueue(owner, tx, to.id, { type: "notice", subject, args: { text: subject }, expiresAt }));

/** Grants a code on the lock for one day from now. Returns the credential's id. */
async function grantCode(to = lock): Promise<number> {
  serial += 1;
  const code = String(serial);
  const window = { validFrom: owner.now(), validTo: new Date(owner.now().getTime() + DAY_MS) };
  return owner.write(async (tx) => {
    const passcodeId = await nextId(tx, "passcode");
    await tx.db.passcode.create({
      data: {
        id: passcodeId,
        hotelId: hotel.id,
        type: "custom",
        codeBox: owner.secrets.code.seal(code, codeContext(owner, passcodeId)),
        person: "Ada",
        roomId: to.roomId ?? 0,
        ...window,
      },
    });
    const subject = { kind: "passcode" as const, passcodeId, codeHash: codeHash(owner, code), content: { code } };
    return grantCredential(owner, tx, { id: to.id, roomId: to.roomId ?? 0 }, subject, window);
  });
}

const revoke = (id: number) => owner.write((tx) => revokeCredentials(owner, tx, { id }, "by_hand"));
const states = async (to = lock) => (await bench.commands(to.id)).map(({ state }) => state).slice(1);

/** The lock leaves a try unanswered, and the pause before the next try passes. */
async function silence(minutes = 12): Promise<void> {
  world.clock.advance(15_000);
  await bench.dispatch(lock);
  world.clock.advance(minutes * MINUTE_MS);
  await bench.dispatch(lock);
}

describe("commands of a lock", () => {
  it("are sent one at a time, each after the one before has ended", async () => {
    for (const subject of ["a", "b", "c"]) await notice(subject);
    await bench.dispatch(lock);
    await bench.dispatch(lock);
    expect(await states()).toEqual(["sent", "queued", "queued"]);
    await bench.ack(lock);
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "refused" });
    await bench.dispatch(lock);
    expect(bench.driver.sent.map(({ command }) => command.args.text)).toEqual(["a", "b", "c"]);
    expect(await states()).toEqual(["acknowledged", "failed", "sent"]);
  });

  it("are completed in one pass where the driver answers at once", async () => {
    for (const subject of ["a", "b", "c"]) await notice(subject);
    bench.driver.reply = () => ({ outcome: "answered", ack: { ok: true } });
    await bench.dispatch(lock);
    expect(await states()).toEqual(["acknowledged", "acknowledged", "acknowledged"]);
  });

  it("are sent by one worker, however many run at once", async () => {
    await notice("a");
    await Promise.all(Array.from({ length: 6 }, () => bench.dispatch(lock)));
    expect(bench.driver.sent).toHaveLength(1);
  });

  it("do not wait for another lock", async () => {
    const other = await bench.addLock(owner, { roomId: await hotel.createRoom("102") });
    await notice("never answered");
    await notice("b", other);
    bench.driver.reply = ({ id }) => (id === lock.id ? new Promise<never>(() => {}) : { outcome: "sent" });
    void bench.dispatch(lock);
    await bench.dispatch(other);
    await bench.ack(other);
    expect(await states(other)).toEqual(["acknowledged"]);
  });

  it("record what they were sent with, and drop their arguments when they end", async () => {
    const id = await grantCode();
    await bench.dispatch(lock);
    const { validFrom, validTo } = await bench.credential(id);
    const begin = new Date(validFrom.getTime() - 30_000).toISOString();
    expect(bench.driver.lastTo(lock.id)).toMatchObject({
      type: "set_credential",
      args: { slot: id, kind: "passcode", code: String(serial), validFrom: begin },
      expires: validTo?.toISOString(),
      now: owner.now().toISOString(),
    });
    expect(await bench.credential(id)).toMatchObject({ state: "sent" });
    await bench.ack(lock);
    expect(await bench.credential(id)).toMatchObject({ state: "confirmed", confirmedAt: owner.now() });
    expect((await bench.commands(lock.id)).map(({ argsBox }) => argsBox)).toEqual([null, null]);
  });

  it("are not sent once a newer command on the same subject exists", async () => {
    await notice("display");
    await notice("display");
    const id = await grantCode();
    await revoke(id);
    expect(await bench.credential(id)).toMatchObject({ state: "revoked", revokeReason: "by_hand" });
    expect(await states()).toEqual(["superseded", "queued", "superseded"]);
    await bench.drain(owner, lock.id);
    expect(bench.driver.typesTo(lock.id)).toEqual(["notice"]);
  });
});

describe("answers", () => {
  it("that are lost are requested again with the same id", async () => {
    const id = await grantCode();
    await bench.dispatch(lock);
    world.clock.advance(15_000);
    await bench.dispatch(lock);
    expect(bench.driver.sent).toHaveLength(1);
    expect((await bench.commands(lock.id)).at(-1)).toMatchObject({ state: "queued", error: "no_answer", tries: 1 });
    expect(await bench.lock(lock.id)).toMatchObject({ failures: 1, lastError: "no_answer" });
    world.clock.advance(6_500);
    await bench.dispatch(lock);
    const [first, second] = bench.driver.sent;
    expect(second?.command.id).toBe(first?.command.id);
    await bench.ack(lock);
    expect(await bench.credential(id)).toMatchObject({ state: "confirmed" });
    expect(await bench.lock(lock.id)).toMatchObject({ failures: 0, lastError: null, lastSeenAt: owner.now() });
  });

  it("that were lost are requested at once when the lock is heard, whatever pause was planned", async () => {
    const id = await grantCode();
    await bench.dispatch(lock);
    world.clock.advance(16_000);
    await bench.dispatch(lock);
    expect(bench.driver.sent).toHaveLength(1);
    await bench.status(lock, "online");
    await bench.dispatch(lock);
    expect(bench.driver.sent).toHaveLength(2);
    await bench.ack(lock);
    expect(await bench.credential(id)).toMatchObject({ state: "confirmed" });
  });

  it("that arrive twice change nothing the second time", async () => {
    const id = await grantCode();
    await bench.dispatch(lock);
    await bench.ack(lock);
    await world.database.prisma.credential.update({ where: { id }, data: { state: "used" } });
    await bench.ack(lock);
    await bench.ack(lock, { ok: false, error: "full" });
    expect(await bench.credential(id)).toMatchObject({ state: "used", failReason: null });
    expect(await states()).toEqual(["acknowledged"]);
  });

  it("to an older command never complete a newer one", async () => {
    const id = await grantCode();
    await bench.dispatch(lock);
    const older = bench.driver.lastTo(lock.id).id;
    const credential = await bench.credential(id);
    await owner.write(async (tx) => {
      await tx.db.credential.update({ where: { id }, data: { state: "queued" } });
      await sendCredential(owner, tx, credential, { code: "123789" });
    });
    await bench.ack(lock, { id: older });
    expect(await bench.credential(id)).toMatchObject({ state: "queued" });
    await bench.dispatch(lock);
    await bench.ack(lock);
    expect(await bench.credential(id)).toMatchObject({ state: "confirmed" });
  });

  it("that arrive late count while no newer command exists", async () => {
    const id = await grantCode();
    await bench.dispatch(lock);
    world.clock.advance(DAY_MS);
    await bench.dispatch(lock);
    expect(await states()).toEqual(["expired"]);
    expect(await bench.credential(id)).toMatchObject({ state: "failed", failReason: "no_answer" });
    await bench.ack(lock);
    expect(await states()).toEqual(["acknowledged"]);
    expect(await bench.credential(id)).toMatchObject({ state: "confirmed", failReason: null });
  });

  it("of another lock or an unknown one are ignored", async () => {
    const other = await bench.addLock(owner);
    await notice("a");
    await bench.dispatch(lock);
    const { id } = bench.driver.lastTo(lock.id);
    await bench.ack(other, { id });
    await bench.plane.acknowledge({ hotelId: hotel.id, mac: "FFFFFFFFFFFF" }, { id, ok: true });
    const stranger = await world.createHotel();
    await bench.plane.acknowledge({ hotelId: stranger.id, mac: lock.mac }, { id, ok: true });
    expect(await states()).toEqual(["sent"]);
  });

  it("busy: the command is repeated soon, without a failure", async () => {
    await notice("a");
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "busy" });
    expect((await bench.commands(lock.id)).at(-1)).toMatchObject({ state: "queued", error: "busy" });
    expect(await bench.lock(lock.id)).toMatchObject({ failures: 0 });
    world.clock.advance(6_500);
    await bench.dispatch(lock);
    expect(bench.driver.sent).toHaveLength(2);
  });

  it("duplicate: our own credential is confirmed; a foreign one is read back", async () => {
    const ours = await grantCode();
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "duplicate", slot: ours });
    expect(await bench.credential(ours)).toMatchObject({ state: "confirmed" });
    const grantedCode = await grantCode();
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "duplicate", slot: 7 });
    expect(await bench.credential(grantedCode)).toMatchObject({ state: "failed", failReason: "duplicate" });
    expect(await bench.alerts(lock.id)).toMatchObject([
      { kind: "command_failed", roomId: lock.roomId, params: { error: "duplicate" } },
    ]);
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id).type).toBe("read_back");
  });

  it("not_found: a credential to remove is gone", async () => {
    const id = await grantCode();
    await bench.drain(owner, lock.id);
    await revoke(id);
    expect(await bench.credential(id)).toMatchObject({ state: "revoking" });
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "not_found" });
    expect(await bench.credential(id)).toMatchObject({ state: "revoked" });
  });

  it("refused: a credential to remove may still open and is listed", async () => {
    const id = await grantCode();
    await bench.drain(owner, lock.id);
    await revoke(id);
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "refused" });
    expect(await bench.credential(id)).toMatchObject({ state: "revoking", failReason: "refused" });
    expect(await retry(owner, { lockId: lock.id })).toEqual({ retried: 1 });
    await bench.drain(owner, lock.id);
    expect(await bench.credential(id)).toMatchObject({ state: "revoked", failReason: null });
  });

  it("to a raised minimum sequence revoke the cards below it", async () => {
    const { prisma } = world.database;
    const card = await prisma.card.create({
      data: {
        hotelId: hotel.id,
        uid: "DA3CBC66",
        kind: "guest",
        state: "revoking",
        sequence: 4,
        validFrom: owner.now(),
        profileId: (await prisma.cardProfile.findFirstOrThrow({ where: { hotelId: hotel.id } })).id,
        rooms: { create: { roomId: lock.roomId ?? 0 } },
      },
    });
    await owner.write((tx) => raiseMinSequence(owner, tx, lock.id, 5));
    await bench.dispatch(lock);
    expect(await prisma.card.findUnique({ where: { id: card.id } })).toMatchObject({ state: "revoking" });
    await bench.ack(lock);
    expect(await bench.lock(lock.id)).toMatchObject({ guestFloor: 5 });
    expect(await prisma.card.findUnique({ where: { id: card.id } })).toMatchObject({ state: "revoked" });
  });
});

describe("the alert about a failed command", () => {
  const open = () =>
    world.database.prisma.alert.count({ where: { lockId: lock.id, kind: "command_failed", resolvedAt: null } });
  const refuse = async () => {
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "invalid" });
  };
  const comply = async () => {
    await bench.dispatch(lock);
    await bench.ack(lock);
  };
  const floor = (to: number) => owner.write((tx) => raiseMinSequence(owner, tx, lock.id, to));

  it("is resolved once the same command succeeds, and only when every failed one has", async () => {
    await grantCode();
    await refuse();
    await floor(4);
    await refuse();
    expect(await open()).toBe(1);
    await grantCode();
    await comply();
    await floor(5);
    await comply();
    expect(await open()).toBe(1);
    await retry(owner, { lockId: lock.id });
    await comply();
    expect(await open()).toBe(0);
  });

  it("stays when the lock does something else, and ends when its key expires", async () => {
    // As in production, two readings of the clock never return the same instant.
    let instant = Date.parse(NOW);
    const ticking = vi.spyOn(world.clock, "now").mockImplementation(() => {
      instant += 1;
      return new Date(instant);
    });
    onTestFinished(() => ticking.mockRestore());
    await grantCode();
    await refuse();
    await notice("something else");
    await comply();
    expect(await open()).toBe(1);
    instant += 2 * DAY_MS;
    await bench.status(lock, "online");
    expect(await open()).toBe(0);
  });

  it("about a minimum sequence is resolved once the lock is configured with it", async () => {
    await floor(4);
    await refuse();
    await owner.write((tx) => configureLock(owner, tx, lock.id));
    await comply();
    expect(await open()).toBe(0);
  });

  it("is resolved when all commands are repeated by hand and succeed, not before", async () => {
    await floor(4);
    await refuse();
    await grantCode();
    await refuse();
    await retry(owner, { lockId: lock.id });
    await comply();
    expect(await open()).toBe(1);
    await comply();
    expect(await open()).toBe(0);
    expect(bench.driver.typesTo(lock.id).slice(-2)).toEqual(["configure", "set_credential"]);
  });

  it("stays when the command fails again", async () => {
    await grantCode();
    await refuse();
    await retry(owner, { lockId: lock.id });
    await refuse();
    await notice("a");
    await comply();
    expect(await open()).toBe(1);
  });
});

describe("a lock that does not answer", () => {
  it("is not contacted after three failures until it is seen", async () => {
    await notice("a");
    await bench.dispatch(lock);
    await silence();
    await silence();
    expect(await bench.lock(lock.id)).toMatchObject({ failures: 2, breakerOpenedAt: null });
    await silence();
    expect((await bench.lock(lock.id)).breakerOpenedAt).not.toBeNull();
    world.clock.advance(DAY_MS);
    await bench.dispatch(lock);
    expect(bench.driver.sent).toHaveLength(3);
    await bench.status(lock, "online");
    expect(await bench.lock(lock.id)).toMatchObject({ failures: 0, breakerOpenedAt: null });
    await bench.dispatch(lock);
    expect(bench.driver.sent).toHaveLength(4);
  });

  it("is contacted at once by hand", async () => {
    await notice("a");
    await bench.dispatch(lock);
    for (let n = 0; n < 3; n += 1) await silence();
    expect(await retry(owner, { lockId: lock.id })).toEqual({ retried: 1 });
    await bench.dispatch(lock);
    expect(bench.driver.sent).toHaveLength(4);
  });

  it("fails a command after eight unanswered tries while it is online", async () => {
    const id = await grantCode();
    await bench.dispatch(lock);
    for (let n = 0; n < 8; n += 1) {
      await bench.status(lock, "online");
      await silence();
    }
    expect(await states()).toEqual(["failed"]);
    expect(bench.driver.sent).toHaveLength(8);
    expect(await bench.credential(id)).toMatchObject({ state: "failed", failReason: "no_answer" });
    await retry(owner, { lockId: lock.id });
    await bench.drain(owner, lock.id);
    expect(await bench.credential(id)).toMatchObject({ state: "confirmed", failReason: null });
  });

  it("gets the newer command next, not the older one again", async () => {
    const id = await grantCode();
    await bench.dispatch(lock);
    await revoke(id);
    world.clock.advance(15_000);
    await bench.dispatch(lock);
    expect(await states()).toEqual(["superseded", "sent"]);
    expect(bench.driver.typesTo(lock.id)).toEqual(["set_credential", "remove_credential"]);
  });

  it("gets no expired commands: a code to remove has ended, a code to add has failed", async () => {
    const [current, late] = [await grantCode(), await grantCode()];
    await bench.driver.sent.splice(0);
    await bench.dispatch(lock);
    await bench.ack(lock);
    await revoke(current);
    await bench.status(lock, "offline");
    world.clock.advance(3 * DAY_MS);
    await bench.dispatch(lock);
    expect(await bench.credential(current)).toMatchObject({ state: "revoked" });
    expect(await bench.credential(late)).toMatchObject({ state: "failed", failReason: "no_answer" });
    expect(bench.driver.sent).toHaveLength(1);
  });
});

describe("a command that takes a key away", () => {
  const ANSWERS = ["busy", "no answer", "full"] as const;
  const failing = () =>
    world.database.prisma.alert.count({ where: { lockId: lock.id, kind: "command_failed", resolvedAt: null } });

  it.each(ANSWERS)(
    "is never given up, though the lock answers %s again and again, and operators are alerted",
    async (answer) => {
      const id = await grantCode();
      await bench.drain(owner, lock.id);
      await revoke(id);
      for (let n = 0; n < 12; n += 1) {
        await bench.status(lock, "online");
        await bench.dispatch(lock);
        if (answer === "no answer") world.clock.advance(15_000);
        else await bench.ack(lock, { ok: false, error: answer });
        await bench.dispatch(lock);
      }
      expect((await bench.commands(lock.id, "remove_credential")).map(({ state }) => state)).toEqual(["queued"]);
      expect(await failing()).toBe(1);
      await bench.status(lock, "online");
      await bench.drain(owner, lock.id);
      expect(await bench.credential(id)).toMatchObject({ state: "revoked" });
      expect(await failing()).toBe(0);
    },
  );

  it("can also be a minimum sequence, a blocked card, or an earlier end", async () => {
    const id = await grantCode();
    await bench.drain(owner, lock.id);
    const sooner = new Date(owner.now().getTime() + DAY_MS / 2);
    await owner.write(async (tx) => {
      const credential = await tx.db.credential.update({ where: { id }, data: { state: "queued", validTo: sooner } });
      await sendCredential(owner, tx, credential, { code: "123789" });
      await raiseMinSequence(owner, tx, lock.id, 7);
      const args = { uid: "DA3CBC66", until: null };
      await enqueue(owner, tx, lock.id, { type: "block_card", subject: "card:DA3CBC66", args });
    });
    bench.driver.reply = () => ({ outcome: "answered", ack: { ok: false, error: "busy" } });
    for (let n = 0; n < 30; n += 1) {
      await bench.status(lock, "online");
      await bench.dispatch(lock);
    }
    expect(await states()).toEqual(["acknowledged", "queued", "queued", "queued"]);
    await bench.status(lock, "online");
    await bench.drain(owner, lock.id);
    expect(await states()).toEqual(["acknowledged", "acknowledged", "acknowledged", "acknowledged"]);
  });

  it("waits after many tries without delaying others, and gives way to a newer command for the same key", async () => {
    const id = await grantCode();
    await bench.drain(owner, lock.id);
    await revoke(id);
    bench.driver.reply = () => ({ outcome: "answered", ack: { ok: false, error: "busy" } });
    for (let n = 0; n < 9; n += 1) {
      await bench.status(lock, "online");
      await bench.dispatch(lock);
    }
    await notice("a");
    bench.driver.reply = () => ({ outcome: "sent" });
    await bench.status(lock, "online");
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id).type).toBe("notice");
    await bench.ack(lock);
    const credential = await bench.credential(id);
    await owner.write(async (tx) => {
      await tx.db.credential.update({ where: { id }, data: { state: "queued" } });
      await sendCredential(owner, tx, credential, { code: "123789" });
    });
    await bench.drain(owner, lock.id);
    expect(bench.driver.typesTo(lock.id).slice(-2)).toEqual(["notice", "set_credential"]);
    expect((await bench.commands(lock.id, "remove_credential")).map(({ state }) => state)).toEqual(["superseded"]);
  });

  it("continues for as long as the lock's clock accepts the key, when that turns out to be slow", async () => {
    const id = await grantCode();
    await bench.drain(owner, lock.id);
    await revoke(id);
    world.clock.advance(DAY_MS + MINUTE_MS);
    const slow = { driftSeconds: -7200, lastSeenAt: owner.now() };
    await world.database.prisma.lock.update({ where: { id: lock.id }, data: slow });
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id).type).toBe("remove_credential");
    world.clock.advance(15_000);
    await bench.dispatch(lock);
    expect(await bench.credential(id)).toMatchObject({ state: "revoking" });
    world.clock.advance(2 * 3_600_000);
    await bench.dispatch(lock);
    expect(await bench.credential(id)).toMatchObject({ state: "revoked" });
  });
});

describe("a lock whose clock is wrong", () => {
  const at = (seconds: number) => ({ at: new Date(owner.now().getTime() + seconds * 1000).toISOString() });

  it("has it set before anything else, and refused commands are repeated afterwards", async () => {
    const current = await grantCode();
    await bench.drain(owner, lock.id);
    await bench.status(lock, "offline");
    const fresh = await grantCode();
    await revoke(current);
    await bench.status(lock, "online", at(10 * 86_400));
    await bench.dispatch(lock);
    expect(bench.driver.typesTo(lock.id).slice(-1)).toEqual(["set_clock"]);
    await bench.ack(lock);
    await bench.drain(owner, lock.id);
    expect(bench.driver.typesTo(lock.id).slice(-2)).toEqual(["set_credential", "remove_credential"]);
    expect(await bench.credential(fresh)).toMatchObject({ state: "confirmed" });
    expect(await bench.credential(current)).toMatchObject({ state: "revoked" });
  });

  it("has its refusals ignored: the command waits until the clock is right", async () => {
    const id = await grantCode();
    await bench.dispatch(lock);
    await bench.status(lock, "online", at(-900));
    await bench.ack(lock, { ok: false, error: "refused" });
    expect(await bench.credential(id)).toMatchObject({ state: "sent" });
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id).type).toBe("set_clock");
    await bench.ack(lock);
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id).type).toBe("set_credential");
    await bench.ack(lock, { ok: false, error: "refused" });
    expect(await bench.credential(id)).toMatchObject({ state: "failed", failReason: "refused" });
  });
});

it("a full lock gets the refused credential once another one is removed", async () => {
  const [first, second] = [await grantCode(), await grantCode()];
  await bench.dispatch(lock);
  await bench.ack(lock);
  await bench.dispatch(lock);
  await bench.ack(lock, { ok: false, error: "full" });
  expect(await bench.credential(second)).toMatchObject({ state: "failed", failReason: "full" });
  await revoke(first);
  await bench.drain(owner, lock.id);
  expect(await bench.credential(second)).toMatchObject({ state: "confirmed", failReason: null });
});

describe("a lock that is offline", () => {
  it("costs no tries, and gets its commands when it returns", async () => {
    await bench.status(lock, "offline");
    await notice("a");
    world.clock.advance(DAY_MS);
    await bench.dispatch(lock);
    expect((await bench.commands(lock.id)).at(-1)).toMatchObject({ state: "queued", tries: 0 });
    expect((await bench.alerts(lock.id)).map(({ kind }) => kind)).toEqual(["lock_offline"]);
    await bench.status(lock, "online");
    expect((await bench.alerts(lock.id)).filter(({ resolvedAt }) => !resolvedAt)).toEqual([]);
    await bench.dispatch(lock);
    await bench.ack(lock);
    expect(await states()).toEqual(["acknowledged"]);
  });

  it("gets again what was in flight when it went offline", async () => {
    await notice("a");
    await bench.dispatch(lock);
    await bench.status(lock, "offline");
    await bench.status(lock, "online");
    await bench.dispatch(lock);
    expect(bench.driver.sent).toHaveLength(2);
    expect(await bench.lock(lock.id)).toMatchObject({ failures: 0 });
  });

  it("is tried anyway where its driver cannot know", async () => {
    const zigbee = new ScriptedDriver("zigbee2mqtt");
    bench.plane.delivery.use(zigbee);
    const door = await bench.addLock(owner, { driver: "zigbee2mqtt", address: "door 1" }, false);
    await notice("a", door);
    zigbee.reply = () => ({ outcome: "undelivered", error: "gateway", again: true });
    for (let n = 0; n < 4; n += 1) {
      await bench.dispatch(door);
      world.clock.advance(13 * MINUTE_MS);
    }
    expect(zigbee.sent).toHaveLength(4);
    zigbee.reply = () => ({ outcome: "answered", ack: { ok: true } });
    await bench.dispatch(door);
    expect(await bench.lock(door.id)).toMatchObject({ failures: 0, online: true });
  });

  it("counts as offline after three failures where its driver cannot know, and is never stopped", async () => {
    const zigbee = new ScriptedDriver("zigbee2mqtt");
    bench.plane.delivery.use(zigbee);
    const door = await bench.addLock(owner, { driver: "zigbee2mqtt", address: "door 2" }, false);
    zigbee.reply = () => ({ outcome: "answered", ack: { ok: true } });
    await notice("a", door);
    await bench.dispatch(door);
    await notice("b", door);
    zigbee.reply = () => ({ outcome: "undelivered", error: "gateway", again: true });
    const online = [];
    for (let n = 0; n < 3; n += 1) {
      await bench.dispatch(door);
      online.push((await bench.lock(door.id)).online);
      world.clock.advance(13 * MINUTE_MS);
    }
    expect(online).toEqual([true, true, false]);
    expect(await bench.lock(door.id)).toMatchObject({ failures: 3, breakerOpenedAt: null, lastError: "gateway" });
    zigbee.reply = () => ({ outcome: "answered", ack: { ok: true } });
    await bench.dispatch(door);
    expect(await bench.lock(door.id)).toMatchObject({ failures: 0, online: true, lastError: null });
    expect((await bench.commands(door.id)).map(({ state }) => state)).not.toContain("queued");
  });

  it("is back with an answer to a command, which resolves the alert", async () => {
    const zigbee = new ScriptedDriver("zigbee2mqtt");
    bench.plane.delivery.use(zigbee);
    const address = "door 3";
    const door = await bench.addLock(owner, { driver: "zigbee2mqtt", address }, false);
    const report = (state: "online" | "offline") =>
      bench.plane.status({ hotelId: owner.hotelId, driver: "zigbee2mqtt", address }, { state });
    const open = async () =>
      (await bench.alerts(door.id)).flatMap(({ kind, resolvedAt }) => (resolvedAt ? [] : [kind]));
    await report("online");
    await report("offline");
    expect(await open()).toEqual(["lock_offline"]);
    zigbee.reply = () => ({ outcome: "answered", ack: { ok: true } });
    await notice("a", door);
    await bench.dispatch(door);
    expect(await open()).toEqual([]);
  });

  it("whose driver does not support a command fails it at once", async () => {
    bench.driver.reply = () => ({ outcome: "undelivered", error: "unsupported", again: false });
    const id = await grantCode();
    await bench.dispatch(lock);
    expect(await bench.credential(id)).toMatchObject({ state: "failed", failReason: "unsupported" });
    bench.driver.reply = () => Promise.reject(new Error("a driver that breaks its word"));
    await notice("a");
    await bench.dispatch(lock);
    expect((await bench.commands(lock.id)).at(-1)).toMatchObject({ state: "queued", error: "internal" });
  });
});

describe("a lock's status report", () => {
  const version = async () =>
    (await world.database.prisma.hotelState.findUniqueOrThrow({ where: { hotelId: hotel.id } })).boardVersion;

  it("updates the board's version when the board shows the change", async () => {
    const before = await version();
    await bench.status(lock, "online", { power: 80 });
    const changed = await version();
    expect(changed).toBeGreaterThan(before);
    await bench.status(lock, "online", { power: 80 });
    expect(await version()).toBe(changed);
    await bench.status(lock, "offline");
    expect(await version()).toBeGreaterThan(changed);
    expect(await bench.lock(lock.id)).toMatchObject({ power: 80, online: false });
  });

  it("that the broker retained is no sign of life", async () => {
    await bench.status(lock, "offline");
    const { lastSeenAt } = await bench.lock(lock.id);
    world.clock.advance(MINUTE_MS);
    const statusReport = { state: "online" as const, power: 50, at: NOW };
    await bench.plane.status({ hotelId: hotel.id, mac: lock.mac }, statusReport, true);
    expect(await bench.lock(lock.id)).toMatchObject({ online: true, power: 50, lastSeenAt, driftSeconds: null });
    expect(await bench.commands(lock.id, "set_clock")).toEqual([]);
  });

  it("sets a wrong clock once", async () => {
    const off = (seconds: number) => ({ at: new Date(owner.now().getTime() + seconds * 1000).toISOString() });
    await bench.status(lock, "online", off(20));
    expect(await bench.commands(lock.id, "set_clock")).toEqual([]);
    const other = await bench.addLock(owner);
    await bench.status(other, "online", off(21));
    expect(await bench.commands(other.id, "set_clock")).toHaveLength(1);
    for (let n = 0; n < 2; n += 1) await bench.status(lock, "online", off(-400));
    expect(await bench.commands(lock.id, "set_clock")).toHaveLength(1);
    expect(await bench.lock(lock.id)).toMatchObject({ driftSeconds: -400 });
    expect(await bench.alerts(lock.id)).toMatchObject([{ kind: "clock_drift", params: { seconds: 400 } }]);
    world.clock.advance(MINUTE_MS);
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id).args).toEqual({ now: owner.now().toISOString() });
    await bench.ack(lock);
    expect(await bench.lock(lock.id)).toMatchObject({ driftSeconds: 0 });
    expect((await bench.alerts(lock.id))[0]?.resolvedAt).not.toBeNull();
  });

  it("of lost memory makes the server send all keys again and read the lock back", async () => {
    const { prisma } = world.database;
    await bench.status(lock, "online", { log: "log-1" });
    await bench.status(lock, "online", { log: "log-1" });
    expect(await bench.commands(lock.id, "read_back")).toEqual([]);
    await prisma.lock.update({ where: { id: lock.id }, data: { eventSeq: 40 } });
    await bench.status(lock, "online", { log: "log-2" });
    expect(await bench.lock(lock.id)).toMatchObject({ eventLog: "log-2", eventBase: BigInt(2 ** 31) });
    const types = (await bench.commands(lock.id)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(["configure", "read_back"]);
    await bench.status(lock, "online", { log: "log-1" });
    expect(await bench.lock(lock.id)).toMatchObject({ eventLog: "log-1", eventBase: 0n });
  });

  it("of lost memory while the lock is busy configures it when it is heard again", async () => {
    await bench.status(lock, "online", { log: "log-1" });
    await bench.status(lock, "online", { log: "log-2" });
    bench.driver.reply = () => ({ outcome: "answered", ack: { ok: false, error: "busy" } });
    for (let tries = 0; tries < 8; tries += 1) {
      await bench.dispatch(lock);
      world.clock.advance(12 * MINUTE_MS);
    }
    expect((await bench.commands(lock.id, "configure")).map(({ state }) => state)).toEqual(["acknowledged", "failed"]);
    expect((await bench.lock(lock.id)).resetAt).not.toBeNull();
    await bench.status(lock, "online", { log: "log-2" });
    await bench.status(lock, "online", { log: "log-2" });
    expect(await bench.commands(lock.id, "configure")).toHaveLength(3);
    await bench.drain(owner, lock.id);
    expect(await bench.lock(lock.id)).toMatchObject({ resetAt: null });
    expect(await bench.alerts(lock.id)).toMatchObject([{ kind: "command_failed", resolvedAt: expect.any(Date) }]);
  });

  it("of lost memory raises an alert while a used one-time code may open again", async () => {
    const passcode = createPasscodeInput.parse({
      type: "one_time",
      roomIds: [lock.roomId],
      person: "Ada",
      note: "parcel",
    });
    await bench.status(lock, "online", { log: "log-1" });
    const { passcodeId } = await passcodes.create(owner, passcode);
    await bench.status(lock, "offline");
    await bench.status(lock, "online", { log: "log-2" });
    const alerts = async () =>
      (await listAlerts(owner, alertsInput.parse({ kind: "codes_again" }))).rows.map(({ kind, params, roomName }) => ({
        kind,
        roomName,
        name: params.name,
      }));
    expect(await alerts()).toEqual([{ kind: "codes_again", roomName: "101", name: "Ada · parcel" }]);
    await bench.drain(owner, lock.id);
    await bench.status(lock, "online", { log: "log-2" });
    expect(await alerts()).toHaveLength(1);
    await passcodes.remove(owner, { passcodeId });
    await bench.drain(owner, lock.id);
    expect(await alerts()).toEqual([]);
  });

  it("of lost memory raises no such alert without one-time codes", async () => {
    await bench.status(lock, "online", { log: "log-1" });
    await grantCode();
    await bench.status(lock, "online", { log: "log-2" });
    expect(await bench.alerts(lock.id)).toEqual([]);
  });

  it("with its credentials is compared with ours", async () => {
    const [confirmed, lost, removed] = [await grantCode(), await grantCode(), await grantCode()];
    await bench.drain(owner, lock.id);
    await revoke(removed);
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "refused" });
    await owner.write((tx) => enqueue(owner, tx, lock.id, { type: "read_back", subject: "read_back", args: {} }));
    await bench.dispatch(lock);
    const foreign = { slot: 900_001, kind: "passcode" as const, name: "Janitor", validFrom: null, validTo: null };
    await bench.ack(lock, { held: [{ ...foreign, slot: confirmed, name: "" }, foreign] });
    expect(await bench.lock(lock.id)).toMatchObject({ unmanaged: [{ slot: 900_001, name: "Janitor" }] });
    expect((await bench.alerts(lock.id)).at(-1)).toMatchObject({ kind: "unmanaged_code", params: { count: 1 } });
    expect(await bench.credential(confirmed)).toMatchObject({ state: "confirmed" });
    expect(await bench.credential(removed)).toMatchObject({ state: "revoked" });
    expect(await bench.credential(lost)).toMatchObject({ state: "queued" });
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id)).toMatchObject({ type: "set_credential", args: { slot: lost } });
  });
});

describe("the windows in a read-back", () => {
  const readBack = async (id: number, window: { validFrom: Date; validTo: Date | null }) => {
    await owner.write((tx) => enqueue(owner, tx, lock.id, { type: "read_back", subject: "read_back", args: {} }));
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id).type).toBe("read_back");
    const { validFrom, validTo } = window;
    const report = { validFrom: validFrom.toISOString(), validTo: validTo?.toISOString() ?? null };
    await bench.ack(lock, { held: [{ slot: id, kind: "passcode", name: "", ...report }] });
  };
  const later = (date: Date | null) => new Date((date?.getTime() ?? 0) + DAY_MS);

  it("are corrected where they differ from ours", async () => {
    const id = await grantCode();
    await bench.drain(owner, lock.id);
    const { validFrom, validTo } = await bench.credential(id);
    await readBack(id, { validFrom, validTo: later(validTo) });
    expect(await bench.credential(id)).toMatchObject({ state: "queued", atLockTo: later(validTo) });
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id)).toMatchObject({
      type: "set_credential",
      args: { slot: id, validTo: validTo?.toISOString() },
    });
    await bench.ack(lock);
    expect(await bench.credential(id)).toMatchObject({ state: "confirmed", atLockTo: validTo });
  });

  it("confirm a credential where they match, whatever the lock answered before", async () => {
    const id = await grantCode();
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "internal" });
    expect(await bench.credential(id)).toMatchObject({ state: "failed" });
    await readBack(id, await bench.credential(id));
    expect(await bench.credential(id)).toMatchObject({ state: "confirmed", failReason: null });
    expect((await bench.alerts(lock.id)).filter(({ resolvedAt }) => !resolvedAt)).toEqual([]);
  });

  it("do not repeat the same failing command over and over", async () => {
    const id = await grantCode();
    await bench.drain(owner, lock.id);
    const { validFrom, validTo } = await bench.credential(id);
    const wrong = { validFrom, validTo: later(validTo) };
    await readBack(id, wrong);
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "invalid" });
    await readBack(id, wrong);
    expect(await bench.credential(id)).toMatchObject({ state: "failed" });
    world.clock.advance(3_600_000);
    await readBack(id, wrong);
    expect(await bench.credential(id)).toMatchObject({ state: "queued" });
  });

  it("show a revoked key that the lock still has, which is removed again", async () => {
    const id = await grantCode();
    await bench.drain(owner, lock.id);
    await revoke(id);
    await bench.dispatch(lock);
    await bench.ack(lock, { ok: false, error: "invalid" });
    world.clock.advance(3_600_000);
    await readBack(id, await bench.credential(id));
    await bench.drain(owner, lock.id);
    expect(await bench.credential(id)).toMatchObject({ state: "revoked" });
  });
});

it("the sweep selects locks with work to do, and no others", async () => {
  const jobs: unknown[] = [];
  const watched = createLockBench(world, {
    queue: { ...idleQueue, add: async (_job: unknown, payload: unknown) => void jobs.push(payload) },
  });
  const away = await bench.addLock(owner);
  await bench.status(away, "offline");
  await notice("a");
  await notice("b");
  await notice("c", away);
  const sweep = async () => {
    jobs.splice(0);
    await watched.plane.sweep();
    return jobs.filter((payload) => (payload as { hotelId: number }).hotelId === hotel.id);
  };
  const due = [{ hotelId: hotel.id, lockId: lock.id }];
  expect(await sweep()).toEqual(due);
  await bench.dispatch(lock);
  expect(await sweep()).toEqual([]);
  world.clock.advance(15_000);
  expect(await sweep()).toEqual(due);
});

describe("a lock that comes online", () => {
  const jobs: { payload: unknown; delayMs: number }[] = [];
  const noting = {
    ...idleQueue,
    async add(_job: unknown, payload: unknown, { delayMs = 0 } = {}) {
      jobs.push({ payload, delayMs });
    },
  };
  beforeEach(() => {
    bench = createLockBench(world, { queue: noting });
    jobs.splice(0);
  });

  it("gets its waiting commands again after two and five seconds, with a little jitter", async () => {
    await bench.status(lock, "online");
    expect(jobs).toEqual([]);
    await notice("a");
    await bench.status(lock, "online");
    expect(jobs.map(({ payload }) => payload)).toEqual(
      Array(2).fill({ hotelId: hotel.id, lockId: lock.id, again: true }),
    );
    const [first = 0, second = 0] = jobs.map(({ delayMs }) => delayMs);
    expect(first > 1_500 && first <= 2_000 && second > 4_000 && second < 5_000).toBe(true);
  });

  it("gets the same command under the same id, which counts as one try", async () => {
    await notice("a");
    await notice("b");
    await bench.dispatch(lock);
    await bench.plane.delivery.dispatch(hotel.id, lock.id, undefined, true);
    expect(new Set(bench.driver.sent.map(({ command }) => command.id)).size).toBe(1);
    expect(bench.driver.sent).toHaveLength(2);
    expect((await bench.commands(lock.id, "notice"))[0]).toMatchObject({ state: "sent", tries: 1 });
    await bench.ack(lock);
    await bench.dispatch(lock);
    expect(bench.driver.sent.map(({ command }) => command.args.text)).toEqual(["a", "a", "b"]);
  });

  it("gets no expired command again, and none while it is offline", async () => {
    await notice("a", lock, new Date(owner.now().getTime() + MINUTE_MS));
    await bench.dispatch(lock);
    await bench.status(lock, "offline");
    await bench.plane.delivery.dispatch(hotel.id, lock.id, undefined, true);
    expect(bench.driver.sent).toHaveLength(1);
  });
});
