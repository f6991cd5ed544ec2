import type { FastifyInstance } from "fastify";

/** `/healthz`: the process lives. `/readyz`: it can also serve; `ready` throws when it can't. */
export function registerHealthRoutes(app: FastifyInstance, ready: () => Promise<unknown>): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    try {
      await ready();
      return { status: "ok" };
    } catch (error) {
      request.log.warn({ err: error }, "not ready");
      return reply.code(503).send({ status: "unavailable" });
    }
  });
}
