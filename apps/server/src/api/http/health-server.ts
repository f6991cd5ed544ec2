import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import { registerDraining } from "./draining.ts";
import { registerErrorReplies } from "./error-replies.ts";
import { registerHostList } from "./host-list.ts";
import { registerHealthRoutes } from "./routes/health.routes.ts";
import { type MetricsDeps, registerMetricsRoute } from "./routes/metrics.routes.ts";

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
