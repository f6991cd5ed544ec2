import { airCardInput } from "@innkey/shared/schemas/access/cards";
import { explainInput } from "@innkey/shared/schemas/access/locks";
import { zoneInput } from "@innkey/shared/schemas/access/zones";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createDeskWithGuest, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { addOverTheAir } from "../cards/air-cards.service.ts";
import { revoke } from "../cards/cards.service.ts";
import * as zones from "../zones/zones.service.ts";
import { explain } from "./explain.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const HOUR_MS = 3_600_000;

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let stayId: number;
let uid: string;
let cardId: number;
let serial = 0n;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  ({ hotel, desk, room, stayId } = await createDeskWithGuest(world));
  uid = desk.newUid();
  ({ cardId } = await desk.issue(stayId, uid));
});

const ask = (input: object, scope: Scope = desk.owner) => explain(scope, explainInput.parse(input));
const verdictOf = async (input: object) => {
  const { verdict, mend } = await ask(input);
  return [verdict, mend];
};
const setLock = (data: object) => world.database.prisma.lock.update({ where: { id: room.lock.id }, data });
const renew = (endsAt: string) =>
  stays.renew(desk.owner, { stayId, endsAt, agreedTotalMinor: null, expectedTotalMinor: null, channel: null });

async function refused(reason: string, minutesAgo: number, fields: object = { cardId }): Promise<void> {
  serial += 1n;
  const at = new Date(world.clock.now().getTime() - minutesAgo * 60_000);
  const { roomId, lock } = room;
  await world.database.prisma.unlockRecord.create({
    data: {
      hotelId: hotel.id,
      lockId: lock.id,
      roomId,
      lockSeq: serial,
      at,
      style: "card",
      success: false,
      reason,
      ...fields,
    },
  });
}

describe("a card's number", () => {
  it("in any notation leads to the card, its guest and its validity", async () => {
    await desk.issue(stayId, "DA3CBC66");
    for (const number of ["da:3c:bc:66", "3661413478", "1723612378", "66BC3CDA"]) {
      expect(await ask({ number })).toMatchObject({ verdict: "works", mend: "open_door", stayId, roomName: "101" });
    }
    expect((await ask({ number: uid })).params).toMatchObject({
      roomName: "101",
      guestName: expect.stringContaining("Holder"),
    });
  });

  it("that was never issued is unknown", async () => {
    expect(await verdictOf({ number: "11223344" })).toEqual(["card_unknown", "none"]);
    expect(await verdictOf({ number: "11223344", roomId: room.roomId })).toEqual(["card_unknown", "write_card"]);
    expect(await verdictOf({ number: "no such thing" })).toEqual(["card_unknown", "none"]);
  });

  it("of an unconfirmed card asks to write it", async () => {
    const other = desk.newUid();
    await desk.issue(stayId, other, { confirm: false });
    expect(await verdictOf({ number: other })).toEqual(["card_not_written", "write_card"]);
  });

  it("of a revoked card gives the reason", async () => {
    await desk.issue(stayId, desk.newUid(), { disableOldCards: true });
    expect(await verdictOf({ number: uid })).toEqual(["card_superseded", "write_card"]);
    const other = desk.newUid();
    const lost = await desk.issue(stayId, other);
    await revoke(desk.owner, { cardId: lost.cardId, reason: "lost" });
    expect(await ask({ number: other })).toMatchObject({ verdict: "card_taken_back", params: { at: NOW } });
    await desk.checkOut(stayId);
    const stayOver = { verdict: "stay_over", roomId: room.roomId };
    expect(await ask({ number: other })).toMatchObject({ ...stayOver, mend: "check_in", stayId: null });
    await desk.checkIn(room.roomId);
    expect(await ask({ number: other }), "others are in the room").toMatchObject({ ...stayOver, mend: "none" });
  });

  it("at the wrong door names the card's own door", async () => {
    const second = await desk.room("102");
    expect(await ask({ number: uid, roomId: second.roomId })).toMatchObject({
      verdict: "card_other_room",
      params: { roomName: "102", otherRoom: "101" },
    });
  });

  it("of a card that ends before the stay asks to write it again", async () => {
    await renew("2026-11-25T11:00:00.000Z");
    expect(await verdictOf({ number: uid }), "it still opens").toEqual(["works", "open_door"]);
    world.clock.set("2026-11-22T11:00:00.000Z");
    expect(await verdictOf({ number: uid })).toEqual(["card_too_short", "write_card"]);
  });

  it("of an overdue guest asks to renew the stay", async () => {
    world.clock.set("2026-11-22T11:00:00.000Z");
    expect(await verdictOf({ number: uid })).toEqual(["card_expired", "renew"]);
    expect(await verdictOf({ roomId: room.roomId })).toEqual(["stay_over", "renew"]);
  });

  it("of a card below the lock's minimum sequence asks for a new one", async () => {
    await setLock({ guestFloor: 9 });
    expect(await verdictOf({ number: uid })).toEqual(["card_superseded", "write_card"]);
    await world.database.prisma.card.update({ where: { id: cardId }, data: { lockNumber: 1 } });
    expect(await verdictOf({ number: uid })).toEqual(["card_too_old", "write_card"]);
  });

  it("that its lock still refuses waits for the lock", async () => {
    await desk.issue(stayId, desk.newUid());
    await revoke(desk.owner, { cardId, reason: "lost" });
    await desk.deliver(room.lock.id);
    await desk.issue(stayId, uid);
    expect(await verdictOf({ number: uid })).toEqual(["never_confirmed", "retry_lock"]);
    await setLock({ online: false, lastSeenAt: new Date("2026-11-18T09:00:00Z") });
    expect(await ask({ number: uid })).toMatchObject({
      verdict: "lock_offline",
      params: { since: "2026-11-18T09:00:00.000Z" },
    });
    await desk.deliver(room.lock.id);
    await setLock({ online: true });
    await desk.deliver(room.lock.id);
    expect(await verdictOf({ number: uid })).toEqual(["works", "open_door"]);
  });

  it("added over the air works once the lock confirms it", async () => {
    const air = desk.newUid();
    const { cardId: airId } = await addOverTheAir(desk.owner, airCardInput.parse({ uid: air, stayId }));
    expect(await verdictOf({ number: air })).toEqual(["never_confirmed", "retry_lock"]);
    await setLock({ breakerOpenedAt: world.clock.now() });
    expect(await verdictOf({ number: air })).toEqual(["lock_offline", "retry_lock"]);
    await setLock({ breakerOpenedAt: null });
    await world.database.prisma.credential.updateMany({
      where: { cardId: airId },
      data: { state: "failed", failReason: "full" },
    });
    expect(await ask({ number: air })).toMatchObject({ verdict: "credential_failed", params: { error: "full" } });
  });

  it("takes the lock's own answer within the hour, when nothing else is wrong", async () => {
    await refused("damaged", 90);
    expect(await verdictOf({ number: uid }), "long ago").toEqual(["works", "open_door"]);
    world.clock.advance(HOUR_MS);
    await refused("damaged", 5);
    expect(await ask({ number: uid })).toMatchObject({ verdict: "card_not_written", mend: "write_card" });
    await refused("", 1, { cardId, success: true });
    expect(await verdictOf({ number: uid }), "it has opened since then").toEqual(["works", "open_door"]);
  });

  it("outside the caller's rooms shows only that it belongs to another room", async () => {
    const second = await desk.room("102");
    const clerk = await hotel.scope("staff", { capabilities: ["locks.view", "stays.view"], roomIds: [second.roomId] });
    const universal = await desk.issueMaster("universal", desk.newUid());
    for (const number of [uid, universal.uid]) {
      expect(await ask({ number }, clerk)).toEqual({
        verdict: "card_other_room",
        style: "card",
        mend: "none",
        params: { otherRoom: "•••" },
        roomId: null,
        doorId: null,
        roomName: null,
        stayId: null,
        stayGuestId: null,
        cardId: null,
        lockId: null,
        offlineSince: null,
      });
    }
    const stranger = await (await world.createHotel()).scope();
    expect(await ask({ number: uid }, stranger)).toMatchObject({ verdict: "card_unknown", cardId: null });
    for (const scope of [clerk, stranger]) {
      await expect(ask({ roomId: room.roomId }, scope)).rejects.toMatchObject({ code: "not_found" });
    }
    const noNames = await hotel.scope("staff", { capabilities: ["locks.view"], roomIds: [room.roomId] });
    expect((await ask({ number: uid }, noNames)).params).not.toHaveProperty("guestName");
  });
});

describe("a room", () => {
  it("whose party has a valid key says so", async () => {
    expect(await ask({ roomId: room.roomId })).toMatchObject({
      verdict: "works",
      cardId,
      stayId,
      lockId: room.lock.id,
    });
  });

  it("names what the door lacks first", async () => {
    const locklessRoom = await hotel.createRoom("103");
    expect(await verdictOf({ roomId: locklessRoom })).toEqual(["no_lock", "add_lock"]);
    const empty = await desk.room("102");
    expect(await verdictOf({ roomId: empty.roomId })).toEqual(["room_empty", "check_in"]);
    await setLock({ power: 2 });
    expect(await ask({ roomId: room.roomId })).toMatchObject({ verdict: "battery_empty", params: { power: 2 } });
  });

  it("without any key asks for one, and names a revoked one", async () => {
    await revoke(desk.owner, { cardId, reason: "lost" });
    expect(await verdictOf({ roomId: room.roomId })).toEqual(["card_taken_back", "write_card"]);
    const second = await desk.room("102");
    await desk.checkIn(second.roomId);
    expect(await verdictOf({ roomId: second.roomId })).toEqual(["no_key", "write_card"]);
  });

  it("reports the lock's refusal of a key that the console considers valid", async () => {
    await refused("superseded", 3, {});
    expect(await verdictOf({ roomId: room.roomId })).toEqual(["card_superseded", "write_card"]);
    await refused("deadbolt", 1, {});
    expect(await verdictOf({ roomId: room.roomId })).toEqual(["deadbolt", "none"]);
  });
});

describe("the door's last answer", () => {
  /** The lock's answer to the card, the state of the lock, and the verdict and remedy that the console must give. */
  it.each([
    ["unknown", {}, "refused_unknown", "write_card"],
    ["deadbolt", {}, "deadbolt", "none"],
    ["expired", { driftSeconds: 864_000 }, "clock_wrong", "retry_lock"],
    ["not_yet", { driftSeconds: -432_000 }, "clock_wrong", "retry_lock"],
    ["not_yet", { driftSeconds: 0 }, "try_again", "open_door"],
    ["expired", {}, "refused_expired", "write_card"],
    ["blocked", {}, "refused_revoked", "write_card"],
    ["superseded", {}, "card_superseded", "write_card"],
    ["damaged", {}, "card_not_written", "write_card"],
    ["", {}, "try_again", "open_door"],
  ])("%j with a lock of %j is %s", async (reason, lock, verdict, mend) => {
    await setLock(lock);
    await refused(reason, 0);
    expect(await verdictOf({ number: uid })).toEqual([verdict, mend]);
    expect(await verdictOf({ roomId: room.roomId })).toEqual([verdict, mend]);
    await setLock({ driftSeconds: 0 });
    await refused("", 0, { cardId, success: true });
    expect(await verdictOf({ number: uid })).toEqual(["works", "open_door"]);
  });

  it("to unknown digits is a wrong code, and then a lockout", async () => {
    await refused("unknown", 1, { style: "passcode" });
    expect(await verdictOf({ roomId: room.roomId })).toEqual(["wrong_code", "open_door"]);
    expect(await verdictOf({ number: uid }), "the card is valid").toEqual(["works", "open_door"]);
    await refused("locked_out", 0, { style: "passcode" });
    expect(await verdictOf({ roomId: room.roomId })).toEqual(["locked_out", "open_door"]);
  });

  it("counts from when it was received, whatever the lock's clock shows", async () => {
    await refused("deadbolt", 7200, { cardId, receivedAt: world.clock.now() });
    expect(await verdictOf({ number: uid })).toEqual(["deadbolt", "none"]);
    await refused("", 7200, { style: "inside", success: true, receivedAt: world.clock.now() });
    expect(await verdictOf({ number: uid }), "drawn").toEqual(["works", "open_door"]);
  });

  it("counts from when it happened if that is known, and not against a card written since", async () => {
    const now = world.clock.now();
    const [receivedAt, longAgo] = [now, new Date(now.getTime() - 2 * HOUR_MS)];
    await refused("unknown", 120, { cardId, receivedAt, happenedAt: longAgo });
    expect(await verdictOf({ number: uid })).toEqual(["works", "open_door"]);
    await world.database.prisma.card.update({ where: { id: cardId }, data: { confirmedAt: now } });
    await refused("unknown", 30, { cardId, receivedAt, happenedAt: new Date(now.getTime() - HOUR_MS / 2) });
    expect(await verdictOf({ number: uid })).toEqual(["works", "open_door"]);
    await refused("unknown", 30, { cardId, receivedAt });
    expect(await verdictOf({ number: uid }), "at an unknown time").toEqual(["refused_unknown", "write_card"]);
  });

  it("to somebody else's key is shown for the room, and never makes the party's key valid", async () => {
    const { roomId: other } = await desk.room("102");
    const { uid: masterUid, cardId: masterId } = await desk.issueMaster("management", desk.newUid(), {
      roomIds: [other],
    });
    await refused("not_listed", 0, { cardId: masterId });
    expect(await ask({ number: uid })).toMatchObject({ verdict: "works" });
    expect(await ask({ roomId: room.roomId })).toMatchObject({
      verdict: "card_other_room",
      params: { otherRoom: "102" },
    });
    const clerk = await hotel.scope("staff", { capabilities: ["locks.view"], roomIds: [room.roomId] });
    expect(await ask({ roomId: room.roomId }, clerk)).toMatchObject({ params: { otherRoom: "•••" } });
    expect(await ask({ number: masterUid, roomId: room.roomId })).toMatchObject({ verdict: "card_other_room" });
  });

  it("never comes from another door", async () => {
    const { roomId, lock } = await desk.room("102");
    await refused("other_door", 0, { cardId, lockId: lock.id, roomId });
    expect(await verdictOf({ number: uid })).toEqual(["works", "open_door"]);
  });

  it("of an unreachable lock is unknown", async () => {
    const lastSeenAt = new Date("2026-11-18T09:00:00Z");
    await setLock({ online: false, lastSeenAt });
    const since = lastSeenAt.toISOString();
    expect(await ask({ number: uid })).toMatchObject({ verdict: "should_work", mend: "write_card", params: { since } });
    await refused("damaged", 0);
    expect(await ask({ number: uid })).toMatchObject({ verdict: "card_not_written", offlineSince: since });
  });
});

describe("a lock that lost its memory or was reconnected", () => {
  it("is waited for until it confirms its keys or opens for this one", async () => {
    const resetAt = new Date(world.clock.now().getTime() - HOUR_MS / 2);
    await setLock({ resetAt });
    const params = { at: resetAt.toISOString() };
    expect(await ask({ number: uid })).toMatchObject({ verdict: "lock_reset", mend: "retry_lock", params });
    expect(await ask({ roomId: room.roomId })).toMatchObject({ verdict: "lock_reset", mend: "retry_lock", params });
    await setLock({ online: false, lastSeenAt: resetAt });
    expect(await verdictOf({ number: uid })).toEqual(["lock_reset", "set_up_lock"]);
    await setLock({ online: true });
    await refused("", 45, { cardId, success: true });
    expect(await verdictOf({ number: uid }), "it opened before").toEqual(["lock_reset", "retry_lock"]);
    await refused("", 5, { cardId, success: true });
    expect(await verdictOf({ number: uid })).toEqual(["works", "open_door"]);
  });

  it("asks to retry what it refused before it got its keys", async () => {
    world.clock.advance(HOUR_MS);
    await refused("unknown", 10);
    expect(await verdictOf({ number: uid })).toEqual(["refused_unknown", "write_card"]);
    await setLock({ configuredAt: new Date(world.clock.now().getTime() - 60_000) });
    for (const subject of [{ number: uid }, { roomId: room.roomId }])
      expect(await verdictOf(subject)).toEqual(["try_again", "open_door"]);
  });
});

describe("a battery that was low when its lock went silent", () => {
  it("has probably died", async () => {
    await setLock({ power: 12 });
    expect(await verdictOf({ number: uid })).toEqual(["works", "open_door"]);
    await setLock({ online: false });
    const since = NOW;
    for (const subject of [{ number: uid }, { roomId: room.roomId }])
      expect(await ask(subject)).toMatchObject({
        ...{ verdict: "battery_run_out", mend: "replace_battery" },
        params: { power: 12, since },
      });
  });
});

describe("a lock without card keys", () => {
  it("is set up first", async () => {
    await world.database.prisma.lockCommand.updateMany({
      where: { lockId: room.lock.id, type: "configure" },
      data: { state: "failed" },
    });
    expect(await verdictOf({ number: uid })).toEqual(["lock_not_set_up", "set_up_lock"]);
    await setLock({ configuredAt: null });
    expect(await verdictOf({ roomId: room.roomId })).toEqual(["lock_not_set_up", "set_up_lock"]);
  });
});

describe("a code that no longer opens", () => {
  it.each([
    ["code_used", { state: "used" as const, usedAt: new Date(NOW) }, "one_time" as const],
    ["code_taken_back", { state: "revoked" as const, revokedAt: new Date(NOW) }, "custom" as const],
  ])("gives the reason: %s", async (verdict, fields, type) => {
    const second = await desk.room("102");
    const stay = await desk.checkIn(second.roomId);
    const where = { hotelId: hotel.id, roomId: second.roomId, stayId: stay, validFrom: new Date(NOW) };
    const { id: passcodeId } = await world.database.prisma.passcode.create({
      data: { ...where, type, codeBox: Buffer.alloc(1), person: "" },
    });
    await world.database.prisma.credential.create({
      data: { ...where, ...fields, passcodeId, lockId: second.lock.id, kind: "passcode" },
    });
    expect(await verdictOf({ roomId: second.roomId })).toEqual([verdict, "write_card"]);
  });
});

describe("the subject of the answer", () => {
  async function holder(kind: "passcode" | "face", fields: object = {}) {
    const second = await desk.room("102");
    const stay = await desk.checkIn(second.roomId);
    const where = { hotelId: hotel.id, roomId: second.roomId, stayId: stay, validFrom: new Date(NOW) };
    const { prisma } = world.database;
    const key: { faceId?: number; passcodeId?: number } = {};
    if (kind === "face") {
      const face = await prisma.face.create({ data: { hotelId: hotel.id, note: "", consentAt: new Date(NOW) } });
      key.faceId = face.id;
    } else {
      const data = { ...where, type: "custom" as const, codeBox: Buffer.alloc(1), person: "" };
      key.passcodeId = (await prisma.passcode.create({ data })).id;
    }
    const { id: credentialId } = await prisma.credential.create({
      data: { ...where, state: "confirmed", ...fields, ...key, lockId: second.lock.id, kind },
    });
    return { ...second, credentialId };
  }

  it("is the requested card, known or not", async () => {
    for (const number of [uid, "11223344"]) expect(await ask({ number })).toMatchObject({ style: "card" });
    expect(await ask({ roomId: room.roomId })).toMatchObject({ verdict: "works", style: "card" });
  });

  it.each(["passcode", "face"] as const)("is the %s of a party without a card", async (kind) => {
    const { roomId } = await holder(kind);
    expect(await ask({ roomId })).toMatchObject({ verdict: "works", style: kind });
  });

  it("is the revoked face, never a code", async () => {
    const { roomId } = await holder("face", { state: "revoked", revokedAt: new Date(NOW) });
    expect(await ask({ roomId })).toMatchObject({ verdict: "code_taken_back", style: "face" });
  });

  it.each(["passcode", "face", "fingerprint"] as const)("is the unknown %s that the lock refused", async (style) => {
    await refused("unknown", 1, { style });
    expect(await ask({ roomId: room.roomId })).toMatchObject({ verdict: "wrong_code", style });
  });

  it("is the code of another room that staff cannot see", async () => {
    const { credentialId } = await holder("passcode");
    await refused("unknown", 1, { style: "passcode", credentialId });
    const clerk = await hotel.scope("staff", { capabilities: ["locks.view"], roomIds: [room.roomId] });
    const answer = await ask({ roomId: room.roomId }, clerk);
    expect(answer).toMatchObject({ verdict: "card_other_room", style: "passcode", params: { otherRoom: "•••" } });
  });

  it("is the code that the lock blocks, reported as taken back", async () => {
    const { roomId, lock, credentialId } = await holder("passcode");
    await refused("blocked", 1, { style: "passcode", credentialId, roomId, lockId: lock.id });
    expect(await ask({ roomId })).toMatchObject({ verdict: "refused_revoked", style: "passcode" });
  });

  it("is no key where the door or the stay is the problem", async () => {
    const locklessRoom = await hotel.createRoom("103");
    expect(await ask({ roomId: locklessRoom })).toMatchObject({ verdict: "no_lock", style: null });
  });
});

describe("at a common door", () => {
  let entrance: { doorId: number; lock: Lock };
  const open = (fields: object) =>
    zones.save(
      desk.owner,
      zoneInput.parse({ name: "Entrances", kind: "entrance", doorIds: [entrance.doorId], ...fields }),
    );
  const atEntrance = () => ask({ number: uid, doorId: entrance.doorId });

  beforeEach(async () => {
    entrance = await desk.commonDoor("Main entrance");
  });

  it("a card of a stay without the door's zones is told so, with door and zones by name", async () => {
    await open({ isExtra: true });
    expect(await atEntrance()).toMatchObject({
      ...{ verdict: "zone_not_of_stay", mend: "none", roomId: null, doorId: entrance.doorId, lockId: entrance.lock.id },
      params: { roomName: "Main entrance", zones: "Entrances" },
    });
  });

  it("a card that was written before its stay got the zone has to be written again, also without naming the door", async () => {
    await open({ everyGuest: true });
    await desk.deliver(entrance.lock.id);
    const answer = { verdict: "zone_not_on_card", mend: "write_card", stayId, doorId: entrance.doorId };
    expect(await atEntrance()).toMatchObject(answer);
    expect(await ask({ number: uid })).toMatchObject({ ...answer, roomName: "Main entrance" });
    expect(await verdictOf({ number: uid, roomId: room.roomId })).toEqual(["works", "open_door"]);
  });

  it("a card that carries the zone works once the lock has confirmed its key", async () => {
    await open({ everyGuest: true });
    await desk.issue(stayId, uid);
    expect(await atEntrance()).toMatchObject({ verdict: "never_confirmed", mend: "retry_lock" });
    for (const { lock } of [room, entrance]) await desk.deliver(lock.id);
    expect(await atEntrance()).toMatchObject({ verdict: "works", roomName: "Main entrance" });
    expect(await ask({ number: uid })).toMatchObject({ verdict: "works", roomId: room.roomId });
  });

  it("is like a door that doesn't exist for staff of certain rooms", async () => {
    await open({ everyGuest: true });
    const clerk = await hotel.scope("staff", { capabilities: ["locks.view"], roomIds: [room.roomId] });
    await expect(ask({ number: uid, doorId: entrance.doorId }, clerk)).rejects.toMatchObject({ code: "not_found" });
    expect(await ask({ number: uid }, clerk)).toMatchObject({ verdict: "works", doorId: null });
    const stranger = await (await world.createHotel()).scope();
    await expect(ask({ number: uid, doorId: entrance.doorId }, stranger)).rejects.toMatchObject({ code: "not_found" });
  });
});
