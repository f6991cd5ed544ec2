import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Logger } from "../../infra/logger.ts";
import { registerDraining } from "./draining.ts";
import { registerErrorReplies } from "./error-replies.ts";
import { registerHealthRoutes } from "./health.routes.ts";
import { registerHostList } from "./host-list.ts";
import { type MetricsDeps, registerMetricsRoute } from "./metrics.routes.ts";

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
