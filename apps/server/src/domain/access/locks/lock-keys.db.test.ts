import { createCipheriv } from "node:crypto";
import { ALL_DOORS, encodeRecord } from "@innkey/shared/cards/record";
import { type CommandMessage, sealedConfigure } from "@innkey/shared/locks/protocol";
import { newProfileInput } from "@innkey/shared/schemas/access/cards";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { aesCmac, diversifiedKey, passOf, recordKeyOf, siteKeyOf, withKeys } from "../cards/card-keys.ts";
import { revoke } from "../cards/cards.service.ts";
import { create } from "../cards/profiles.service.ts";
import { configureLock } from "./configure.ts";
import { openConfigure } from "./lock-secrets.ts";
import { connect } from "./registration.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const UID = "DEADBEEF";
let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let rooms: DeskRoom[];
/** every command sent to any lock of the hotel, from the start */
let sentCommands: { lockId: number; command: CommandMessage }[];

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  const { driver } = desk.bench;
  const send = driver.send.bind(driver);
  sentCommands = [];
  driver.send = (lock, command) => {
    sentCommands.push({ lockId: lock.id, command });
    return send(lock, command);
  };
  rooms = [await desk.room("101"), await desk.room("102"), await desk.room("103")];
});

/** Returns the commands sent to a lock, with its keys opened by its pairing secret. */
function commandsFor({ lock }: DeskRoom): { command: CommandMessage; args: unknown }[] {
  const sent = sentCommands.filter(({ lockId }) => lockId === lock.id);
  return sent.map(({ command }) => {
    if (command.type !== "configure") return { command, args: command.args };
    const secret = desk.model(lock.id).pairingSecrets.find((one) => {
      try {
        return openConfigure(one, command.id, sealedConfigure.parse(command.args));
      } catch {
        return false;
      }
    });
    return { command, args: secret && openConfigure(secret, command.id, sealedConfigure.parse(command.args)) };
  });
}

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");

/** Returns every 16-byte hex string at any depth, and the keys derived from it in one and two steps. */
function keysIn(value: unknown, lockIds: readonly number[]): Set<string> {
  const keys = [...JSON.stringify(value).matchAll(/[0-9A-F]{32,}/gi)].flatMap(([hex]) =>
    Array.from({ length: hex.length / 2 - 15 }, (_, at) => hex.slice(2 * at, 2 * at + 32)),
  );
  const inputs = [
    Buffer.from("S"),
    ...[...lockIds, ALL_DOORS].flatMap((id) => ["L", "Z"].map((letter) => numbered(letter, id))),
  ];
  const derived = keys.flatMap((hex) =>
    inputs.flatMap((input) => [diversifiedKey(bytes(hex), input), aesCmac(bytes(hex), input)]),
  );
  return new Set([...keys.map((hex) => hex.toUpperCase()), ...derived.map((key) => key.toString("hex").toUpperCase())]);
}

function numbered(letter: string, number: number): Buffer {
  const input = Buffer.alloc(4);
  input.write(letter);
  input.writeUIntBE(number, 1, 3);
  return input;
}

const KINDS = ["guest", "management", "universal"] as const;

/** Encrypts a card record as an attacker could who uses this key as a record key. */
function writtenWith(key: string, uid: string, record: Uint8Array): string {
  const own = diversifiedKey(bytes(key), Buffer.concat([bytes(uid), Buffer.from("INNKEYr")]));
  const cipher = createCipheriv("aes-128-ecb", own, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(record), cipher.final()])
    .toString("hex")
    .toUpperCase();
}

/**
 * Tries every key that lock `from` received, and all keys derived from it, as a record and as a pass at the door `at`.
 */
function forgeriesThatOpen(
  from: DeskRoom,
  at: DeskRoom,
  uids: readonly string[],
  siteCodes: readonly number[],
): string[] {
  const lockIds = rooms.map(({ lock }) => lock.id);
  const sentArgs = commandsFor(from).map(({ args }) => args);
  const model = desk.model(at.lock.id);
  const opened: string[] = [];
  const holdUp = (uid: string, data: string, what: string): void => {
    if (model.opensFor({ uid, data }, NOW) !== null) opened.push(`${uid} ${what}`);
  };
  for (const key of keysIn(sentArgs, lockIds)) {
    for (const uid of uids) {
      holdUp(uid, key, "pass as heard");
      for (const { cardId } of desk.chips.values())
        holdUp(uid, passOf(bytes(key), uid, cardId).toString("hex"), "pass derived");
      for (const siteCode of siteCodes) {
        for (const kind of KINDS) {
          for (const opens of [{ lock: at.lock.id }, { zone: ALL_DOORS }, { zone: 1 }]) {
            const record = encodeRecord({ kind, siteCode, opens, sequence: 65_535, validFrom: NOW, validTo: null });
            holdUp(uid, writtenWith(key, uid, record), `${kind} ${JSON.stringify(opens)}`);
          }
        }
      }
    }
  }
  return opened;
}

async function everythingThatLocksHear(): Promise<void> {
  const [first, second, third] = rooms as [DeskRoom, DeskRoom, DeskRoom];
  const stayId = await desk.checkIn(first.roomId);
  const lost = await desk.issue(stayId, desk.newUid());
  await desk.issue(stayId, desk.newUid(), { disableOldCards: true });
  await desk.issueMaster("management", desk.newUid(), { roomIds: [second.roomId] });
  await create(desk.owner, newProfileInput.parse({ cipher: "aes", block: 0, keyType: "A" }));
  for (const { lock } of rooms) await desk.deliver(lock.id);
  await desk.issue(stayId, desk.newUid());
  if ((await desk.state(lost.cardId)) === "active") await revoke(desk.owner, { cardId: lost.cardId, reason: "lost" });
  await desk.reset(third.lock.id);
  for (const { lock } of rooms) await desk.deliver(lock.id);
}

describe("the keys of a lock", () => {
  it("travel only encrypted with its pairing secret, under an increasing counter", async () => {
    await everythingThatLocksHear();
    for (const room of rooms) {
      const configures = commandsFor(room).filter(({ command }) => command.type === "configure");
      expect(configures.length).toBeGreaterThan(1);
      const counters = configures.map(({ command }) => sealedConfigure.parse(command.args).counter);
      expect(counters).toEqual([...new Set(counters)].sort((a, b) => a - b));
      for (const { command, args } of configures) {
        expect(Object.keys(command.args).sort()).toEqual(["box", "counter", "nonce"]);
        expect(args, "opens with its own secret").toMatchObject({ lockNumber: room.lock.id });
      }
      const others = rooms.filter((other) => other !== room).flatMap(({ lock }) => desk.model(lock.id).pairingSecrets);
      for (const secret of others) {
        for (const { command } of configures)
          expect(() => openConfigure(secret, command.id, sealedConfigure.parse(command.args))).toThrow();
      }
    }
  });

  it("cannot make a card for another door, and nothing else that a lock receives can", async () => {
    await everythingThatLocksHear();
    const profiles = await world.database.prisma.cardProfile.findMany({ where: { hotelId: hotel.id } });
    expect(profiles).toHaveLength(2);
    const lockIds = rooms.map(({ lock }) => lock.id);
    for (const room of rooms) {
      const keys = keysIn(
        commandsFor(room).map(({ args }) => args),
        lockIds,
      );
      const holds = (key: Uint8Array): boolean => keys.has(Buffer.from(key).toString("hex").toUpperCase());
      for (const profile of profiles) {
        const { keys: stored } = withKeys(desk.owner, profile);
        if (stored.cipher !== "aes") throw new Error("this hotel has AES keys");
        const { masterKey } = stored;
        expect(holds(masterKey)).toBe(false);
        expect([holds(siteKeyOf(masterKey)), holds(recordKeyOf(masterKey, { lock: room.lock.id }))]).toEqual([
          true,
          true,
        ]);
        for (const other of rooms.filter((one) => one !== room))
          expect(holds(recordKeyOf(masterKey, { lock: other.lock.id }))).toBe(false);
      }
      const siteCodes = profiles.map(({ siteCode }) => siteCode);
      for (const other of rooms.filter((one) => one !== room))
        expect(forgeriesThatOpen(room, other, [UID], siteCodes)).toEqual([]);
    }
  });

  it("cannot forge a card for another door while a universal card is at both, nor after it was taken back", async () => {
    const [ownRoom, victim] = [rooms[0] as DeskRoom, rooms[1] as DeskRoom];
    const [universal, management] = [desk.newUid(), desk.newUid()];
    const cards = [
      await desk.issueMaster("universal", universal),
      await desk.issueMaster("management", management, { roomIds: [ownRoom.roomId, victim.roomId] }),
    ];
    const deliver = async () => {
      for (const { lock } of rooms) await desk.deliver(lock.id);
    };
    await deliver();
    const profiles = await world.database.prisma.cardProfile.findMany({ where: { hotelId: hotel.id } });
    const siteCodes = profiles.map(({ siteCode }) => siteCode);
    const findForgeries = () => forgeriesThatOpen(ownRoom, victim, [UID, universal, management], siteCodes);
    for (const uid of [universal, management]) expect(desk.opens(uid, victim.lock.id)).toBe(true);
    expect(findForgeries()).toEqual([]);
    for (const { cardId } of cards) await revoke(desk.owner, { cardId, reason: "lost" });
    await deliver();
    for (const uid of [universal, management]) expect(desk.opens(uid, victim.lock.id)).toBe(false);
    expect(findForgeries()).toEqual([]);
  });

  it("cannot continue an earlier issue of a universal card", async () => {
    const [room] = rooms as [DeskRoom];
    const uid = desk.newUid();
    const { cardId } = await desk.issueMaster("universal", uid);
    const former = desk.chips.get(uid);
    await revoke(desk.owner, { cardId, reason: "lost" });
    await desk.issueMaster("universal", uid);
    await desk.deliver(room.lock.id);
    expect(desk.opens(uid, room.lock.id)).toBe(true);
    if (former) desk.chips.set(uid, former);
    expect(desk.opens(uid, room.lock.id)).toBe(false);
  });
});

describe("the pairing secret", () => {
  it("has 128 bits, is new each time, is stored encrypted, and is never shown again", async () => {
    const [room] = rooms as [DeskRoom];
    const lockId = room.lock.id;
    const again = await connect(desk.owner, { lockId }, desk.bench.plane);
    expect(again.pairingSecret).toMatch(/^[0-9A-F]{32}$/);
    expect(desk.model(lockId).pairingSecrets).not.toContain(again.pairingSecret);
    const { pairingBox } = await desk.bench.lock(lockId);
    expect(Buffer.from(pairingBox ?? []).toString("latin1")).not.toContain(again.pairingSecret);
    const { rows } = await world.database.pool.query<{ text: string }>(
      "SELECT coalesce(string_agg(concat(before, after), ''), '') AS text FROM audit_entry",
    );
    expect(rows[0]?.text).not.toContain(again.pairingSecret);
  });

  it("survives a restored database: the next counter is above the last one that the lock has seen", async () => {
    const [room] = rooms as [DeskRoom];
    const { id } = room.lock;
    const { pairingCounter } = await desk.bench.lock(id);
    await desk.owner.write((tx) => configureLock(desk.owner, tx, id));
    await desk.deliver(id);
    await world.database.prisma.lock.update({ where: { id }, data: { pairingCounter } });
    world.clock.advance(60_000);
    await desk.owner.write((tx) => configureLock(desk.owner, tx, id));
    await desk.deliver(id);
    const [last] = (await desk.bench.commands(id, "configure")).slice(-1);
    expect(last?.state).toBe("acknowledged");
    world.clock.set(NOW);
  });
});
