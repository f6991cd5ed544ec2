import type { FastifyInstance } from "fastify";
import type { Database } from "../../infra/database/client.ts";

/** `/healthz`: the process lives. `/readyz`: it can also serve. */
export function registerHealthRoutes(app: FastifyInstance, database: Database): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    try {
      await database.pool.query("SELECT 1");
      return { status: "ok" };
    } catch (error) {
      request.log.warn({ err: error }, "not ready");
      return reply.code(503).send({ status: "unavailable" });
    }
  });
}
