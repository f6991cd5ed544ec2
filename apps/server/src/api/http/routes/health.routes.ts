import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { z } from "zod";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import { registerDraining } from "../draining.ts";
import { registerErrorReplies } from "../error-replies.ts";
import { registerHostList } from "../host-list.ts";
import { anyone, registerRoute, requireContracts } from "../route-contract.ts";
import { type MetricsDeps, registerMetricsRoute } from "./metrics.routes.ts";

const fine = z.object({ status: z.literal("ok") });
const ALIVE = { method: "GET", url: "/healthz", answers: { 200: fine } } as const;
const READY = {
  method: "GET",
  url: "/readyz",
  answers: { 200: fine, 503: z.object({ status: z.enum(["stopping", "unavailable"]) }) },
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
      if (app.draining.begun) return reply.code(503).send({ status: "stopping" });
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

export interface HealthServerDeps {
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
