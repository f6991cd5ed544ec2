import type { JobQueue } from "../../src/infra/queue.ts";

/** Jobs stay where they are: none runs unless a test runs it. */
export const idleQueue: JobQueue = {
  define() {},
  every() {},
  async add() {},
  prove() {},
  start() {},
  async reachable() {
    return true;
  },
  async close() {},
};
