import { LANGUAGES } from "@innkey/shared/languages";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { manageClient } from "../../../test/clients/manage-client.ts";
import { createTestServer, TEST_CIPHERS, type TestServer } from "../../../test/harness/server.ts";
import { translator } from "../../kernel/translate.ts";
import { registerErrorReplies } from "../http/error-replies.ts";
import { registerAnswerInTime } from "../http/server.ts";
import { registerManageRoutes } from "./manage.routes.ts";

const INTERNAL = 100_000;

let server: TestServer;
let app: FastifyInstance;
/** Rejects for calls that wait for their session; a test ends the wait. */
const waiting: ((reason: Error) => void)[] = [];
const resolve = (): Promise<never> => new Promise((_resolve, reject) => void waiting.push(reject));
beforeAll(async () => {
  server = await createTestServer();
  const { services } = server;
  const stuckServices = { ...services, auth: { ...services.auth, sessions: { resolve } } };
  app = Fastify({ genReqId: () => "request-7" });
  registerErrorReplies(app);
  registerAnswerInTime(app, 100);
  registerManageRoutes(app, { services: stuckServices as never, ciphers: TEST_CIPHERS, publicUrl: undefined });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await server.close();
});

it("are refused in the envelope, in the caller's language and cipher, when the time is over", async () => {
  for (const [index, { code: language }] of LANGUAGES.entries()) {
    const cipher = TEST_CIPHERS[index % TEST_CIPHERS.length];
    const client = manageClient(app, { language, ...(cipher && { cipher }) });
    client.token = "any";
    expect(await client.call("room/hotelInfo")).toEqual({
      errno: INTERNAL,
      errmsg: translator(language)("errors.unavailable"),
      data: { request_id: "request-7" },
    });
  }
}, 60_000);

it("do not change when the call ends afterwards", async () => {
  const client = manageClient(app);
  client.token = "any";
  expect((await client.call("room/hotelInfo")).errno).toBe(INTERNAL);
  for (const reject of waiting.splice(0)) reject(new Error("the database came back, too late"));
  expect((await client.call("room/hotelInfo")).errno).toBe(INTERNAL);
});

it("give no reason to callers that cannot seal an envelope", async () => {
  const payload = JSON.stringify({ data: "AAAA", language: "en" });
  const response = await app.inject({ method: "POST", url: "/manage/room/hotelInfo", payload });
  expect([response.statusCode, response.json()]).toEqual([400, { error: "The request can't be read." }]);
});
