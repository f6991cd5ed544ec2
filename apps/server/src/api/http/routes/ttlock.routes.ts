import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { z } from "zod";
import { networkOf } from "../../../adapters/process/network-of.ts";
import { LinkedEvents, slotOfCode } from "../../../domain/access/lock-links/linked-events.ts";
import type { Services } from "../../../domain/services.ts";
import { takeTtlockNotice, ttlockNotice } from "../../../drivers/ttlock/ttlock-driver.ts";
import { readAddress, registerRoute } from "../route-contract.ts";

const BODY_LIMIT = 64 * 1024;
/** Limit per hotel; all its locks together report far less */
const NOTICES_PER_MINUTE = 600;
const WRONG_PATHS_PER_MINUTE = 20;

const text = { contentTypes: ["text/plain"] };
const NOTICE = {
  method: "POST",
  url: "/devices/ttlock/:secret",
  params: z.object({ secret: z.string() }),
  body: { contentTypes: ["application/x-www-form-urlencoded"], says: ttlockNotice },
  answers: { 200: text, 400: text, 404: text, 429: text, 503: text },
} as const;

/**
 * POST /devices/ttlock/<secret>: the TTLock cloud reports records of locks here. The path contains the hotel's secret,
 * so these requests are not logged. Source: euopen.ttlock.com, lockRecord/notify: a form, answered with "success".
 */
export function registerTtlockRoutes(app: FastifyInstance, services: Services): void {
  const { links, scopes, lockReports } = services;
  const notices = new RateLimiterMemory({ points: NOTICES_PER_MINUTE, duration: 60 });
  const wrongPaths = new RateLimiterMemory({ points: WRONG_PATHS_PER_MINUTE, duration: 60 });
  const deps = {
    events: new LinkedEvents(scopes, lockReports),
    reports: lockReports,
    slotOfCode: (hotelId: number, address: string, code: string) => slotOfCode(scopes, hotelId, address, code),
  };

  const linkOf = (request: FastifyRequest) => {
    const { secret } = readAddress(NOTICE, request).params;
    return links.all("ttlock").find(({ settings }) => isSame(settings.callbackSecret, secret));
  };

  app.register(async (routes) => {
    routes.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    });
    registerRoute(routes, NOTICE, {
      options: {
        bodyLimit: BODY_LIMIT,
        logLevel: "silent",
        config: { mayBringMore: (request) => linkOf(request) !== undefined },
      },
      authenticate: linkOf,
      async handle({ caller: link, body, request, reply }) {
        const allowed = link ? notices.consume(String(link.hotelId)) : wrongPaths.consume(networkOf(request.ip));
        const inTime = await allowed.then(() => true).catch(() => false);
        if (!inTime) return reply.code(429).send("too many");
        if (!link) return reply.code(404).send("unknown");
        try {
          const accepted = await takeTtlockNotice(deps, link.hotelId, body);
          return reply.code(accepted ? 200 : 400).send(accepted ? "success" : "not understood");
        } catch (error) {
          // The cloud sends the records again until we accept them, so nothing is lost.
          app.log.warn({ err: error }, "records of TTLock could not be kept");
          return reply.code(503).send("again, please");
        }
      },
    });
  });
}

/** Compares secrets of any length in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
