import { airCardInput } from "@innkey/shared/schemas/access/cards";
import { createPasscodeInput, passcodesInput } from "@innkey/shared/schemas/access/passcodes";
import { checkInInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { oneFace } from "../../../test/harness/face-pictures.ts";
import { createTestWorld, type TestHotel, type TestWorld, untilBlocked } from "../../../test/harness/hotel.ts";
import { unlimited } from "../../../test/harness/unlimited.ts";
import { giveLockSecret } from "../../../test/locks/locks.ts";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { addOverTheAir } from "../access/cards/air-cards.service.ts";
import { revokeCredentials } from "../access/credentials/credentials.ts";
import { moveAccess } from "../access/credentials/stay-access.ts";
import { requireFacePicture } from "../access/faces/faces.queries.ts";
import * as faces from "../access/faces/faces.service.ts";
import { list } from "../access/passcodes/passcodes.queries.ts";
import * as passcodes from "../access/passcodes/passcodes.service.ts";
import { FileStore } from "../files/files.service.ts";
import { readStay } from "../stays/stays/live-stay.ts";
import * as stays from "./public.ts";

/** Tests what a stay does to keys while another transaction changes the same keys. */
const NOW = "2026-11-18T14:00:00.000Z";
const END = "2026-11-21T11:00:00.000Z";
const LATER = "2026-11-22T11:00:00.000Z";
const SECRET = "3132333435363738393031323334353637383930";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let roomId: number;
let nextRoomId: number;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  roomId = await door("305");
  nextRoomId = await door("306");
});

async function door(name: string): Promise<number> {
  const id = await hotel.createRoom(name);
  const mac = `02:00:00:00:04:${String(++serial).padStart(2, "0")}`;
  const lock = await world.database.prisma.lock.create({
    data: { hotelId: hotel.id, roomId: id, mac, configuredAt: owner.now() },
  });
  await giveLockSecret(world.database, owner, lock.id, SECRET);
  return id;
}

const party = (fields: object) => ({
  roomId,
  unit: "day",
  startsAt: NOW,
  endsAt: END,
  guests: [{ name: `Guest ${++serial}`, mobile: "", email: "" }],
  ...fields,
});
const checkIn = (fields: object = {}) => stays.checkIn(owner, checkInInput.parse(party(fields)));
const reserve = (fields: object = {}) => stays.reserve(owner, reserveInput.parse(party(fields)));
const arrive = (stayId: number) =>
  stays.arrive(owner, {
    stayId,
    depositMinor: null,
    depositChannel: "cash",
    channel: null,
    confirmDirty: true,
    confirmAlreadyIn: true,
  });
const renew = (stayId: number) =>
  stays.renew(owner, {
    stayId,
    endsAt: LATER,
    unit: "day",
    agreedTotalMinor: null,
    expectedTotalMinor: null,
    channel: null,
  });
const code = (fields: object) =>
  passcodes.create(owner, createPasscodeInput.parse({ type: "air", roomIds: [roomId], person: "Ann", ...fields }));
const credentials = () =>
  world.database.prisma.credential.findMany({ where: { hotelId: hotel.id }, orderBy: { id: "asc" } });

async function locksAnswer(): Promise<void> {
  const { lockCommand, credential } = world.database.prisma;
  const open = { hotelId: hotel.id, state: "queued" as const };
  await lockCommand.updateMany({ where: open, data: { state: "acknowledged", tries: 1 } });
  await credential.updateMany({ where: open, data: { state: "confirmed" } });
}

/** Runs `second` after `first` has written but not committed; `first` commits once `second` waits for it. */
async function runTogether(
  first: (tx: Transaction) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> {
  let markWritten = (): void => {};
  let release = (): void => {};
  const hasWritten = new Promise<void>((resolve) => {
    markWritten = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const one = owner.write(async (tx) => {
    await first(tx);
    markWritten();
    await released;
  });
  await hasWritten;
  const two = second();
  await untilBlocked(world);
  release();
  await Promise.all([one, two]);
}

it("renewing a stay does not restore a code that is taken back at the same moment", async () => {
  const { stayId } = await checkIn();
  const { passcodeId } = await code({ stayId });
  await locksAnswer();
  await runTogether(
    (tx) => revokeCredentials(owner, tx, { passcodeId }, "by_hand"),
    () => renew(stayId),
  );
  expect(await credentials()).toMatchObject([{ state: "revoking" }]);
  const waiting = await world.database.prisma.lockCommand.findMany({ where: { hotelId: hotel.id, state: "queued" } });
  expect(waiting.map(({ type }) => type)).toEqual(["remove_credential"]);
});

it("a code removed while its party moves does not exist at the new door", async () => {
  const { stayId } = await checkIn({ roomId: nextRoomId });
  const { passcodeId } = await code({ stayId, roomIds: [roomId, nextRoomId] });
  await locksAnswer();
  const third = await door("307");
  await runTogether(
    async (tx) => moveAccess(owner, tx, await readStay(owner, tx.sql, stayId), { roomId: third, startsAt: NOW }),
    () => passcodes.remove(owner, { passcodeId }),
  );
  const live = (await credentials()).filter(({ state }) => state !== "revoking" && state !== "revoked");
  expect(live).toEqual([]);
});

it("a face erased while its party moves does not exist at the new door", async () => {
  const { stayId } = await checkIn();
  const { prisma } = world.database;
  const face = await prisma.face.create({ data: { hotelId: hotel.id, note: "Ann", consentAt: owner.now() } });
  await faces.grant(owner, { faceId: face.id, stayId, roomIds: [], validFrom: null, validTo: null });
  await locksAnswer();
  const files = new FileStore(
    { write: async () => {}, read: async () => null, remove: async () => {} },
    unlimited,
    requireFacePicture,
    oneFace,
  );
  await runTogether(
    async (tx) => moveAccess(owner, tx, await readStay(owner, tx.sql, stayId), { roomId: nextRoomId, startsAt: NOW }),
    () => faces.remove(owner, files, { faceId: face.id }),
  );
  const live = (await credentials()).filter(({ state }) => state !== "revoking" && state !== "revoked");
  expect(live).toEqual([]);
});

it("a face erased while it is granted at a door gets no permission there", async () => {
  const { prisma } = world.database;
  const face = await prisma.face.create({ data: { hotelId: hotel.id, note: "Ann", consentAt: owner.now() } });
  await runTogether(
    (tx) => tx.db.face.update({ where: { id: face.id }, data: { deletedAt: owner.now() } }),
    () =>
      faces
        .grant(owner, { faceId: face.id, stayId: null, roomIds: [roomId], validFrom: null, validTo: null })
        .catch(() => undefined),
  ).catch(() => undefined);
  expect(await credentials()).toEqual([]);
});

it("a reserved party gets no one-time code, because it would open for the current guests", async () => {
  await checkIn();
  const later = await reserve({ startsAt: "2026-11-24T14:00:00Z", endsAt: "2026-11-25T11:00:00Z" });
  await expect(code({ stayId: later.stayId, type: "one_time" })).rejects.toMatchObject({
    code: "state_conflict",
    params: { state: "reserved" },
  });
  expect((await list(owner, passcodesInput.parse({}))).rows).toEqual([]);
});

it("a party that arrives early can use its bracelet at once", async () => {
  const early = "2026-11-18T18:00:00.000Z";
  const { stayId } = await reserve({ startsAt: early });
  const { cardId } = await addOverTheAir(owner, airCardInput.parse({ uid: "A1B2C3D4", stayId }));
  await arrive(stayId);
  expect(await credentials()).toMatchObject([{ cardId, validFrom: new Date(NOW), validTo: new Date(END) }]);
  const card = () => world.database.prisma.card.findUniqueOrThrow({ where: { id: cardId } });
  expect((await card()).validFrom).toEqual(new Date(NOW));
  const second = await addOverTheAir(owner, airCardInput.parse({ uid: "A1B2C3D5", stayId }));
  expect((await credentials()).find((row) => row.cardId === second.cardId)?.validFrom).toEqual(new Date(NOW));
});
