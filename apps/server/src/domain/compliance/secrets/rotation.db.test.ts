import { randomBytes, randomUUID } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBrowser } from "../../../../test/harness/browser.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import { diskFiles } from "../../../adapters/storage/storage.ts";
import { createLogger } from "../../../adapters/telemetry/logger.ts";
import { COOKIE_CONTEXT } from "../../../api/http/session-cookie.ts";
import { secretsOf } from "../../../kernel/scope.ts";
import { type SealContext, type SecretPurpose, secretBox } from "../../../kernel/secret-box.ts";
import { storedRequest } from "../../data/exports/exports.service.ts";
import { faceContext } from "../../files/files.service.ts";
import { totpContext } from "../../identity/two-step/factors.ts";
import { setUpContext } from "../../identity/two-step/own-two-step.ts";
import { bodyContext } from "../../messaging/outgoing-messages/outgoing-messages.service.ts";
import { recordHeads } from "../audit/audit.service.ts";
import { countLeft, resealColumn, rotateSecrets } from "./rotation.ts";
import { contextOf, rowKeyOf, SEALED_COLUMNS, type SealedRow, sealedRow } from "./sealed-columns.ts";

const EARLIER = randomBytes(32);
const NEWEST = randomBytes(32);
const DOCUMENT = "X-4471 09";

let before: TestServer;
let hotel: SeededHotel;
let cookie: string;
let link: string;
let code: string;
let picture: Buffer;
let pictureUrl: string;

const deps = (overrides: Partial<Parameters<typeof rotateSecrets>[0]> = {}) => ({
  database: before.database,
  storage: diskFiles(`${before.dataDir}/files`),
  secretKey: NEWEST,
  previousSecretKeys: [EARLIER],
  ...overrides,
});
const besideWith = (secretKey: Buffer, previousSecretKeys: Buffer[] = []): Promise<TestServer> =>
  createTestServer({ beside: before, clock: before.clock, secretKey, previousSecretKeys });
const sealed = (purpose: SecretPurpose, text: string, context: SealContext): Buffer<ArrayBuffer> =>
  secretBox(EARLIER, purpose).seal(text, context);

async function uploadFace(): Promise<{ id: string; url: string }> {
  const image = await sharp({ create: { width: 400, height: 400, channels: 3, background: "tan" } })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(image)], { type: "image/jpeg" }), "face.jpg");
  const request = new Request("http://localhost", { method: "POST", body: form });
  const { body } = await hotel.ownerDesk.http("POST", "/api/files?kind=face", {
    headers: { "content-type": request.headers.get("content-type") ?? "" },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  return JSON.parse(body);
}

/** Creates a row of every kind that is sealed. */
async function fill(): Promise<void> {
  const { api } = hotel.ownerDesk;
  const { hotelId, webhookId, stayId } = hotel.ids;
  const { prisma } = before.database;
  const [guest] = (await api.stays.detail.query({ stayId })).guests;
  if (!guest) throw new Error("nobody is in the house");
  const { stayGuestId, guestId: _id, primary: _primary, ...person } = guest;
  const document = { documentType: "passport" as const, documentNumber: DOCUMENT };
  await api.guests.update.mutate({ stayGuestId, guest: { ...person, ...document } });
  await api.integrations.rotateSecret.mutate({ id: webhookId });
  await api.guestMessages.saveWebhook.mutate({ url: "https://8.8.8.8/messages" });
  await api.balance.setAccount.mutate({ type: "bank", name: "House", number: "DE00 1234" });
  await api.locks.saveLink.mutate({ kind: "zigbee2mqtt", baseTopic: "z" });
  for (const { id: lockId } of await prisma.lock.findMany()) await api.locks.connect.mutate({ lockId });
  await prisma.operatorTotp.create({
    data: {
      operatorId: hotel.clerk.id,
      secretBox: sealed("totp", "SECRET", totpContext(hotel.clerk.id)),
      confirmedAt: new Date(),
      lastUsedStep: 1,
    },
  });
  const challengeId = randomUUID();
  await prisma.loginChallenge.create({
    data: {
      id: challengeId,
      purpose: "totp_setup",
      operatorId: hotel.owner.id,
      secretBox: sealed("totp", "NEXT", setUpContext(challengeId)),
      createdAt: before.clock.now(),
      expiresAt: before.clock.now(),
    },
  });
  const id = randomUUID();
  const bodyBox = sealed("message", "Hello", bodyContext({ id, hotelId }));
  await prisma.outgoingMessage.create({
    data: { id, hotelId, channel: "mail", recipient: "a@example.test", bodyBox },
  });
  const answers = { column: "pre_check_in.content_box", hotelId, row: stayGuestId } as const;
  await prisma.preCheckIn.create({
    data: { hotelId, stayGuestId, contentBox: sealed("document", "{}", answers), sentAt: before.clock.now() },
  });
  const signature = { column: "guest_picture.content_box", hotelId, row: `${stayGuestId},signature` } as const;
  await prisma.guestPicture.create({
    data: {
      ...{ hotelId, stayGuestId, kind: "signature", sentAt: before.clock.now() },
      contentBox: sealed("document", "picture", signature),
    },
  });
  const request = {
    list: "guests" as const,
    format: "csv" as const,
    columns: ["name"],
    page: null,
    filters: { keyword: DOCUMENT.repeat(20) },
  };
  const scope = await before.scopeOf(hotel.owner);
  await prisma.export.update({
    where: { id: hotel.ids.exportId },
    data: { request: storedRequest(hotel.ids.exportId, request, scope) },
  });
  await recordHeads({ ...before, log: createLogger("silent"), secrets: secretsOf(EARLIER) });
  const face = await uploadFace();
  const { faceId } = await api.faces.enrol.mutate({ fileId: face.id, note: "Ann", consent: true });
  await api.faces.grant.mutate({ faceId, roomIds: [hotel.ids.roomId] });
  pictureUrl = face.url;
  picture = (await hotel.ownerDesk.http("GET", face.url)).rawPayload;
  code = (await api.passcodes.reveal.mutate({ passcodeId: hotel.ids.passcodeId })).code;
  link = before.services.fileLinks.sign({ hotelId, id: face.id }, 3600);
}

beforeAll(async () => {
  before = await createTestServer({ secretKey: EARLIER });
  hotel = await seedTestHotel(before, "turn");
  await fill();
  cookie = hotel.ownerDesk.cookie ?? "";
});
afterAll(() => before.close());

/** Expects that the console can still read every sealed value. */
async function expectWhole(server: TestServer): Promise<void> {
  const desk = createBrowser(server.app, cookie);
  const { api } = desk;
  const matches = await api.guests.search.query({ query: DOCUMENT });
  expect(matches.map(({ documentNumber }) => documentNumber)).toEqual(["X447109"]);
  expect((await api.guests.list.query({ keyword: "x447109", state: "in" })).total).toBe(1);
  expect((await api.passcodes.reveal.mutate({ passcodeId: hotel.ids.passcodeId })).code).toBe(code);
  expect((await desk.http("GET", pictureUrl)).rawPayload.equals(picture)).toBe(true);
  await expect(
    api.passcodes.create.mutate({ type: "custom", code, roomIds: [hotel.ids.roomId], person: "Bob" }),
  ).rejects.toThrow("code_taken");
  cookie = desk.cookie ?? "";
}

/** Returns the columns with a value that the key does not open in its place. */
async function closedAt(key: Buffer): Promise<string[]> {
  const closed: string[] = [];
  for (const column of SEALED_COLUMNS) {
    const box = secretBox(key, column.purpose);
    const rowKey = await rowKeyOf(before.database.pool, column.table);
    const { rows } = await before.database.pool.query<SealedRow>(
      `SELECT ${sealedRow(column, rowKey)} FROM ${column.table} t WHERE ${column.read} IS NOT NULL`,
    );
    if (rows.some((row) => box.openBytes(row.sealed, contextOf(column, row)) === null)) closed.push(column.name);
  }
  return closed;
}

describe("a change of the secret key", () => {
  it("starts with rows in every encrypted column", async () => {
    for (const { name, table, read } of SEALED_COLUMNS) {
      const { rowCount } = await before.database.pool.query(`SELECT FROM ${table} t WHERE ${read} IS NOT NULL`);
      expect(rowCount, name).toBeGreaterThan(0);
    }
    expect(await closedAt(EARLIER), "each value is encrypted for its place").toEqual([]);
  });

  it("binds every encrypted value to its own row and hotel", async () => {
    const other = await seedTestHotel(before, "thief");
    const { pool } = before.database;
    const { rowCount } = await pool.query(
      `UPDATE guest SET document_number_box = theirs.document_number_box
        FROM (SELECT document_number_box FROM guest WHERE document_number_box IS NOT NULL) theirs WHERE hotel_id = $1`,
      [other.ids.hotelId],
    );
    expect(rowCount).toBeGreaterThan(0);
    const { rows } = await other.ownerDesk.api.guests.list.query({ state: "in" });
    expect(rows.map(({ documentNumber }) => documentNumber)).toEqual([""]);
    expect(await closedAt(EARLIER)).toEqual(["guest.document_number_box"]);
    await pool.query("UPDATE guest SET document_number_box = NULL WHERE hotel_id = $1", [other.ids.hotelId]);
  });

  it("goes unnoticed at a desk while both keys are known, and its cookie is encrypted again", async () => {
    const both = await besideWith(NEWEST, [EARLIER]);
    const previousCookie = cookie;
    await expectWhole(both);
    expect(cookie).not.toBe(previousCookie);
    expect(secretBox(NEWEST, "cookie").open(Buffer.from(cookie, "base64url"), COOKIE_CONTEXT)).not.toBeNull();
    const [, id = ""] = /^\/files\/(.*)$/.exec(pictureUrl) ?? [];
    const query = new URLSearchParams(link);
    const file = { hotelId: hotel.ids.hotelId, id };
    const signature = query.get("signature") ?? "";
    expect(both.services.fileLinks.isValid(file, Number(query.get("expires")), signature)).toBe(true);
    await both.close();
  });

  it("reports what is left before it runs", async () => {
    const progress = await rotateSecrets(deps(), true);
    expect(progress.filter(({ remaining }) => remaining === 0).map(({ name }) => name)).toEqual([]);
  });

  it("skips a locked row, and returns to it", async () => {
    const column = SEALED_COLUMNS.find(({ name }) => name === "lock.secret_box");
    if (!column) throw new Error("locks have no secret");
    const { pool } = before.database;
    const box = secretBox(NEWEST, "lock", [EARLIER]);
    const desk = await pool.connect();
    await desk.query("BEGIN");
    await desk.query("SELECT FROM lock WHERE id = $1 FOR UPDATE", [hotel.ids.lockId]);
    const resealing = resealColumn(pool, column, box);
    await expect.poll(() => countLeft(pool, column, box.keyId)).toBe(1);
    await desk.query("COMMIT");
    desk.release();
    expect(await resealing).toMatchObject({ resealed: 4, remaining: 0 });
  });

  it("encrypts everything else again, and changes nothing the second time", async () => {
    const progress = await rotateSecrets(deps());
    expect(progress.filter(({ remaining, unreadable }) => remaining + unreadable > 0)).toEqual([]);
    expect(progress.filter(({ resealed }) => resealed === 0).map(({ name }) => name)).toEqual(["lock.secret_box"]);
    const again = await rotateSecrets(deps());
    expect(again.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(0);
  });

  it("leaves nothing that needs the earlier key", async () => {
    expect(await closedAt(NEWEST)).toEqual([]);
    const alone = await besideWith(NEWEST);
    await expectWhole(alone);
    await alone.close();
    const { rows } = await before.database.pool.query<{ request: { box: string } }>(
      "SELECT request FROM export WHERE id = $1::uuid",
      [hotel.ids.exportId],
    );
    expect(rows[0]?.request.box).toMatch(/^[A-Za-z0-9+/]+=*$/);
  });

  it("names what none of the keys opens, and leaves it unchanged", async () => {
    const lost = secretBox(randomBytes(32), "payout").seal("lost", { outside: "lost" });
    const { count } = await before.database.prisma.withdrawalAccount.updateMany({ data: { numberBox: lost } });
    const progress = await rotateSecrets(deps());
    const account = progress.find(({ name }) => name === "withdrawal_account.number_box");
    expect(account).toMatchObject({ resealed: 0, unreadable: count, remaining: count });
    const stored = await before.database.prisma.withdrawalAccount.findFirstOrThrow();
    expect(Buffer.from(stored.numberBox).equals(lost)).toBe(true);
  });

  it("removes the rewritten file when it was erased meanwhile", async () => {
    const storage = diskFiles(`${before.dataDir}/files`);
    const { prisma } = before.database;
    const id = randomUUID();
    const facts = { contentType: "image/webp", sizeBytes: 1, width: 1, height: 1, sha256: "" };
    await prisma.storedFile.create({ data: { id, hotelId: hotel.ids.hotelId, kind: "face", ...facts } });
    await storage.write(
      id,
      secretBox(EARLIER, "face").sealBytes(Buffer.from("face"), faceContext(hotel.ids.hotelId, id)),
    );
    const erasing = {
      ...storage,
      async write(file: string, bytes: Uint8Array) {
        await prisma.storedFile.delete({ where: { id } });
        await storage.write(file, bytes);
      },
    };
    await rotateSecrets(deps({ storage: erasing }));
    expect(await storage.read(id)).toBeNull();
  });
});
