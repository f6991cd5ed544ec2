import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

interface FaceRow {
  faceId: number;
  note: string;
  image: string;
  lock_count: number;
}
interface GrantRow {
  id: number;
  faceId: number;
  lock_id: number;
  room_name: string;
  note: string;
  start: number;
  end: number | null;
  state: string;
}

const DAY = 86_400;
let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;
let desk: Browser["api"];
let facesInPicture: () => number;

beforeAll(async () => {
  server = await createTestServer({ countFaces: async () => facesInPicture() });
  hotel = await seedTestHotel(server, "own");
  client = await manageLogin(server, hotel.owner);
  desk = hotel.ownerDesk.api;
});
afterAll(() => server.close());
beforeEach(() => {
  server.clock.advance(3000);
  facesInPicture = () => 1;
});

const now = (): number => Math.floor(server.clock.now().getTime() / 1000);
const drawImage = (red: number, size = 240): Promise<Buffer> =>
  sharp({ create: { width: size, height: size, channels: 3, background: { r: red, g: 80, b: 80 } } })
    .jpeg()
    .toBuffer();
const enrol = async (red: number, note: string): Promise<number> => {
  const image = (await drawImage(red)).toString("base64");
  return (await answerOf<{ faceId: number }>(client, "user/uploadTFaceImg", { image, note })).faceId;
};
async function uploadByKey(bytes: Buffer): Promise<string> {
  const { url, method, headers, key } = await answerOf<{
    url: string;
    method: "PUT" | "POST";
    headers: Record<string, string>;
    key: string;
  }>(client, "oss/token", { type: "face", content_type: "image/jpeg", size: bytes.length });
  const { pathname, search } = new URL(url);
  const uploadAnswer = await server.app.inject({ method, url: `${pathname}${search}`, headers, payload: bytes });
  expect(uploadAnswer.statusCode).toBeLessThan(300);
  return key;
}
const faces = async (payload: object = {}) =>
  (await answerOf<{ list: FaceRow[] }>(client, "user/faceImgList", { ...payload })).list;
const grants = async (payload: Record<string, unknown>) =>
  (await answerOf<{ list: GrantRow[] }>(client, "lock/empowerFaceList", payload)).list;
const lockOf = async (roomId: number): Promise<number> => (await desk.rooms.detail.query({ roomId })).lock?.id ?? 0;

describe("a face", () => {
  it("is enrolled from a picture in the call, and shown by a link that expires soon", async () => {
    const image = `data:image/jpeg;base64,${(await drawImage(10)).toString("base64")}`;
    const { faceId } = await answerOf<{ faceId: number }>(client, "user/uploadTFaceImg", { image, note: "Ann" });
    const { rows } = await desk.faces.list.query({ query: "Ann" });
    expect(rows).toMatchObject([{ id: faceId, note: "Ann", consentAt: server.clock.now().toISOString() }]);
    const [row] = await faces({ keyword: "ann" });
    expect(row).toMatchObject({ faceId, note: "Ann", lock_count: 0, create_time: now() });
    const { pathname, search } = new URL(row?.image ?? "");
    const opened = await server.app.inject({ method: "GET", url: `${pathname}${search}` });
    expect([opened.statusCode, opened.headers["content-type"]]).toEqual([200, "image/webp"]);
    server.clock.advance(301_000);
    expect((await server.app.inject({ method: "GET", url: `${pathname}${search}` })).statusCode).toBe(404);
  });

  it("is enrolled from an uploaded picture, once", async () => {
    const key = await uploadByKey(await drawImage(20));
    const { faceId } = await answerOf<{ faceId: number }>(client, "user/uploadTFaceImg", { key, note: "Brought" });
    expect((await faces()).map((row) => row.faceId)).toContain(faceId);
    server.clock.advance(3000);
    expect((await refusalOf(client, "user/uploadTFaceImg", { key, note: "Brought" })).errno).toBe(100_007);
  });

  it("requires a picture of a face, a note and the permission", async () => {
    const refused = async (payload: object, by = client) => {
      const { errno, data } = await refusalOf(by, "user/uploadTFaceImg", { ...payload });
      return [errno, ...Object.keys(data.fields ?? {})];
    };
    const image = (await drawImage(30)).toString("base64");
    const small = (await drawImage(30, 40)).toString("base64");
    expect(await refused({ image })).toEqual([100_001, "note"]);
    expect(await refused({ note: "Ann" })).toEqual([100_001, "image"]);
    expect(await refused({ image: "AAAA", note: "Ann" })).toEqual([100_001, "image"]);
    expect(await refused({ image: small, note: "Ann" })).toEqual([100_001, "image"]);
    expect(await refused({ key: "uploads/1/1/nothing", note: "Ann" })).toEqual([100_007]);
    const viewer = await server.createOperator(hotel.hotel, { role: "staff", capabilities: ["faces.view"] });
    expect(await refused({ image, note: "Ann" }, await manageLogin(server, viewer))).toEqual([100_006]);
  });

  it("is refused in the caller's language unless the picture shows exactly one, also by its key", async () => {
    const image = (await drawImage(35)).toString("base64");
    const refused = async (payload: object) => {
      server.clock.advance(3000);
      const { errno, errmsg, data } = await refusalOf(client, "user/uploadTFaceImg", { note: "Ann", ...payload });
      return { errno, errmsg, fields: Object.keys(data.fields ?? {}) };
    };
    facesInPicture = () => 0;
    const none = await refused({ image });
    expect(none).toEqual({ errno: 100_001, errmsg: expect.stringMatching(/isn’t visible/), fields: ["image"] });
    facesInPicture = () => 2;
    const several = { errno: 100_001, errmsg: expect.stringMatching(/several faces/) };
    expect(await refused({ image })).toEqual({ ...several, fields: ["image"] });
    expect(await refused({ key: await uploadByKey(await drawImage(36)) })).toEqual({ ...several, fields: ["key"] });
    facesInPicture = () => {
      throw new Error("out of memory");
    };
    expect(await refused({ image })).toEqual({ errno: 100_010, errmsg: expect.stringMatching(/checked/), fields: [] });
  });

  it("gets another note, and is erased together with its permissions", async () => {
    const faceId = await enrol(40, "Ben");
    await answerOf(client, "user/updateFaceNote", { faceId, note: "Ben, night shift" });
    expect((await faces({ keyword: "night" })).map((row) => row.faceId)).toEqual([faceId]);
    const lockId = hotel.ids.lockId;
    await answerOf(client, "lock/empowerFace", { faceId, lock_ids: [lockId], permanent: 1 });
    expect((await faces({ keyword: "night" }))[0]?.lock_count).toBe(1);
    expect(await answerOf(client, "user/deleteTFaceImg", { faceId })).toEqual({});
    expect(await faces({ keyword: "night" })).toEqual([]);
    expect(await server.database.prisma.face.findUniqueOrThrow({ where: { id: faceId } })).toMatchObject({
      fileId: null,
    });
    expect((await grants({ lock_id: lockId })).filter((grant) => grant.faceId === faceId)).toEqual([]);
    server.clock.advance(3000);
    expect((await refusalOf(client, "user/deleteTFaceImg", { faceId })).errno).toBe(100_007);
    expect((await refusalOf(client, "user/updateFaceNote", { faceId, note: "x" })).errno).toBe(100_007);
    expect((await refusalOf(client, "user/updateFaceNote", { faceId })).data.fields).toHaveProperty("note");
    expect((await refusalOf(client, "user/deleteTFaceImg")).data.fields).toHaveProperty("faceId");
  });
});

describe("a face's permission", () => {
  it("is given at several doors for a period, listed by door and by face, and taken back at one", async () => {
    const faceId = await enrol(50, "Cara");
    const lockIds = [await lockOf(hotel.ids.roomId), await lockOf(hotel.ids.freeRoomId)];
    const end = now() + DAY;
    const request = { faceId, lock_ids: lockIds.join(","), start: now(), end };
    const { ids } = await answerOf<{ ids: number[] }>(client, "lock/empowerFace", request);
    const faceGrants = await grants({ faceId });
    expect(faceGrants.map(({ id, lock_id: at }) => [id, at])).toEqual([
      [ids[1], lockIds[1]],
      [ids[0], lockIds[0]],
    ]);
    expect(faceGrants[1]).toMatchObject({ room_name: "own 101", note: "Cara", start: now(), end, state: "pending" });
    expect((await grants({ lock_id: lockIds[0] })).map((grant) => grant.faceId)).toEqual([faceId, hotel.ids.faceId]);
    const { credentials } = await desk.locks.detail.query({ lockId: lockIds[0] ?? 0 });
    expect(credentials).toContainEqual(expect.objectContaining({ id: ids[0], kind: "face", faceId, state: "queued" }));

    const prisma = server.database.prisma;
    await prisma.credential.update({ where: { id: ids[0] ?? 0 }, data: { state: "confirmed" } });
    await prisma.lockCommand.updateMany({ where: { credentialId: ids[0] ?? 0 }, data: { state: "acknowledged" } });
    expect((await grants({ faceId }))[1]?.state).toBe("active");
    expect(await answerOf(client, "lock/deleteEmpowerFace", { id: ids[0] })).toEqual({});
    expect((await grants({ faceId }))[1]?.state).toBe("revoking");
    server.clock.advance(3000);
    const again = await refusalOf(client, "lock/deleteEmpowerFace", { id: ids[0] });
    expect([again.errno, again.data.reason]).toEqual([100_008, "state_conflict"]);
  });

  it("has a note of its own, which can be cleared", async () => {
    const id = hotel.ids.faceGrantId;
    const note = async () => (await grants({ faceId: hotel.ids.faceId }))[0]?.note;
    await answerOf(client, "user/updateLockFaceNote", { id, note: "Until the keys are back" });
    expect(await note()).toBe("Until the keys are back");
    const entry = await server.database.prisma.auditEntry.findFirstOrThrow({ where: { action: "face.grant_note" } });
    expect(JSON.stringify(entry.after)).not.toContain("keys");
    await answerOf(client, "user/updateLockFaceNote", { id, note: "" });
    expect(await note()).toBe("own face");
    expect((await refusalOf(client, "user/updateLockFaceNote", { id })).data.fields).toHaveProperty("note");
    expect((await refusalOf(client, "user/updateLockFaceNote", { id: 999_999, note: "x" })).errno).toBe(100_007);
  });

  it("requires a face, a door and an end", async () => {
    const { faceId, lockId } = hotel.ids;
    const refused = async (payload: object) => {
      const whole = { faceId, lock_ids: [lockId], end: now() + DAY, ...payload };
      const { errno, data } = await refusalOf(client, "lock/empowerFace", whole);
      return [errno, data.reason ?? Object.keys(data.fields ?? {})[0]];
    };
    expect(await refused({ faceId: undefined })).toEqual([100_001, "faceId"]);
    expect(await refused({ lock_ids: undefined })).toEqual([100_001, "lock_ids"]);
    expect(await refused({ end: undefined })).toEqual([100_001, "end"]);
    expect(await refused({ end: now() - DAY })).toEqual([100_001, "end"]);
    expect(await refused({ faceId: 999_999 })).toEqual([100_007, undefined]);
    expect(await refused({ lock_ids: [lockId, 999_999] })).toEqual([100_007, undefined]);
    const { id: unusedLockId } = await server.database.prisma.lock.create({
      data: { hotelId: hotel.hotel.id, mac: "02:00:00:00:09:09", createdAt: server.clock.now() },
    });
    expect(await refused({ lock_ids: [unusedLockId] })).toEqual([100_008, "state_conflict"]);
    expect((await refusalOf(client, "lock/empowerFaceList")).data.fields).toHaveProperty("lock_id");
    expect((await refusalOf(client, "lock/empowerFaceList", { faceId: 999_999 })).errno).toBe(100_007);
    expect((await refusalOf(client, "lock/empowerFaceList", { lock_id: 999_999 })).errno).toBe(100_007);
    expect((await refusalOf(client, "lock/deleteEmpowerFace", { id: 999_999 })).errno).toBe(100_007);
    expect((await refusalOf(client, "lock/deleteEmpowerFace")).data.fields).toHaveProperty("id");
  });
});
