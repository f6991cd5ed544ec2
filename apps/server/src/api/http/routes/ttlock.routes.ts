import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Services } from "../../../domain/services.ts";
import { ttlockNotification } from "../../../drivers/ttlock/ttlock-driver.ts";
import { TtlockNotices } from "../../../drivers/ttlock/ttlock-notices.ts";
import { readAddress, registerRoute } from "../route-contract.ts";

const MAX_BODY_BYTES = 64 * 1024;

const text = { contentTypes: ["text/plain"] };
const NOTICE = {
  method: "POST",
  url: "/devices/ttlock/:secret",
  params: z.object({ secret: z.string() }),
  hasSecretPath: true,
  body: { contentTypes: ["application/x-www-form-urlencoded"], jsonSchema: ttlockNotification },
  answers: { 200: text, 400: text, 404: text, 429: text, 503: text },
} as const;

/** Status and text of each outcome. */
const ANSWERS = {
  accepted: [200, "success"],
  malformed: [400, "not understood"],
  unknown: [404, "unknown"],
  too_many: [429, "too many"],
} as const;

/**
 * POST /devices/ttlock/<secret>: the TTLock cloud reports records of locks here. The path contains the hotel's secret,
 * so these requests are not logged. TTLock sends a form and expects "success" (source: euopen.ttlock.com,
 * lockRecord/notify).
 */
export function registerTtlockRoutes(app: FastifyInstance, services: Services): void {
  const notices = new TtlockNotices(services);
  const findSender = (request: FastifyRequest) => notices.findSender(readAddress(NOTICE, request).params.secret);

  app.register(async (routes) => {
    routes.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    });
    registerRoute(routes, NOTICE, {
      options: {
        bodyLimit: MAX_BODY_BYTES,
        logLevel: "silent",
        config: { maySendMore: (request) => findSender(request) !== undefined },
      },
      authenticate: findSender,
      async handle({ caller: sender, body, request, reply }) {
        try {
          const [status, answer] = ANSWERS[await notices.accept(sender, request.ip, body)];
          return reply.code(status).send(answer);
        } catch (error) {
          // The cloud sends the records again until we accept them, so nothing is lost.
          app.log.warn({ err: error }, "records of TTLock could not be stored");
          return reply.code(503).send("again, please");
        }
      },
    });
  });
}
