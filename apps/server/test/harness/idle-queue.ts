import type { JobQueue } from "../../src/adapters/queue/queue.ts";

/** A queue that never runs jobs; tests run them by hand. */
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
