import type { FastifyInstance } from "fastify";

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
