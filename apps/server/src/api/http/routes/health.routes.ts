import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import { registerDraining } from "../draining.ts";
import { registerErrorReplies } from "../error-replies.ts";
import { registerHostList } from "../host-list.ts";
import { type MetricsDeps, registerMetricsRoute } from "./metrics.routes.ts";

/**
 * `/healthz`: the process is alive. `/readyz`: it accepts requests; fails while `ready` throws and once the server is
 * stopping.
 */
export function registerHealthRoutes(app: FastifyInstance, ready: () => Promise<unknown>): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    if (app.draining.begun) return reply.code(503).send({ status: "stopping" });
    try {
      await ready();
      return { status: "ok" };
    } catch (error) {
      request.log.warn({ err: error }, "not ready");
      return reply.code(503).send({ status: "unavailable" });
    }
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
  registerDraining(app);
  registerErrorReplies(app);
  registerHostList(app, { publicUrl: undefined, allowedHosts: [] });
  registerHealthRoutes(app, ready);
  registerMetricsRoute(app, metrics);
  return app;
}
