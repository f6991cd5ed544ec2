import { randomBytes, randomUUID } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SecretPurpose, secretBox } from "../../core/secret-box.ts";
import { diskFiles } from "../../infra/file-storage.ts";
import { createBrowser } from "../../testing/browser.ts";
import { furnish, type House } from "../../testing/house.ts";
import { createTestServer, type TestServer } from "../../testing/server.ts";
import { countLeft, resealColumn } from "./reseal-column.ts";
import { rotateSecrets } from "./rotation.ts";
import { SEALED_COLUMNS } from "./sealed-columns.ts";

const EARLIER = randomBytes(32);
const NEWEST = randomBytes(32);
const DOCUMENT = "X-4471 09";

let before: TestServer;
let house: House;
let cookie: string;
let link: string;
let code: string;
let picture: Buffer;
let pictureUrl: string;

const needs = (over: Partial<Parameters<typeof rotateSecrets>[0]> = {}) => ({
  database: before.database,
  storage: diskFiles(`${before.dataDir}/files`),
  secretKey: NEWEST,
  previousSecretKeys: [EARLIER],
  ...over,
});
const besideWith = (secretKey: Buffer, previousSecretKeys: Buffer[] = []): Promise<TestServer> =>
  createTestServer({ beside: before, clock: before.clock, secretKey, previousSecretKeys });
const sealed = (purpose: SecretPurpose, text: string): Buffer<ArrayBuffer> => secretBox(EARLIER, purpose).seal(text);

async function uploadFace(): Promise<{ id: string; url: string }> {
  const image = await sharp({ create: { width: 400, height: 400, channels: 3, background: "tan" } })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(image)], { type: "image/jpeg" }), "face.jpg");
  const request = new Request("http://localhost", { method: "POST", body: form });
  const { body } = await house.ownerDesk.http("POST", "/api/files?kind=face", {
    headers: { "content-type": request.headers.get("content-type") ?? "" },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  return JSON.parse(body);
}

/** A row of every kind that is sealed. */
async function fill(): Promise<void> {
  const { api } = house.ownerDesk;
  const { hotelId, webhookId, stayId } = house.ids;
  const { prisma } = before.database;
  const detail = await api.stays.detail.query({ stayId });
  await prisma.guest.update({
    where: { id: detail.guests[0]?.guestId ?? 0 },
    data: {
      documentType: "passport",
      documentNumberBox: sealed("document", "X447109"),
      documentNumberHash: secretBox(EARLIER, "document").fingerprint("X447109"),
    },
  });
  await api.integrations.rotateSecret.mutate({ id: webhookId });
  await prisma.withdrawalAccount.create({
    data: {
      hotelId,
      type: "bank",
      name: "House",
      numberBox: sealed("payout", "DE00 1234"),
      numberEnd: "1234",
      updatedAt: before.clock.now(),
    },
  });
  await prisma.deviceLink.create({
    data: {
      hotelId,
      kind: "zigbee2mqtt",
      settingsBox: sealed("lock", JSON.stringify({ baseTopic: "z" })),
      accessBox: sealed("lock", "password"),
    },
  });
  await prisma.lock.updateMany({
    data: { secretBox: sealed("lock", "00".repeat(20)), accessBox: sealed("lock", "password") },
  });
  await prisma.operatorTotp.create({
    data: { operatorId: house.owner.id, secretBox: sealed("totp", "SECRET"), confirmedAt: new Date(), lastUsedStep: 1 },
  });
  await prisma.loginChallenge.create({
    data: {
      id: randomUUID(),
      purpose: "totp_setup",
      operatorId: house.owner.id,
      secretBox: sealed("totp", "NEXT"),
      createdAt: before.clock.now(),
      expiresAt: before.clock.now(),
    },
  });
  await prisma.outboundMessage.create({
    data: { hotelId, channel: "mail", recipient: "a@example.test", bodyBox: sealed("message", "Hello") },
  });
  await prisma.export.update({
    where: { id: house.ids.exportId },
    data: { request: { box: sealed("document", JSON.stringify({ keyword: DOCUMENT.repeat(20) })).toString("base64") } },
  });
  const face = await uploadFace();
  const { faceId } = await api.faces.enrol.mutate({ fileId: face.id, note: "Ann", consent: true });
  await api.faces.grant.mutate({ faceId, roomIds: [house.ids.roomId] });
  pictureUrl = face.url;
  picture = (await house.ownerDesk.http("GET", face.url)).rawPayload;
  code = (await api.passcodes.reveal.mutate({ passcodeId: house.ids.passcodeId })).code;
  link = before.services.fileLinks.sign({ hotelId, id: face.id }, 3600);
}

beforeAll(async () => {
  before = await createTestServer({ secretKey: EARLIER });
  house = await furnish(before, "turn");
  await fill();
  cookie = house.ownerDesk.cookie ?? "";
});
afterAll(() => before.close());

/** What a desk sees of everything that was sealed. */
async function expectWhole(server: TestServer): Promise<void> {
  const desk = createBrowser(server.app, cookie);
  const { api } = desk;
  const found = await api.guests.search.query({ query: DOCUMENT });
  expect(found.map(({ documentNumber }) => documentNumber)).toEqual(["X447109"]);
  expect((await api.guests.list.query({ keyword: "x447109", state: "in" })).total).toBe(1);
  expect((await api.passcodes.reveal.mutate({ passcodeId: house.ids.passcodeId })).code).toBe(code);
  expect((await desk.http("GET", pictureUrl)).rawPayload.equals(picture)).toBe(true);
  await expect(
    api.passcodes.create.mutate({ type: "custom", code, roomIds: [house.ids.roomId], person: "Bob" }),
  ).rejects.toThrow("code_taken");
  cookie = desk.cookie ?? "";
}

describe("a change of the secret key", () => {
  it("begins with rows of every kind that is sealed", async () => {
    for (const { name, table, read } of SEALED_COLUMNS) {
      const { rowCount } = await before.database.pool.query(`SELECT FROM ${table} t WHERE ${read} IS NOT NULL`);
      expect(rowCount, name).toBeGreaterThan(0);
    }
  });

  it("is no change for a desk while both keys are known, and its cookie is sealed anew", async () => {
    const both = await besideWith(NEWEST, [EARLIER]);
    const was = cookie;
    await expectWhole(both);
    expect(cookie).not.toBe(was);
    expect(secretBox(NEWEST, "cookie").open(Buffer.from(cookie, "base64url"))).not.toBeNull();
    const [, id = ""] = /^\/files\/(.*)$/.exec(pictureUrl) ?? [];
    const query = new URLSearchParams(link);
    const file = { hotelId: house.ids.hotelId, id };
    const signature = query.get("signature") ?? "";
    expect(both.services.fileLinks.holds(file, Number(query.get("expires")), signature)).toBe(true);
    await both.close();
  });

  it("says what is left before it was carried out", async () => {
    const told = await rotateSecrets(needs(), true);
    expect(told.filter(({ left }) => left === 0).map(({ name }) => name)).toEqual([]);
  });

  it("passes by a row that somebody holds, and comes back to it", async () => {
    const column = SEALED_COLUMNS.find(({ name }) => name === "lock.secret_box");
    if (!column) throw new Error("locks have no secret");
    const { pool } = before.database;
    const box = secretBox(NEWEST, "lock", [EARLIER]);
    const desk = await pool.connect();
    await desk.query("BEGIN");
    await desk.query("SELECT FROM lock WHERE id = $1 FOR UPDATE", [house.ids.lockId]);
    const resealing = resealColumn(pool, column, box);
    await expect.poll(() => countLeft(pool, column, box.keyId)).toBe(1);
    await desk.query("COMMIT");
    desk.release();
    expect(await resealing).toMatchObject({ resealed: 2, left: 0 });
  });

  it("seals everything else anew, and again changes nothing", async () => {
    const told = await rotateSecrets(needs());
    expect(told.filter(({ left, unreadable }) => left + unreadable > 0)).toEqual([]);
    expect(told.filter(({ resealed }) => resealed === 0).map(({ name }) => name)).toEqual(["lock.secret_box"]);
    const again = await rotateSecrets(needs());
    expect(again.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(0);
  });

  it("leaves nothing that needs the earlier key", async () => {
    for (const { name, table, read, purpose } of SEALED_COLUMNS) {
      const box = secretBox(NEWEST, purpose);
      const { rows } = await before.database.pool.query<{ sealed: Buffer }>(
        `SELECT ${read} AS sealed FROM ${table} t WHERE ${read} IS NOT NULL`,
      );
      expect(rows.map(({ sealed: one }) => box.open(one)).includes(null), name).toBe(false);
    }
    const alone = await besideWith(NEWEST);
    await expectWhole(alone);
    await alone.close();
    const { rows } = await before.database.pool.query<{ request: { box: string } }>("SELECT request FROM export");
    expect(rows[0]?.request.box).toMatch(/^[A-Za-z0-9+/]+=*$/);
  });

  it("names what none of the keys opens, and leaves it as it is", async () => {
    const lost = secretBox(randomBytes(32), "payout").seal("lost");
    await before.database.prisma.withdrawalAccount.updateMany({ data: { numberBox: lost } });
    const told = await rotateSecrets(needs());
    const account = told.find(({ name }) => name === "withdrawal_account.number_box");
    expect(account).toMatchObject({ resealed: 0, unreadable: 1, left: 1 });
    const kept = await before.database.prisma.withdrawalAccount.findFirstOrThrow();
    expect(Buffer.from(kept.numberBox).equals(lost)).toBe(true);
  });

  it("is undone for a file that was erased meanwhile", async () => {
    const storage = diskFiles(`${before.dataDir}/files`);
    const { prisma } = before.database;
    const id = randomUUID();
    const facts = { contentType: "image/webp", sizeBytes: 1, width: 1, height: 1, sha256: "" };
    await prisma.storedFile.create({ data: { id, hotelId: house.ids.hotelId, kind: "face", ...facts } });
    await storage.write(id, secretBox(EARLIER, "face").sealBytes(Buffer.from("face")));
    const erasing = {
      ...storage,
      async write(file: string, bytes: Uint8Array) {
        await prisma.storedFile.delete({ where: { id } });
        await storage.write(file, bytes);
      },
    };
    await rotateSecrets(needs({ storage: erasing }));
    expect(await storage.read(id)).toBeNull();
  });
});
