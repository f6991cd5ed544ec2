import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    draining: { begun: boolean };
  }
}

/** Time that requests in work may take after the server stops; then their connections are closed. */
export const IN_FLIGHT_MS = 10_000;
const IDLE_LOOK_MS = 50;

/** While the server drains, answers close their connections, so that clients send their next request elsewhere. */
export function registerDraining(app: FastifyInstance): void {
  const draining = { begun: false };
  app.decorate("draining", draining);
  app.addHook("onSend", async (_request, reply) => {
    if (draining.begun) reply.header("connection", "close");
  });
}

/**
 * Reports "not ready" at once, serves requests for `seconds` until load balancers have noticed, then finishes the
 * requests in work. Event streams end, so that their readers reconnect elsewhere.
 */
export async function drainAndClose(app: FastifyInstance, seconds: number): Promise<void> {
  app.draining.begun = true;
  if (seconds > 0) await delay(seconds * 1000);
  // A connection becomes idle after its last answer. We close those ourselves, because the server would wait for the
  // client to close them.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS);
  const late = setTimeout(() => app.server.closeAllConnections(), IN_FLIGHT_MS);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(late);
  }
}
