import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    draining: { begun: boolean };
  }
}

/** What is in work when a server stops may take as long as this; then it is cut off. */
export const IN_FLIGHT_MS = 10_000;
const IDLE_LOOK_MS = 50;

/** Whoever asks a server that drains is answered, and shown out: the next request goes elsewhere. */
export function registerDraining(app: FastifyInstance): void {
  const draining = { begun: false };
  app.decorate("draining", draining);
  app.addHook("onSend", async (_request, reply) => {
    if (draining.begun) reply.header("connection", "close");
  });
}

/**
 * Says at once that it isn't ready any more, goes on answering for `seconds`, until whoever sends requests here has heard
 * of it, and then lets what is in work finish. Event streams end, so that their readers come back elsewhere.
 */
export async function drainAndClose(app: FastifyInstance, seconds: number): Promise<void> {
  app.draining.begun = true;
  if (seconds > 0) await delay(seconds * 1000);
  // A connection falls idle after its last answer; the server by itself would wait for the client to leave.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS);
  const late = setTimeout(() => app.server.closeAllConnections(), IN_FLIGHT_MS);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(late);
  }
}
