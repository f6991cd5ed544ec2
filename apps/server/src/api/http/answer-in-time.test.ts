import Fastify from "fastify";
import { expect, it } from "vitest";
import { registerErrorReplies } from "./error-replies.ts";
import { registerAnswerInTime } from "./server.ts";

it("answers a request that takes too long with 503, and lets an answer that has begun finish", async () => {
  const app = Fastify();
  registerErrorReplies(app);
  registerAnswerInTime(app, 100);
  app.get("/never", () => new Promise(() => {}));
  app.get("/begun", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200);
    reply.raw.write("a part, ");
    setTimeout(() => reply.raw.end("and the rest"), 300);
  });
  const [never, started] = await Promise.all([app.inject("/never"), app.inject("/begun")]);
  expect([never.statusCode, never.json().code]).toEqual([503, "unavailable"]);
  expect([started.statusCode, started.body]).toEqual([200, "a part, and the rest"]);
  await app.close();
});
