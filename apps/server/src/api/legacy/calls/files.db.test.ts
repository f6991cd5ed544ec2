import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import { type S3Server, startS3Server } from "../../../../test/processes/s3-server.ts";
import type { Scope } from "../../../kernel/scope.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Ticket {
  method: string;
  url: string;
  headers: Record<string, string>;
  fields: Record<string, string>;
  key: string;
  public_url: string;
  expire: number;
}

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let client: ManageClient;
let scope: Scope;
let picture: Buffer;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel({ name: "Harbour" });
  owner = await server.createOperator(hotel, { role: "owner" });
  const plain = { width: 400, height: 300, channels: 3 as const, background: { r: 20, g: 90, b: 160 } };
  picture = await sharp({ create: plain }).jpeg().toBuffer();
});
afterAll(() => server.close());
beforeEach(async () => {
  client = await manageLogin(server, owner);
  scope = await server.scopeOf(owner);
});

const wish = (type = "room", more: Record<string, unknown> = {}) => ({
  ...{ type, content_type: "image/jpeg", size: picture.length },
  ...more,
});
const ticketFor = (type = "room"): Promise<Ticket> => answerOf<Ticket>(client, "oss/token", wish(type));
const pathOf = (url: string): string => `${new URL(url).pathname}${new URL(url).search}`;
const send = (url: string, body: Buffer, contentType = "image/jpeg") =>
  server.app.inject({ method: "PUT", url: pathOf(url), headers: { "content-type": contentType }, payload: body });
const take = (key: string) => server.services.uploads.take(scope, key);

describe("a ticket", () => {
  it("says where to send a picture and where it will be shown", async () => {
    const ticket = await ticketFor();
    expect(ticket).toMatchObject({ method: "PUT", headers: { "content-type": "image/jpeg" }, fields: {} });
    expect(ticket.key).toMatch(new RegExp(`^uploads/${hotel.id}/${owner.id}/[0-9a-f-]{36}$`));
    expect(ticket.expire).toBe(server.clock.now().getTime() / 1000 + 900);
    expect((await send(ticket.url, picture)).statusCode).toBe(200);
    const fileId = await server.services.uploads.storePicture(scope, server.services.files, "room", ticket.key);
    const response = await server.app.inject({ method: "GET", url: pathOf(ticket.public_url) });
    expect([response.statusCode, response.headers["content-type"]]).toEqual([200, "image/webp"]);
    expect(ticket.public_url).toContain(fileId);
    expect(await server.database.prisma.storedFile.findUnique({ where: { id: fileId } })).toMatchObject({
      kind: "room",
      hotelId: hotel.id,
    });
  });

  it("for a face shows no address, and the face is stored under another name", async () => {
    const ticket = await ticketFor("face");
    expect(ticket.public_url).toBe("");
    await send(ticket.url, picture);
    const fileId = await server.services.uploads.storePicture(scope, server.services.files, "face", ticket.key);
    expect(ticket.key).not.toContain(fileId);
  });

  it("is issued for a picture of a known type and at most 8 MiB", async () => {
    for (const [more, field] of [
      [{ size: 8 * 1024 * 1024 + 1 }, "size"],
      [{ size: 0 }, "size"],
      [{ content_type: "image/svg+xml" }, "content_type"],
      [{ type: "video" }, "type"],
    ] as const) {
      const { errno, data } = await refusalOf(client, "oss/token", wish("room", more));
      expect([errno, Object.keys(data.fields ?? {})]).toEqual([100_001, [field]]);
    }
    const missing = await refusalOf(client, "oss/token", { type: "room", size: 5 });
    expect(Object.keys(missing.data.fields ?? {})).toEqual(["content_type"]);
  });

  it("is issued to operators who can upload such a picture", async () => {
    const clerk = await server.createOperator(hotel, { role: "staff", capabilities: ["faces.manage"] });
    const staff = await manageLogin(server, clerk);
    expect((await refusalOf(staff, "oss/token", wish("room"))).errno).toBe(100_006);
    await answerOf(staff, "oss/token", wish("face"));
    await answerOf(staff, "oss/token", wish("avatar"));
  });
});

describe("an upload", () => {
  it("must match its announcement, its link and its time", async () => {
    const { url, key } = await ticketFor();
    const other = await ticketFor();
    const [target, search] = url.split("?");
    const strange = [
      `${target}?${other.url.split("?")[1]}`,
      url.replace("size=", "size=9"),
      url.replace("image%2Fjpeg", "image%2Fpng"),
      `${target}?type=image%2Fjpeg`,
      `${target?.replace(`/${owner.id}/`, `/${owner.id + 1}/`)}?${search}`,
    ];
    for (const link of strange) expect((await send(link, picture)).statusCode, link).toBe(404);
    expect((await send(url, picture, "image/png")).statusCode).toBe(415);
    expect((await send(url, picture, "text/html")).statusCode).toBe(415);
    expect((await send(url, Buffer.concat([picture, Buffer.alloc(1)]))).statusCode).toBe(413);
    expect((await send(url, Buffer.alloc(0))).statusCode).toBe(415);
    await expect(take(key)).rejects.toMatchObject({ code: "not_found" });
    server.clock.advance(15 * MINUTE_MS);
    expect((await send(url, picture)).statusCode).toBe(404);
    await expect(take(key)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is accepted once", async () => {
    const { url, key } = await ticketFor();
    expect((await send(url, picture)).statusCode).toBe(200);
    expect((await send(url, Buffer.from("other"))).statusCode).toBe(409);
    expect(picture.equals(await take(key))).toBe(true);
  });
});

describe("an uploaded picture", () => {
  it("belongs to its uploader, and can be used once", async () => {
    const { url, key } = await ticketFor();
    await send(url, picture);
    const colleague = await server.scopeOf(await server.createOperator(hotel, { role: "owner" }));
    const elsewhere = await server.createHotel();
    const stranger = await server.scopeOf(await server.createOperator(elsewhere, { role: "owner" }));
    for (const other of [colleague, stranger]) {
      await expect(server.services.uploads.take(other, key)).rejects.toMatchObject({ code: "not_found" });
    }
    const attempts = await Promise.allSettled([take(key), take(key), take(key)]);
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await send(url, picture)).statusCode).toBe(200);
    await expect(take(key)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is refused when it is not a picture, or not one for a room", async () => {
    const { url, key } = await ticketFor();
    await send(url, Buffer.from("<html>"));
    const { uploads, files } = server.services;
    await expect(uploads.storePicture(scope, files, "room", key)).rejects.toMatchObject({ code: "file_not_image" });
  });

  it("is removed after a day if nobody used it", async () => {
    const old = await ticketFor();
    await send(old.url, picture);
    const fresh = await ticketFor();
    await send(fresh.url, picture);
    const folder = join(server.dataDir, "uploads", String(hotel.id), String(owner.id));
    const at = (ms: number) => new Date(server.clock.now().getTime() - ms);
    for (const { key, age } of [
      { key: old.key, age: DAY_MS + MINUTE_MS },
      { key: fresh.key, age: DAY_MS - MINUTE_MS },
    ]) {
      await utimes(join(folder, key.split("/").at(-1) ?? ""), at(age), at(age));
    }
    await server.services.uploads.sweep();
    await expect(take(old.key)).rejects.toMatchObject({ code: "not_found" });
    expect(picture.equals(await take(fresh.key))).toBe(true);
    expect(await readdir(folder)).not.toContain(old.key.split("/").at(-1));
  });
});

describe("with an object store", () => {
  let store: S3Server;
  let cloud: TestServer;
  beforeAll(async () => {
    store = await startS3Server();
    cloud = await createTestServer({ s3: store.settings });
  });
  afterAll(async () => {
    await cloud.close();
    await store.close();
  });

  it("sends pictures there without passing through the server, and uses them from there", async () => {
    const hotel = await cloud.createHotel();
    const boss = await cloud.createOperator(hotel, { role: "owner" });
    const desk = await manageLogin(cloud, boss);
    const ticket = await answerOf<Ticket>(desk, "oss/token", wish());
    expect(ticket.url).toContain(`${store.settings.endpoint}/${store.settings.bucket}/${ticket.key}?`);
    const put = (body: Buffer) =>
      fetch(ticket.url, { method: ticket.method, headers: ticket.headers, body: new Uint8Array(body) });
    expect((await put(Buffer.concat([picture, Buffer.alloc(1)]))).status).toBe(403);
    expect((await put(picture)).status).toBe(200);
    const own = await cloud.scopeOf(boss);
    const { uploads, files } = cloud.services;
    const fileId = await uploads.storePicture(own, files, "room", ticket.key);
    expect([...store.objects.keys()]).toEqual([`files/${fileId}`]);
    const response = await cloud.app.inject({ method: "GET", url: pathOf(ticket.public_url) });
    expect([response.statusCode, response.rawPayload.length]).toEqual([
      200,
      store.objects.get(`files/${fileId}`)?.bytes.length,
    ]);
  });

  it("that fails, reports the failure and changes nothing", async () => {
    const hotel = await cloud.createHotel();
    const own = await cloud.scopeOf(await cloud.createOperator(hotel, { role: "owner" }));
    store.failures.push(503, 503, 503);
    await expect(cloud.services.files.store(own, "room", picture)).rejects.toMatchObject({ code: "external_failed" });
    expect(await cloud.database.prisma.storedFile.count({ where: { hotelId: hotel.id } })).toBe(0);
  });
});
