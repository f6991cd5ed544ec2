import type { Capability } from "@innkey/shared/capabilities";
import type { DomainError } from "@innkey/shared/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createDeskWithGuest, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { nextId } from "../../../kernel/transaction.ts";
import { revoke } from "../cards/cards.service.ts";
import { handleOverdue } from "../lock-commands/retry-commands.ts";
import { detail } from "../locks/locks.queries.ts";
import { remove } from "../locks/registration.service.ts";
import { codeContext } from "./credential-content.ts";
import { codeHash, grantCredential, revokeCredentials } from "./credentials.ts";
import { settleCards } from "./min-sequences.ts";
import { listPendingRevocations, resendRevocation, writeOffKeys } from "./pending-revocations.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const HOUR_MS = 3_600_000;

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

async function lostCard(): Promise<number> {
  const { cardId } = await desk.issue(stayId, desk.newUid());
  await desk.issue(stayId, desk.newUid());
  await revoke(desk.owner, { cardId, reason: "lost" });
  return cardId;
}

/** Delivers the waiting commands while the lock refuses all of them. */
async function refuse(): Promise<void> {
  const { driver } = desk.bench;
  const { reply } = driver;
  driver.reply = () => ({ outcome: "answered", ack: { ok: false, error: "invalid" } });
  await desk.deliver(room.lock.id);
  driver.reply = reply;
}

/** Grants a code that the lock has confirmed, then revokes it. Returns the credential's id. */
function confirmedCode(): Promise<number> {
  const window = { validFrom: desk.owner.now(), validTo: null };
  return desk.owner.write(async (tx) => {
    const passcodeId = await nextId(tx, "passcode");
    await tx.db.passcode.create({
      data: {
        id: passcodeId,
        hotelId: hotel.id,
        type: "custom",
        codeBox: desk.owner.secrets.code.seal("730184", codeContext(desk.owner, passcodeId)),
        person: "Ada Marlow",
        roomId: room.roomId,
        ...window,
      },
    });
    const subject = {
      kind: "passcode" as const,
      passcodeId,
      codeHash: codeHash(desk.owner, "730184"),
      content: { code: "730184" },
    };
    return grantCredential(desk.owner, tx, { id: room.lock.id, roomId: room.roomId }, subject, window);
  });
}

describe("keys that may still open", () => {
  it("are listed with door, reason, start and the pending command", async () => {
    const cardId = await lostCard();
    expect(await listPendingRevocations(desk.owner)).toMatchObject([
      {
        key: `card:${cardId}:${room.lock.id}`,
        kind: "card",
        cardId,
        credentialId: null,
        lockId: room.lock.id,
        roomName: "101",
        online: true,
        since: NOW,
        reason: "lost",
        nextTryAt: NOW,
        error: null,
      },
    ]);
    await refuse();
    expect(await listPendingRevocations(desk.owner)).toMatchObject([{ cardId, nextTryAt: null, error: "invalid" }]);
  });

  it("include codes, without their digits", async () => {
    const id = await confirmedCode();
    await desk.deliver(room.lock.id);
    await desk.owner.write((tx) => revokeCredentials(desk.owner, tx, { id }, "by_hand"));
    const rows = await listPendingRevocations(desk.owner);
    expect(rows).toMatchObject([
      { kind: "passcode", credentialId: id, cardId: null, label: "Ada Marlow", validTo: null },
    ]);
    expect(JSON.stringify(rows)).not.toContain("730184");
    await desk.deliver(room.lock.id);
    expect(await listPendingRevocations(desk.owner)).toEqual([]);
  });

  it("name a person only to those who can see keys of that kind, here and at the lock", async () => {
    const id = await confirmedCode();
    await desk.deliver(room.lock.id);
    const staff = (...capabilities: Capability[]) => hotel.scope("staff", { capabilities, roomIds: [room.roomId] });
    const [clerk, technician] = [await staff("locks.view", "passcodes.view"), await staff("locks.view")];
    const labelAtLock = async (scope: Scope) =>
      (await detail(scope, { lockId: room.lock.id })).credentials.find((key) => key.id === id)?.label;
    expect(await labelAtLock(clerk)).toBe("Ada Marlow");
    expect(await labelAtLock(technician)).toBe("");
    await desk.owner.write((tx) => revokeCredentials(desk.owner, tx, { id }, "by_hand"));
    expect(await listPendingRevocations(clerk)).toMatchObject([{ credentialId: id, label: "Ada Marlow" }]);
    expect(await listPendingRevocations(technician)).toMatchObject([{ credentialId: id, label: "" }]);
  });

  it("leave the list when they expire", async () => {
    await lostCard();
    world.clock.advance(3 * 24 * HOUR_MS + HOUR_MS);
    expect(await listPendingRevocations(desk.owner)).toEqual([]);
  });

  it("expire by the lock's clock, later where that is slow or was not reported for long", async () => {
    const cardId = await lostCard();
    const settle = () => desk.owner.write((tx) => settleCards(desk.owner, tx));
    const reportedAt = new Date(world.clock.now().getTime() + 3 * 24 * HOUR_MS);
    const clock = (driftSeconds: number, lastSeenAt: Date) =>
      world.database.prisma.lock.update({ where: { id: room.lock.id }, data: { driftSeconds, lastSeenAt } });
    const isListed = async () => {
      await settle();
      const rows = await listPendingRevocations(desk.owner);
      expect(await desk.state(cardId)).toBe(rows.length > 0 ? "revoking" : "revoked");
      return rows.length > 0;
    };
    world.clock.advance(3 * 24 * HOUR_MS + 10_000);
    await clock(0, world.clock.now());
    await clock(-3600, reportedAt);
    expect(await isListed()).toBe(true);
    await clock(0, new Date(reportedAt.getTime() - 3 * 24 * HOUR_MS));
    expect(await isListed()).toBe(true);
    await clock(3600, reportedAt);
    expect(await isListed()).toBe(false);
  });

  it("stay on the list when their lock is removed or gets another driver, and a removed lock cannot be contacted", async () => {
    const cardId = await lostCard();
    const codeId = await confirmedCode();
    await desk.owner.write((tx) => revokeCredentials(desk.owner, tx, { id: codeId }, "by_hand"));
    await world.database.prisma.lock.update({ where: { id: room.lock.id }, data: { online: false } });
    const before = (await listPendingRevocations(desk.owner)).length;
    await world.database.prisma.lock.update({ where: { id: room.lock.id }, data: { driver: "ttlock" } });
    expect((await listPendingRevocations(desk.owner)).map((row) => row.cardId)).toContain(cardId);
    await world.database.prisma.lock.update({ where: { id: room.lock.id }, data: { driver: "mqtt" } });
    await remove(desk.owner, { lockId: room.lock.id });
    const rows = await listPendingRevocations(desk.owner);
    expect(rows.length).toBeGreaterThanOrEqual(before);
    expect(rows.every(({ lockRemoved }) => lockRemoved)).toBe(true);
    expect(await desk.state(cardId)).toBe("revoking");
    await expect(resendRevocation(desk.owner, { lockId: room.lock.id, cardId })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("leave the list of a removed lock only when an operator writes them off", async () => {
    const cardId = await lostCard();
    const codeId = await confirmedCode();
    await desk.owner.write((tx) => revokeCredentials(desk.owner, tx, { id: codeId }, "by_hand"));
    const { id: lockId } = room.lock;
    await world.database.prisma.lock.update({ where: { id: lockId }, data: { online: false } });
    const writeOff = (scope: Scope) => writeOffKeys(scope, { lockId }).catch(({ code }: DomainError) => code);
    expect(await writeOff(desk.owner)).toBe("not_found");
    await remove(desk.owner, { lockId });
    const { length } = await listPendingRevocations(desk.owner);
    expect(length).toBeGreaterThan(1);
    expect(await writeOff(await hotel.scope("staff", { capabilities: ["locks.view", "locks.retry"] }))).toBe(
      "no_permission",
    );
    expect(await writeOff(await (await world.createHotel()).scope())).toBe("not_found");
    expect(await writeOff(desk.owner)).toEqual({ keys: length });
    expect(await listPendingRevocations(desk.owner)).toEqual([]);
    expect(await desk.state(cardId)).toBe("revoked");
    const entries = await world.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, action: "lock.write_off" },
    });
    expect(entries).toMatchObject([{ entityId: String(lockId), after: { keys: length } }]);
    expect(await writeOff(desk.owner)).toBe("not_found");
  });

  it("are listed for one's own rooms, and for no other hotel", async () => {
    await lostCard();
    const visibleLocks = async (roomIds: number[]) =>
      (await listPendingRevocations(await hotel.scope("staff", { capabilities: ["locks.view"], roomIds }))).length;
    expect(await visibleLocks([room.roomId])).toBe(1);
    expect(await visibleLocks([])).toBe(0);
    expect(await listPendingRevocations(await (await world.createHotel()).scope())).toEqual([]);
  });
});

describe("contacting a lock again", () => {
  it("writes the right command again where none is waiting, and closes the breaker", async () => {
    const cardId = await lostCard();
    await refuse();
    await world.database.prisma.lock.update({
      where: { id: room.lock.id },
      data: { breakerOpenedAt: world.clock.now(), failures: 3 },
    });
    expect(await resendRevocation(desk.owner, { lockId: room.lock.id, cardId })).toEqual({ retried: 1 });
    expect(await desk.bench.lock(room.lock.id)).toMatchObject({ breakerOpenedAt: null, failures: 0 });
    await desk.deliver(room.lock.id);
    expect(await desk.state(cardId)).toBe("revoked");
  });

  it("repeats the command for a code, a sequence, a universal and a management card", async () => {
    const codeId = await confirmedCode();
    await desk.issueMaster("universal", desk.newUid());
    await desk.issueMaster("management", desk.newUid(), { roomIds: [room.roomId] });
    await desk.issue(stayId, desk.newUid());
    await desk.deliver(room.lock.id);
    await desk.owner.write((tx) => revokeCredentials(desk.owner, tx, { id: codeId }, "by_hand"));
    const cards = await world.database.prisma.card.findMany({ where: { hotelId: hotel.id } });
    for (const { id } of cards) await revoke(desk.owner, { cardId: id, reason: "by_hand" });
    await refuse();
    expect((await listPendingRevocations(desk.owner)).map(({ nextTryAt }) => nextTryAt)).toEqual([
      null,
      null,
      null,
      null,
    ]);
    for (const row of await listPendingRevocations(desk.owner)) {
      const ref = row.credentialId === null ? { cardId: row.cardId ?? 0 } : { credentialId: row.credentialId };
      await resendRevocation(desk.owner, { lockId: room.lock.id, ...ref });
    }
    expect((await listPendingRevocations(desk.owner)).map(({ nextTryAt }) => nextTryAt)).toEqual([NOW, NOW, NOW, NOW]);
    await desk.deliver(room.lock.id);
    expect(await listPendingRevocations(desk.owner)).toEqual([]);
  });

  it("makes a waiting command due at once, and writes no second one", async () => {
    const cardId = await lostCard();
    await world.database.prisma.lockCommand.updateMany({
      where: { cardId },
      data: { nextTryAt: new Date(world.clock.now().getTime() + HOUR_MS) },
    });
    await resendRevocation(desk.owner, { lockId: room.lock.id, cardId });
    const blocks = await desk.bench.commands(room.lock.id, "block_card");
    expect(blocks.map(({ nextTryAt }) => nextTryAt.toISOString())).toEqual([NOW]);
  });

  it("lasts as long as the lock may accept the card, even if its command was to end earlier", async () => {
    const cardId = await lostCard();
    const early = new Date(world.clock.now().getTime() - HOUR_MS);
    const where = { cardId, type: "block_card" as const };
    await world.database.prisma.lockCommand.updateMany({ where, data: { expiresAt: early } });
    const [block] = await desk.bench.commands(room.lock.id, "block_card");
    await desk.owner.write((tx) => handleOverdue(desk.owner, tx, room.lock.id, [block?.id ?? ""]));
    const { rows } = await world.database.pool.query<{ endsAt: Date }>(
      `SELECT ends_at AS "endsAt" FROM card_risk WHERE card_id = $1`,
      [cardId],
    );
    const endsAt = rows[0]?.endsAt;
    expect(endsAt?.getTime()).toBeGreaterThan(world.clock.now().getTime());
    expect(await desk.bench.commands(room.lock.id, "block_card")).toMatchObject([
      { state: "queued", expiresAt: endsAt },
    ]);
  });

  it("is possible for keys at risk, for operators who can see them", async () => {
    const cardId = await lostCard();
    const { cardId: good } = await desk.issue(stayId, desk.newUid());
    const codeOf = (act: Promise<unknown>) =>
      act.then(
        () => "done",
        (error: DomainError) => error.code,
      );
    const ref = { lockId: room.lock.id, cardId };
    const elsewhere = await hotel.scope("staff", { capabilities: ["locks.view", "locks.retry"], roomIds: [] });
    const viewer = await hotel.scope("staff", { capabilities: ["locks.view"], roomIds: [room.roomId] });
    expect(await codeOf(resendRevocation(elsewhere, ref))).toBe("not_found");
    expect(await codeOf(resendRevocation(await (await world.createHotel()).scope(), ref))).toBe("not_found");
    expect(await codeOf(resendRevocation(viewer, ref))).toBe("no_permission");
    expect(await codeOf(resendRevocation(desk.owner, { ...ref, cardId: good }))).toBe("not_found");
  });
});
