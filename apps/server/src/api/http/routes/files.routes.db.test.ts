import type { Capability } from "@innkey/shared/capabilities";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

let server: TestServer;
let hotel: TestHotel;
let desk: Browser;
let picture: Buffer;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: "red" } })
    .png()
    .toBuffer();
});
afterAll(() => server.close());

async function upload(
  bytes: Uint8Array<ArrayBuffer> | Buffer,
  { browser = desk, query = "?kind=room", headers = {} } = {},
) {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }), "room.png");
  const request = new Request("http://localhost", { method: "POST", body: form });
  return browser.http("POST", `/api/files${query}`, {
    headers: { "content-type": request.headers.get("content-type") ?? "", ...headers },
    payload: Buffer.from(await request.arrayBuffer()),
  });
}

describe("POST /api/files", () => {
  it("stores a picture, which a room can use and its hotel can read", async () => {
    const response = await upload(picture);
    expect(response.statusCode).toBe(201);
    const { id, url } = response.json();
    expect(url).toBe(`/files/${id}`);
    const { roomId } = await desk.api.rooms.save.mutate({ name: "101", groupId: null, pictureFileId: id });
    expect(await desk.api.rooms.detail.query({ roomId })).toMatchObject({ pictureUrl: url, pictureFileId: id });
    const served = await desk.http("GET", url);
    expect(served.statusCode).toBe(200);
    expect(served.headers).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "private, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-length": String(served.rawPayload.length),
    });
    expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: "webp", width: 40, height: 20 });
  });

  it("serves a face only to operators who can see faces, and forbids caching it", async () => {
    const face = await sharp({ create: { width: 300, height: 200, channels: 3, background: "tan" } })
      .png()
      .toBuffer();
    const stored = await upload(face, { query: "?kind=face" });
    expect(stored.statusCode).toBe(201);
    const served = await desk.http("GET", stored.json().url);
    expect(served.headers).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "private, no-store",
      "content-length": String(served.rawPayload.length),
    });
    expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: "webp", width: 300, height: 200 });
    const staff = async (...capabilities: Capability[]) =>
      server.loginAs(await server.createOperator(hotel, { role: "staff", capabilities }));
    const other = await staff("rooms.view", "faces.manage");
    expect((await other.http("GET", stored.json().url)).json()).toMatchObject({ code: "no_permission" });
    expect((await upload(face, { browser: await staff("faces.view"), query: "?kind=face" })).json()).toMatchObject({
      code: "no_permission",
    });
    expect((await upload(picture, { query: "?kind=face" })).json()).toMatchObject({ code: "invalid_input" });
  });

  it("refuses more than 8 MiB, other content than pictures, another purpose and a non-form body", async () => {
    expect((await upload(Buffer.alloc(8 * 1024 * 1024 + 1))).json()).toMatchObject({ code: "file_too_large" });
    expect((await upload(Buffer.alloc(9 * 1024 * 1024))).json()).toMatchObject({ code: "file_too_large" });
    expect((await upload(Buffer.from("hello"))).json()).toMatchObject({ code: "file_not_image" });
    expect((await upload(picture, { query: "?kind=passport" })).json()).toMatchObject({ code: "invalid_input" });
    const json = await desk.http("POST", "/api/files?kind=room", {
      payload: JSON.stringify({}),
      headers: { "content-type": "application/json" },
    });
    expect(json.json()).toMatchObject({ code: "file_not_image" });
    const broken = await desk.http("POST", "/api/files?kind=room", {
      payload: "--x\r\ncontent-disposition: form-data; name=file; filename=a.png\r\n\r\nabc",
      headers: { "content-type": "multipart/form-data; boundary=x" },
    });
    expect(broken.statusCode).toBeLessThan(500);
  });

  it("is refused to other sites, visitors and operators who cannot manage rooms", async () => {
    expect((await upload(picture, { headers: { "x-innkey": "0" } })).json()).toMatchObject({ code: "cross_site" });
    expect((await upload(picture, { headers: { origin: "http://evil.example" } })).json()).toMatchObject({
      code: "cross_site",
    });
    expect((await upload(picture, { browser: server.visitor() })).json()).toMatchObject({ code: "session_missing" });
    const staff = await server.loginAs(
      await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"] }),
    );
    expect((await upload(picture, { browser: staff })).json()).toMatchObject({ code: "no_permission" });
  });
});

describe("GET /files/:id", () => {
  it("finds no file of another hotel, no missing file, and nothing without a session", async () => {
    const { url } = (await upload(picture)).json();
    const other = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
    for (const [browser, path] of [
      [other, url],
      [desk, "/files/0b9f0e0c-6d0a-4c9e-8f57-0d6f4f3f9c11"],
      [desk, "/files/..%2f..%2fsecret-key"],
    ] as const) {
      const answer = await browser.http("GET", path);
      expect({ status: answer.statusCode, code: answer.json().code }).toEqual({ status: 404, code: "not_found" });
    }
    expect((await server.visitor().http("GET", url)).statusCode).toBe(401);
  });

  it("serves a room's picture to those who see the room, and an unused one to staff only if they uploaded it", async () => {
    const { id, url } = (await upload(picture)).json();
    const room = { groupId: null, pictureFileId: null };
    const { roomId } = await desk.api.rooms.save.mutate({ ...room, name: "201", pictureFileId: id });
    const { roomId: otherId } = await desk.api.rooms.save.mutate({ ...room, name: "202" });
    const statusFor = async (capabilities: Capability[], roomIds: number[]) => {
      const clerk = await server.createOperator(hotel, { role: "staff", capabilities, roomIds });
      return (await (await server.loginAs(clerk)).http("GET", url)).statusCode;
    };
    expect(await statusFor(["rooms.view"], [roomId])).toBe(200);
    expect(await statusFor(["rooms.view"], [otherId])).toBe(404);
    expect(await statusFor(["stays.view"], [roomId])).toBe(404);
    await desk.api.rooms.save.mutate({ ...room, id: roomId, name: "201" });
    expect(await statusFor(["rooms.view"], [roomId])).toBe(404);
    expect((await desk.http("GET", url)).statusCode).toBe(200);
  });
});
