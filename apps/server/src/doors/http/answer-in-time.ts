import { DomainError } from "@innkey/shared/errors";
import type { FastifyInstance } from "fastify";

/** Nobody waits longer (source: the product specification, section 9: calls of the console give up after 40 s). */
const ANSWER_MS = 38_000;

/**
 * Whatever a request waits for, it gets an answer: `unavailable` when nothing else has begun by then. What has begun takes
 * its time, such as a large file on a slow line, and so do streams of events.
 */
export function registerAnswerInTime(app: FastifyInstance, answerMs = ANSWER_MS): void {
  app.addHook("onRequest", async (_request, reply) => {
    const timer = setTimeout(() => {
      if (!reply.sent && !reply.raw.headersSent) reply.send(new DomainError("unavailable"));
    }, answerMs);
    reply.raw.once("close", () => clearTimeout(timer));
  });
}
