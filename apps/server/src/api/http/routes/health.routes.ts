import { isIP } from "node:net";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import { z } from "zod";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import { sameSecret } from "../../../kernel/secret-box.ts";
import { registerDraining } from "../connections.ts";
import { registerErrorReplies, sendNotFound } from "../error-replies.ts";
import { bearerToken } from "../request-context.ts";
import { anyone, registerRoute, requireContracts } from "../route-contract.ts";
import { registerHostList } from "../site-protection.ts";

const METRICS = {
  method: "GET",
  url: "/metrics",
  answers: { 200: { contentTypes: ["text/plain", "application/openmetrics-text"] } },
} as const;

export interface MetricsDeps {
  /** Bearer token that readers must send; undefined: only this machine may read */
  token: string | undefined;
  /** Whether a proxy forwards requests, so that all clients may appear to be this machine */
  trustProxy: boolean;
  read(): Promise<{ contentType: string; text: string }>;
}

/** Headers that proxies add. If one is present, the socket's peer isn't the actual client. */
const FORWARDED = ["x-forwarded-for", "x-real-ip", "forwarded", "via"];

/** GET /metrics for Prometheus; 404 for callers that may not read. */
export function registerMetricsRoute(app: FastifyInstance, deps: MetricsDeps): void {
  registerRoute(app, METRICS, {
    authenticate: anyone,
    async handle({ request, reply }) {
      if (!mayRead(request, deps)) return sendNotFound(request, reply);
      const { contentType, text } = await deps.read();
      return reply.header("cache-control", "no-store").type(contentType).send(text);
    },
  });
}

function mayRead(request: FastifyRequest, { token, trustProxy }: MetricsDeps): boolean {
  if (token !== undefined) {
    const sent = bearerToken(request);
    return sent !== null && sameSecret(sent, token);
  }
  if (trustProxy || FORWARDED.some((name) => request.headers[name] !== undefined)) return false;
  return isThisMachine(request.raw.socket.remoteAddress);
}

function isThisMachine(address = ""): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

const okBody = z.object({ status: z.literal("ok") });
const ALIVE = { method: "GET", url: "/healthz", answers: { 200: okBody } } as const;
const READY = {
  method: "GET",
  url: "/readyz",
  answers: { 200: okBody, 503: z.object({ status: z.enum(["stopping", "unavailable"]) }) },
} as const;

/**
 * `/healthz`: the process is alive. `/readyz`: it accepts requests; fails while `ready` throws and once the server is
 * stopping.
 */
export function registerHealthRoutes(app: FastifyInstance, ready: () => Promise<unknown>): void {
  registerRoute(app, ALIVE, { authenticate: anyone, handle: async () => ({ status: "ok" as const }) });
  registerRoute(app, READY, {
    authenticate: anyone,
    async handle({ request, reply }) {
      if (app.draining.started) return reply.code(503).send({ status: "stopping" });
      try {
        await ready();
        return { status: "ok" as const };
      } catch (error) {
        request.log.warn({ err: error }, "not ready");
        return reply.code(503).send({ status: "unavailable" });
      }
    },
  });
}

interface HealthServerDeps {
  log: Logger;
  /** Throws while the database can't be reached */
  ready: () => Promise<unknown>;
  metrics: MetricsDeps;
}

/** HTTP server of background processes; it serves only health and metrics. */
export function createHealthServer({ log, ready, metrics }: HealthServerDeps): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: "idle",
  });
  requireContracts(app);
  registerDraining(app);
  registerErrorReplies(app);
  registerHostList(app, { publicUrl: undefined, allowedHosts: [] });
  registerHealthRoutes(app, ready);
  registerMetricsRoute(app, metrics);
  return app;
}
