import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manageLogin } from "../../../test/clients/manage-client.ts";
import type { Browser } from "../../../test/harness/browser.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { registerErrorReplies } from "./error-replies.ts";
import { registerRequestBodies } from "./request-bodies.ts";

let server: TestServer;
let desk: Browser;
let legacyToken: string;
let origin: URL;
beforeAll(async () => {
  server = await createTestServer();
  const owner = await server.createOperator(await server.createHotel(), { role: "owner" });
  desk = await server.loginAs(owner);
  legacyToken = (await manageLogin(server, owner)).token ?? "";
  origin = new URL(await server.listen());
});
afterAll(() => server.close());

const JSON_BODY = { "content-type": "application/json" };
const text = (bytes: number): string => JSON.stringify({ data: "A".repeat(bytes - 11) });
const EVERY_ENTRANCE = [
  "/auth/login",
  "/linQuan/writeRoomCard",
  "/manage/login",
  "/manage/getBack/sendMsg",
  "/manage/room/setHotelData",
  "/manage/nothing",
  "/api/trpc/auth.login",
  "/api/trpc/rooms.save",
  "/api/trpc/imports.preview",
  "/api/exports",
  "/api/files?kind=room",
];

/** Sends raw bytes and returns the answer up to its end; null if the socket stays open. */
function exchange(port: number, parts: string[]): Promise<string | null> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", async () => {
      for (const part of parts) {
        if (!socket.writable) return;
        socket.write(part);
        await delay(5);
      }
    });
    const late = setTimeout(() => {
      socket.destroy();
      resolve(null);
    }, 5_000);
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(late);
      resolve(answer);
    });
  });
}

describe("the body of an unknown caller", () => {
  it.each(EVERY_ENTRANCE)("of more than 16 kB is refused at %s", async (path) => {
    const send = (bytes: number) => server.visitor().http("POST", path, { headers: JSON_BODY, payload: text(bytes) });
    expect((await send(16 * 1024 + 1)).statusCode).toBe(413);
    expect((await send(16 * 1024)).statusCode).not.toBe(413);
  });

  it.each(["/auth/login", "/manage/login", "/api/trpc/auth.login", "/api/trpc/imports.preview"])(
    "of more than 16 kB is refused at %s even without an announced length",
    async (path) => {
      const head = [
        `POST ${path} HTTP/1.1`,
        "Host: localhost",
        "X-Innkey: 1",
        "Content-Type: application/json",
        "Connection: close",
        "Transfer-Encoding: chunked",
      ];
      const chunk = `4000\r\n${"[".repeat(0x4000)}\r\n`;
      const answer = await exchange(Number(origin.port), [`${head.join("\r\n")}\r\n\r\n`, chunk, chunk, "0\r\n\r\n"]);
      expect(answer).toMatch(/^HTTP\/1.1 413 /);
    },
  );
});

describe("a compressed body", () => {
  const plain = Buffer.from(JSON.stringify({ account: "13800000001", password: "A".repeat(100_000) }));
  const packed = {
    gzip: gzipSync(plain),
    "x-gzip": gzipSync(plain),
    br: brotliCompressSync(plain),
    deflate: deflateSync(plain),
    zstd: Buffer.from("28b52ffd040041000061", "hex"),
    "identity, gzip": gzipSync(plain),
  };
  const encodings = Object.keys(packed) as (keyof typeof packed)[];

  it.each(EVERY_ENTRANCE.flatMap((path) => encodings.map((encoding) => ({ path, encoding }))))(
    "as $encoding is refused at $path, whoever sends it",
    async ({ path, encoding }) => {
      const headers = { ...JSON_BODY, "content-encoding": encoding };
      for (const browser of [server.visitor(), desk]) {
        const answer = await browser.http("POST", path, { headers, payload: packed[encoding] });
        expect(answer.statusCode).toBe(415);
      }
    },
  );

  it("is accepted with the encoding identity, which means uncompressed", async () => {
    const headers = { ...JSON_BODY, "content-encoding": "identity" };
    const payload = JSON.stringify({ account: "13800000001", password: "wrong password" });
    const answer = await server.visitor().http("POST", "/api/trpc/auth.login", { headers, payload });
    expect(answer.json().error.data.innkey.code).toBe("credentials_wrong");
  });
});

it("accepts a larger body from a known caller", async () => {
  for (const path of ["/api/trpc/rooms.save", "/api/exports"]) {
    const send = (bytes: number) => desk.http("POST", path, { headers: JSON_BODY, payload: text(bytes) });
    expect((await send(1_000_000)).statusCode, path).toBe(400);
    expect((await send(1_100_000)).statusCode, path).toBe(413);
  }
  const legacy = (headers: Record<string, string>) =>
    server.visitor().http("POST", "/manage/room/setHotelData", { headers, payload: text(1_000_000) });
  expect((await legacy({ ...JSON_BODY, "x-token": legacyToken })).statusCode).toBe(400);
  expect((await legacy({ ...JSON_BODY, "x-token": "made up" })).statusCode).toBe(413);
});

it.each(EVERY_ENTRANCE)("refuses a body that nests deeper than 64 levels before it is parsed, at %s", async (path) => {
  const payload = "[".repeat(8_000) + "]".repeat(8_000);
  const parse = JSON.parse;
  const parsed: number[] = [];
  JSON.parse = ((value: string, ...rest: []) => {
    parsed.push(String(value).length);
    return parse(value, ...rest);
  }) as typeof JSON.parse;
  try {
    const answer = await server.visitor().http("POST", path, { headers: JSON_BODY, payload });
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
  } finally {
    JSON.parse = parse;
  }
  expect(Math.max(0, ...parsed)).toBeLessThan(8_000);
});

it("accepts eight large bodies of a person at once, separately for each person", async () => {
  const other = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
  const begin = (browser: Browser): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(Number(origin.port), "127.0.0.1", () => {
        const head = `Host: localhost\r\nx-innkey: 1\r\nCookie: smart_lock_userinfo=${browser.cookie}`;
        const body = "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000";
        socket.write(`POST /api/files?kind=room HTTP/1.1\r\n${head}\r\n${body}\r\n\r\n--x`);
        resolve(socket);
      });
      socket.on("error", () => undefined);
    });
  const answerOf = (socket: Socket): Promise<string> =>
    new Promise((resolve) => socket.once("data", (data) => resolve(String(data).split("\r\n")[0] ?? "")));
  const answers: string[] = [];
  const sockets: Socket[] = [];
  for (let count = 0; count < 9; count += 1) {
    const socket = await begin(desk);
    sockets.push(socket);
    void answerOf(socket).then((answer) => answers.push(answer));
  }
  await expect.poll(() => answers).toEqual(["HTTP/1.1 429 Too Many Requests"]);
  const another = await begin(other);
  expect(await Promise.race([answerOf(another), delay(200).then(() => "awaited")])).toBe("awaited");
  for (const socket of [...sockets, another]) socket.destroy();
  await expect
    .poll(
      async () =>
        (await desk.http("POST", "/api/trpc/rooms.save", { headers: JSON_BODY, payload: text(20_000) })).statusCode,
    )
    .toBe(400);
});

it("answers a body that arrives too slowly, closes its connection and logs it without a stack", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => lines.push(line) });
  const app: FastifyInstance = Fastify({ loggerInstance: log as FastifyBaseLogger });
  registerErrorReplies(app);
  registerRequestBodies(app, { bodyMs: 60 });
  app.post("/", async () => "read");
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as { port: number };
  const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
  expect(await exchange(port, [head, "{"])).toMatch(/^HTTP\/1.1 408 .*"unavailable"/s);
  await app.close();
  expect(lines.join("")).toContain("did not arrive in time");
  for (const line of lines) {
    expect(JSON.parse(line).level, line).toBeLessThanOrEqual(30);
    expect(line).not.toContain("stack");
  }
});

it("refuses to register a route with a large body that does not say who may send it", () => {
  const app: FastifyInstance = Fastify();
  registerRequestBodies(app);
  expect(() => app.post("/large", { bodyLimit: 1024 * 1024 }, async () => "read")).toThrow(
    /which callers may send so much/,
  );
});
