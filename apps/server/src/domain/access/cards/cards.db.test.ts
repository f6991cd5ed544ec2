import { decodeRecord } from "@innkey/shared/cards/record";
import type { DomainError } from "@innkey/shared/errors";
import { prepareCardInput } from "@innkey/shared/schemas/access/cards";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { decryptRecord, withKeys } from "./card-keys.ts";
import { listStayCards, lookUp } from "./cards.queries.ts";
import { confirm, prepare, revoke } from "./cards.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const ENDS = "2026-11-21T11:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let serial = 0;
let room: number;
let stayId: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
});
afterAll(() => world.close());

async function createRoomWithLock(): Promise<number> {
  serial += 1;
  const roomId = await hotel.createRoom(`C${serial}`);
  const mac = `02:00:00:00:${String(serial >> 8).padStart(2, "0")}:${(serial & 0xff).toString(16).padStart(2, "0").toUpperCase()}`;
  await world.database.prisma.lock.create({ data: { hotelId: hotel.id, roomId, mac } });
  return roomId;
}

async function checkIn(roomId: number): Promise<number> {
  const guests = [{ name: `Holder ${serial}` }];
  const input = checkInInput.parse({
    roomId,
    unit: "day",
    startsAt: NOW,
    endsAt: ENDS,
    guests,
    channel: "cash",
    confirmDirty: true,
  });
  return (await stays.checkIn(owner, input)).stayId;
}

beforeEach(async () => {
  room = await createRoomWithLock();
  stayId = await checkIn(room);
});

function newUid(): string {
  serial += 1;
  return (0xa0000000 + serial).toString(16).toUpperCase();
}

function issue(uid: string, disableOldCards = false) {
  return prepare(owner, prepareCardInput.parse({ stayId, uid, disableOldCards }));
}

async function write(uid: string, disableOldCards = false) {
  const card = await issue(uid, disableOldCards);
  await confirm(owner, { cardId: card.cardId, readBack: card.data });
  return card;
}

const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "done",
    (error: DomainError) => error.code,
  );

describe("a guest's card", () => {
  it("carries the room's lock, the stay's period and the next sequence, encrypted with the hotel's keys", async () => {
    const uid = newUid();
    const card = await issue(uid);
    const lock = await world.database.prisma.lock.findFirstOrThrow({ where: { roomId: room } });
    const profile = await world.database.prisma.cardProfile.findFirstOrThrow({ where: { hotelId: hotel.id } });
    const { keys } = withKeys(owner, profile);
    expect(decodeRecord(decryptRecord(keys, uid, { lock: lock.id }, Buffer.from(card.data, "hex")))).toEqual({
      kind: "guest",
      siteCode: profile.siteCode,
      opens: { lock: lock.id },
      sequence: 1,
      validFrom: NOW,
      validTo: ENDS,
    });
    expect(Math.floor(card.dataBlock / 4)).toBe(card.sector);
    const auditEntry = await world.database.pool.query<{ text: string }>(
      "SELECT string_agg(before::text || after::text, '') AS text FROM audit_entry",
    );
    expect(auditEntry.rows[0]?.text ?? "").not.toContain(card.sectorKey);
    expect(Buffer.from(profile.keysBox).toString("latin1")).not.toContain("masterKey");
  });

  it("is active only after its bytes were read back", async () => {
    const card = await issue(newUid());
    const wrong = `${card.data.slice(0, -1)}${card.data.endsWith("0") ? "1" : "0"}`;
    expect(await codeOf(confirm(owner, { cardId: card.cardId, readBack: wrong }))).toBe("read_back_mismatch");
    expect((await listStayCards(owner, stayId))[0]?.state).toBe("pending");
    expect(await confirm(owner, { cardId: card.cardId, readBack: card.data })).toMatchObject({ state: "active" });
    expect(await codeOf(confirm(owner, { cardId: card.cardId, readBack: card.data }))).toBe("state_conflict");
  });

  it("shares its sequence with duplicates, until older cards are disabled", async () => {
    await write(newUid());
    await write(newUid());
    const sequences = async () =>
      (await world.database.prisma.card.findMany({ where: { stayId }, orderBy: { id: "asc" } })).map(
        ({ sequence, state }) => [sequence, state],
      );
    expect(await sequences()).toEqual([
      [1, "active"],
      [1, "active"],
    ]);
    await write(newUid(), true);
    expect(await sequences()).toEqual([
      [1, "revoking"],
      [1, "revoking"],
      [2, "active"],
    ]);
  });

  it("becomes another issue of the same card when it is written again", async () => {
    const uid = newUid();
    await write(uid);
    const again = await issue(uid);
    const states = async () => (await listStayCards(owner, stayId)).map(({ state }) => state);
    expect(await states(), "the old record is on the card until the new one is written").toEqual([
      "pending",
      "revoking",
    ]);
    await confirm(owner, { cardId: again.cardId, readBack: again.data });
    expect(await states()).toEqual(["active", "revoked"]);
  });

  it("ends with the stay, and the next guest's card has a higher sequence", async () => {
    const uid = newUid();
    await write(uid);
    const out = {
      stayId,
      refundDeposit: true,
      refundUnusedMinor: 0,
      channel: null,
      refundChannel: "cash",
      confirmUnpaid: false,
    } as const;
    await stays.checkOut(owner, out);
    expect((await listStayCards(owner, stayId))[0]?.state).toBe("revoking");
    expect(await lookUp(owner, { number: uid })).toEqual([]);
    stayId = await checkIn(room);
    const next = await write(newUid());
    const row = await world.database.prisma.card.findUniqueOrThrow({ where: { id: next.cardId } });
    expect(row.sequence).toBe(2);
  });

  it("is marked as too short once the stay is extended", async () => {
    await write(newUid());
    const renewal = {
      stayId,
      endsAt: "2026-11-23T11:00:00.000Z",
      agreedTotalMinor: null,
      expectedTotalMinor: null,
      channel: null,
    };
    await stays.renew(owner, renewal);
    expect((await listStayCards(owner, stayId))[0]).toMatchObject({ rewrite: "too_short", state: "active" });
  });

  it("opens before and after the stay for as long as the hotel allows", async () => {
    const generous = await hotel.scope();
    Object.assign(generous.hotel, { accessEarlyMinutes: 60, accessLateMinutes: 30 });
    const early = await prepare(generous, prepareCardInput.parse({ stayId, uid: newUid() }));
    expect([early.validFrom, early.validTo]).toEqual(["2026-11-18T13:00:00.000Z", "2026-11-21T11:30:00.000Z"]);
    await write(newUid());
    const rewrites = async () => (await listStayCards(owner, stayId)).map(({ rewrite }) => rewrite);
    const allow = (accessLateMinutes: number) =>
      world.database.prisma.hotel.update({ where: { id: hotel.id }, data: { accessLateMinutes } });
    expect(await rewrites()).toEqual([null, null]);
    await allow(30);
    // The first card was never written.
    expect(await rewrites()).toEqual(["too_short", null]);
    await allow(0);
  });

  it("requires a lock at the room", async () => {
    serial += 1;
    const without = await hotel.createRoom(`C${serial} without lock`);
    stayId = await checkIn(without);
    expect(await codeOf(issue(newUid()))).toBe("lock_missing");
  });

  it("requires a lock that reads cards, and leaves nothing behind otherwise", async () => {
    for (const driver of ["zigbee2mqtt", "ttlock"] as const) {
      serial += 1;
      const roomId = await hotel.createRoom(`C${serial} ${driver}`);
      const mac = `A4:C1:38:00:${String(serial)
        .padStart(4, "0")
        .replace(/(..)(..)/, "$1:$2")}`;
      await world.database.prisma.lock.create({
        data: { hotelId: hotel.id, roomId, mac, driver, address: String(serial) },
      });
      stayId = await checkIn(roomId);
      expect(await codeOf(issue(newUid()))).toBe("lock_reads_no_cards");
      expect(await world.database.prisma.card.count({ where: { stayId } })).toBe(0);
    }
  });

  it("gets its own sequence when many desks issue cards at once", async () => {
    const cards = await Promise.all(Array.from({ length: 20 }, () => issue(newUid())));
    const rows = await world.database.prisma.card.findMany({
      where: { id: { in: cards.map(({ cardId }) => cardId) } },
    });
    expect(new Set(rows.map(({ sequence }) => sequence))).toEqual(new Set([1]));
    expect(await world.database.prisma.cardProfile.count({ where: { hotelId: hotel.id } })).toBe(1);
  });
});

describe("the holder of a card", () => {
  it("is found by its number in every notation", async () => {
    const uid = "DA3CBC66";
    await write(uid);
    for (const number of ["da:3c:bc:66", "3661413478", "1723612378", "66BC3CDA"]) {
      expect(await lookUp(owner, { number })).toMatchObject([{ stayId, roomId: room }]);
    }
    expect(await lookUp(owner, { number: "11223344" })).toEqual([]);
  });

  it("is not shown to another hotel or for another room", async () => {
    const uid = newUid();
    const card = await write(uid);
    const stranger = await (await world.createHotel()).scope();
    const elsewhere = await hotel.scope("staff", {
      capabilities: ["stays.view", "cards.view", "cards.issue"],
      roomIds: [],
    });
    for (const scope of [stranger, elsewhere]) {
      expect(await lookUp(scope, { number: uid })).toEqual([]);
      expect(await codeOf(listStayCards(scope, stayId))).toBe("not_found");
      expect(await codeOf(revoke(scope, { cardId: card.cardId, reason: "by_hand" }))).toBe("not_found");
      expect(await codeOf(prepare(scope, prepareCardInput.parse({ stayId, uid })))).toBe("not_found");
    }
    const viewer = await hotel.scope("staff", { capabilities: ["cards.view"], roomIds: [room] });
    expect(await codeOf(revoke(viewer, { cardId: card.cardId, reason: "by_hand" }))).toBe("no_permission");
    expect(await revoke(owner, { cardId: card.cardId, reason: "by_hand" })).toMatchObject({ state: "revoking" });
  });
});
