import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { lockArgs } from "@innkey/shared/locks/protocol";
import { facesInput, grantFaceInput } from "@innkey/shared/schemas/access/faces";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { oneFace } from "../../../../test/harness/face-pictures.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { unlimited } from "../../../../test/harness/unlimited.ts";
import { FACE_CHECK_PX } from "../../../adapters/faces/face-counter.ts";
import { diskFiles, type FileStorage } from "../../../adapters/storage/storage.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { FileStore } from "../../files/files.service.ts";
import { openArgs } from "../lock-commands/commands.ts";
import { createFaceImages, sweep } from "./face-images.ts";
import * as queries from "./faces.queries.ts";
import { requireFacePicture } from "./faces.queries.ts";
import * as faces from "./faces.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const DAY_MS = 86_400_000;

let world: TestWorld;
let directory: string;
let storage: FileStorage;
let files: FileStore;
let portrait: Buffer;
let hotel: TestHotel;
let owner: Scope;
let roomId: number;
let otherRoomId: number;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
  directory = await mkdtemp(join(tmpdir(), "innkey-faces-"));
  storage = diskFiles(directory);
  files = new FileStore(storage, unlimited, requireFacePicture, oneFace);
  portrait = await picture(600, 800);
});
afterAll(async () => {
  await world.close();
  await rm(directory, { recursive: true });
});
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  roomId = await door("305");
  otherRoomId = await door("306");
});

const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: "tan", noise: { type: "gaussian", mean: 128, sigma: 60 } },
  })
    .jpeg()
    .toBuffer();

async function door(name: string): Promise<number> {
  const id = await hotel.createRoom(name);
  const mac = `02:00:00:00:01:${String(++serial).padStart(2, "0")}`;
  await world.database.prisma.lock.create({ data: { hotelId: hotel.id, roomId: id, mac } });
  return id;
}

const upload = (scope = owner) => files.store(scope, "face", portrait).then(({ id }) => id);
async function enrol(fields: Partial<Parameters<typeof faces.enrol>[1]> = {}, scope = owner) {
  const fileId = fields.fileId ?? (await upload(scope));
  return { fileId, ...(await faces.enrol(scope, { note: "Ann", guestId: null, consent: true, ...fields, fileId })) };
}
const grant = (fields: Partial<Parameters<typeof grantFaceInput.parse>[0] & object>, scope = owner) =>
  faces.grant(scope, grantFaceInput.parse(fields));
const listFaces = (filter: object = {}, scope = owner) => queries.list(scope, facesInput.parse(filter));
const refusal = (call: Promise<unknown>) => call.catch((error: unknown) => error);
const checkIn = () =>
  stays.checkIn(
    owner,
    checkInInput.parse({
      roomId,
      unit: "day",
      startsAt: NOW,
      endsAt: "2026-11-20T11:00:00.000Z",
      guests: [{ name: "Ann", mobile: "", email: "" }],
    }),
  );
const filesOnDisk = async (): Promise<string[]> =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((f) => f.isFile()).map((f) => f.name);
const images = () => createFaceImages(files, async (hotelId) => (hotelId === hotel.id ? owner : null));
async function confirmCommands(): Promise<void> {
  const { lockCommand, credential } = world.database.prisma;
  await lockCommand.updateMany({ where: { hotelId: hotel.id }, data: { state: "acknowledged", tries: 1 } });
  await credential.updateMany({ where: { hotelId: hotel.id, state: "queued" }, data: { state: "confirmed" } });
}

describe("the picture of a face", () => {
  it("is stored encrypted and read back unchanged", async () => {
    const { id } = await files.store(owner, "face", portrait);
    const stored = await readFile(join(directory, id.slice(0, 2), id));
    await expect(sharp(stored).metadata()).rejects.toThrow();
    const opened = await files.open(owner, id);
    const bytes = await buffer(opened.content);
    expect(opened).toMatchObject({ kind: "face", contentType: "image/webp", sizeBytes: bytes.length });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 600, height: 800 });
    expect(stored.includes(bytes.subarray(20, 60))).toBe(false);
  });

  it("needs at least 160 px a side, and is stored with at most 800 px", async () => {
    expect(await refusal(files.store(owner, "face", await picture(159, 400)))).toMatchObject({
      code: "invalid_input",
      fields: { file: { key: "validation.pictureTooSmall", params: { min: 160 } } },
    });
    expect(await files.store(owner, "face", await picture(2000, 1000))).toMatchObject({ width: 800, height: 400 });
  });

  it.each([
    [0, { code: "invalid_input", fields: { file: { key: "validation.noFace" } } }],
    [2, { code: "invalid_input", fields: { file: { key: "validation.severalFaces" } } }],
    [null, { code: "face_check_failed" }],
  ])("has to show exactly one face, and is not stored with %s or while that can't be checked", async (count, error) => {
    const counting = new FileStore(storage, unlimited, requireFacePicture, async (pixels) => {
      expect(pixels.length).toBe(FACE_CHECK_PX * FACE_CHECK_PX * 3);
      if (count === null) throw new Error("out of memory");
      return count;
    });
    const before = await filesOnDisk();
    expect(await refusal(counting.store(owner, "face", portrait))).toMatchObject(error);
    expect(await filesOnDisk()).toEqual(before);
    expect(await counting.store(owner, "room", portrait)).toMatchObject({ width: 600 });
  });

  it("is shown only with the capability, to those whose rooms the face concerns", async () => {
    const { fileId, faceId } = await enrol();
    const staff = (capabilities: string[], roomIds: number[]) => hotel.scope("staff", { capabilities, roomIds });
    const managerOnly = await staff(["faces.manage"], [roomId]);
    expect(await refusal(files.open(managerOnly, fileId))).toMatchObject({ code: "no_permission" });
    const viewer = await staff(["faces.view"], [roomId]);
    expect(await refusal(files.open(viewer, fileId))).toMatchObject({ code: "not_found" });
    await grant({ faceId, roomIds: [roomId] });
    (await files.open(viewer, fileId)).content.destroy();
    const stranger = await (await world.createHotel()).scope();
    expect(await refusal(files.open(stranger, fileId))).toMatchObject({ code: "not_found" });
    const own = await staff(["faces.view", "faces.manage"], []);
    (await files.open(own, await upload(own))).content.destroy();
    expect(await refusal(files.open(own, await upload()))).toMatchObject({ code: "not_found" });
  });

  it("cannot be used as a room's picture", async () => {
    const fileId = await upload();
    expect(await refusal(enrol({ fileId: (await files.store(owner, "room", portrait)).id }))).toMatchObject({
      code: "invalid_input",
    });
    await enrol({ fileId });
  });
});

describe("enrolling", () => {
  it("requires consent, a new unused picture, and an existing guest", async () => {
    expect(await refusal(enrol({ consent: false }))).toMatchObject({ code: "consent_missing" });
    const { fileId } = await enrol();
    const wrong = { code: "invalid_input", fields: { fileId: { key: "validation.unknown" } } };
    expect(await refusal(enrol({ fileId }))).toMatchObject(wrong);
    const stranger = await (await world.createHotel()).scope();
    expect(await refusal(enrol({ fileId: await upload(stranger) }))).toMatchObject(wrong);
    expect(await refusal(enrol({ guestId: 1_900_000_000 }))).toMatchObject({ fields: { guestId: expect.anything() } });
    const stale = await upload();
    world.clock.advance(DAY_MS);
    expect(await refusal(enrol({ fileId: stale }))).toMatchObject(wrong);
  });

  it("gives one picture to one face, however many requests use it at once", async () => {
    const fileId = await upload();
    const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => enrol({ fileId })));
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of attempts) {
      if (outcome.status === "rejected") expect(["state_conflict", "invalid_input"]).toContain(outcome.reason.code);
    }
  });

  it("lists the face with its guest, and writes neither picture nor note to the audit log", async () => {
    const { stayId } = await checkIn();
    const { guestId } = await world.database.prisma.stayGuest.findFirstOrThrow({ where: { stayId } });
    const { faceId, fileId } = await enrol({ guestId, note: "Ann from 305" });
    await enrol({ note: "Bob" });
    expect(await listFaces({ query: "ann" })).toMatchObject({
      total: 1,
      rows: [{ id: faceId, guestId, guestName: "Ann", imageUrl: `/files/${fileId}`, grants: [], consentAt: NOW }],
    });
    expect(await listFaces({ page: 7 })).toMatchObject({ rows: [], total: 2 });
    await faces.rename(owner, { faceId, note: "Annie" });
    expect((await listFaces({ query: "annie" })).total).toBe(1);
    const entries = await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id, entity: "face" } });
    expect(entries.map(({ action }) => action)).toEqual(["face.enrol", "face.enrol", "face.rename"]);
    expect(JSON.stringify(entries.map(({ before, after }) => [before, after]))).not.toMatch(/Ann|files|base64/);
    const clerk = await hotel.scope("staff", { capabilities: ["faces.view"], roomIds: [roomId] });
    expect((await listFaces({}, clerk)).rows.map(({ id }) => id)).toEqual([faceId]);
  });

  it("is found by its guest's name only by those who can see the name", async () => {
    const { stayId } = await checkIn();
    const { guestId } = await world.database.prisma.stayGuest.findFirstOrThrow({ where: { stayId } });
    const { faceId } = await enrol({ guestId, note: "from 305" });
    const capabilities = ["faces.view", "stays.view"];
    const [knows, guesses] = [capabilities, ["faces.view"]].map((granted) =>
      hotel.scope("staff", { capabilities: granted, roomIds: [roomId] }),
    );
    expect((await listFaces({ query: "ann" }, await knows)).rows.map(({ id }) => id)).toEqual([faceId]);
    expect(await listFaces({ query: "ann" }, await guesses)).toEqual({ rows: [], total: 0 });
    expect((await listFaces({ query: "305" }, await guesses)).rows).toMatchObject([{ id: faceId, guestName: null }]);
  });
});

describe("permission at doors", () => {
  it("is one credential per door, for the requested period", async () => {
    const { faceId } = await enrol();
    const { credentialIds } = await grant({ faceId, roomIds: [roomId, otherRoomId], validTo: "2026-11-19T00:00:00Z" });
    const [row] = (await listFaces()).rows;
    expect(row?.grants).toMatchObject(
      [roomId, otherRoomId].map((id, index) => ({
        id: credentialIds[index],
        kind: "face",
        state: "queued",
        roomId: id,
        label: "Ann",
        validFrom: NOW,
        validTo: "2026-11-19T00:00:00.000Z",
      })),
    );
    const commands = await world.database.prisma.lockCommand.findMany({ where: { hotelId: hotel.id } });
    const args = commands.map((command) => openArgs(owner, command));
    expect(lockArgs.set_credential.parse(args[0])).toMatchObject({ kind: "face", faceId });
  });

  it("for a stay covers its room and its time, and ends with it", async () => {
    const { stayId } = await checkIn();
    const { faceId } = await enrol();
    await grant({ faceId, stayId });
    expect(await queries.grants(owner, { stayId })).toMatchObject([{ roomId, validTo: "2026-11-20T11:00:00.000Z" }]);
    await confirmCommands();
    await stays.checkOut(owner, {
      stayId,
      confirmUnpaid: true,
      refundDeposit: true,
      refundUnusedMinor: 0,
      channel: null,
      refundChannel: "cash",
    });
    expect(await queries.grants(owner, { roomId })).toMatchObject([{ state: "revoking", faceId }]);
    expect(await refusal(grant({ faceId, stayId }))).toMatchObject({ code: "state_conflict" });
  });

  it("granted again is one permission with the new period, even before the lock has removed the old one", async () => {
    const { faceId } = await enrol();
    const first = await grant({ faceId, roomIds: [roomId] });
    await confirmCommands();
    const again = await grant({ faceId, roomIds: [roomId], validTo: "2026-11-30T00:00:00Z" });
    expect(again).toEqual(first);
    const [credentialId = 0] = first.credentialIds;
    await confirmCommands();
    await faces.withdrawGrant(owner, { credentialId });
    expect(await queries.grants(owner, { roomId })).toMatchObject([{ id: credentialId, state: "revoking" }]);
    expect(await refusal(faces.withdrawGrant(owner, { credentialId }))).toMatchObject({ code: "state_conflict" });
    await grant({ faceId, roomIds: [roomId] });
    expect(await queries.grants(owner, { roomId })).toMatchObject([
      { id: credentialId, state: "queued", revokedAt: null },
    ]);
  });

  it("is given and taken back by staff only at their own doors", async () => {
    const { faceId } = await enrol();
    const { credentialIds } = await grant({ faceId, roomIds: [roomId, otherRoomId] });
    const capabilities = ["faces.view", "faces.manage"];
    const clerk = await hotel.scope("staff", { capabilities, roomIds: [roomId] });
    expect((await listFaces({}, clerk)).rows[0]?.grants).toHaveLength(1);
    expect(await queries.grants(clerk, {})).toHaveLength(1);
    expect(await refusal(grant({ faceId, roomIds: [otherRoomId] }, clerk))).toMatchObject({ code: "not_found" });
    expect(await refusal(faces.withdrawGrant(clerk, { credentialId: credentialIds[1] ?? 0 }))).toMatchObject({
      code: "not_found",
    });
    expect(await refusal(faces.remove(clerk, files, { faceId }))).toMatchObject({ code: "no_permission" });
    expect((await listFaces()).rows[0]?.grants).toHaveLength(2);
    await faces.withdrawGrant(clerk, { credentialId: credentialIds[0] ?? 0 });
  });
});

describe("the picture for a lock", () => {
  it("is a small JPEG", async () => {
    const { faceId } = await enrol({ fileId: (await files.store(owner, "face", await picture(1600, 1600))).id });
    const text = await images().imageForLock(hotel.id, faceId);
    expect(text?.length).toBeLessThanOrEqual(60_000);
    expect(await sharp(Buffer.from(text ?? "", "base64")).metadata()).toMatchObject({
      format: "jpeg",
      width: 320,
      height: 320,
    });
  });

  it("does not exist for another hotel, another face, or an erased one", async () => {
    const { faceId } = await enrol();
    expect(await images().imageForLock(hotel.id + 1, faceId)).toBeNull();
    expect(await images().imageForLock(hotel.id, faceId + 1)).toBeNull();
    await faces.remove(owner, files, { faceId });
    expect(await images().imageForLock(hotel.id, faceId)).toBeNull();
  });
});

describe("removing", () => {
  it("erases the picture at once, and the person when every lock has removed them", async () => {
    const { faceId, fileId } = await enrol();
    await grant({ faceId, roomIds: [roomId] });
    await confirmCommands();
    await faces.remove(owner, files, { faceId });
    expect(await filesOnDisk()).not.toContain(fileId);
    expect(await world.database.prisma.storedFile.count({ where: { id: fileId } })).toBe(0);
    expect((await listFaces()).total).toBe(0);
    expect(await queries.grants(owner, {})).toMatchObject([{ label: "Ann", state: "revoking", imageUrl: null }]);
    for (const call of [
      () => faces.remove(owner, files, { faceId }),
      () => faces.rename(owner, { faceId, note: "x" }),
      () => grant({ faceId, roomIds: [roomId] }),
      () => files.open(owner, fileId),
    ]) {
      expect(await refusal(call())).toMatchObject({ code: "not_found" });
    }
    const { face, credential } = world.database.prisma;
    const deps = { database: world.database, storage, clock: world.clock };
    await sweep(deps);
    expect(await face.findUniqueOrThrow({ where: { id: faceId } })).toMatchObject({ note: "Ann" });
    await credential.updateMany({ where: { faceId }, data: { state: "revoked" } });
    await sweep(deps);
    expect(await face.findUniqueOrThrow({ where: { id: faceId } })).toMatchObject({ note: "", guestId: null });
  });

  it("deletes pictures that were uploaded and never enrolled, and nothing else", async () => {
    const orphan = await upload();
    const { fileId } = await enrol();
    const { id: room } = await files.store(owner, "room", portrait);
    const deps = { database: world.database, storage, clock: world.clock };
    world.clock.advance(DAY_MS);
    await sweep(deps);
    expect(await filesOnDisk()).toContain(orphan);
    world.clock.advance(2 * 3_600_000);
    await sweep(deps);
    const remainingFiles = await filesOnDisk();
    expect(remainingFiles).not.toContain(orphan);
    expect(remainingFiles).toEqual(expect.arrayContaining([fileId, room]));
    expect(await world.database.prisma.storedFile.count({ where: { id: orphan } })).toBe(0);
  });

  it("is refused to strangers like everything else", async () => {
    const { faceId } = await enrol();
    const { credentialIds } = await grant({ faceId, roomIds: [roomId] });
    const credentialId = credentialIds[0] ?? 0;
    const stranger = await (await world.createHotel()).scope();
    const nobody = await hotel.scope("staff", { roomIds: [roomId] });
    for (const [scope, code] of [
      [stranger, "not_found"],
      [nobody, "no_permission"],
    ] as const) {
      for (const call of [
        () => faces.remove(scope, files, { faceId }),
        () => faces.rename(scope, { faceId, note: "x" }),
        () => grant({ faceId, roomIds: [roomId] }, scope),
        () => faces.withdrawGrant(scope, { credentialId }),
      ]) {
        expect(await refusal(call())).toMatchObject({ code });
      }
    }
    expect(await listFaces({}, stranger)).toEqual({ rows: [], total: 0 });
    expect(await queries.grants(stranger, {})).toEqual([]);
    expect(await refusal(listFaces({}, nobody))).toMatchObject({ code: "no_permission" });
    expect(await refusal(queries.grants(nobody, {}))).toMatchObject({ code: "no_permission" });
  });
});
