import { DomainError } from "@innkey/shared/errors";
import type { FastifyInstance } from "fastify";

/**
 * Limit of the time to answer. The console's calls time out after 40 s (source: the product specification, section 9).
 */
const ANSWER_MS = 38_000;

/**
 * Answers `unavailable` if no answer has started in time. Answers that have started, such as large files and event
 * streams, may continue.
 */
export function registerAnswerInTime(app: FastifyInstance, answerMs = ANSWER_MS): void {
  app.addHook("onRequest", async (_request, reply) => {
    const timer = setTimeout(() => {
      if (!reply.sent && !reply.raw.headersSent) reply.send(new DomainError("unavailable"));
    }, answerMs);
    reply.raw.once("close", () => clearTimeout(timer));
  });
}
