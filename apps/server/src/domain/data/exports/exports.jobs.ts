import { z } from "zod";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";

/** Writes one file as soon as it is requested. */
export const runExport: Job<{ exportId: string }> = {
  name: "exports.run",
  payload: z.object({ exportId: z.uuid() }),
};

/** Restarts exports of dead workers and deletes expired files. */
export const sweepExports: Job<Record<string, never>> = { name: "exports.sweep", payload: z.strictObject({}) };

const SWEEP_SECONDS = 15;
/** Files that one process writes at a time; each uses a database connection. */
const AT_ONCE = 2;

interface Worker {
  run(exportId: string, log: Logger): Promise<void>;
  sweep(): Promise<void>;
}

export function defineExportJobs(queue: JobQueue, worker: Worker): void {
  queue.define(runExport, ({ exportId }, log) => worker.run(exportId, log), { concurrency: AT_ONCE, attempts: 1 });
  queue.define(sweepExports, () => worker.sweep(), { concurrency: 1, attempts: 1 });
  queue.every(sweepExports, SWEEP_SECONDS, {});
}
