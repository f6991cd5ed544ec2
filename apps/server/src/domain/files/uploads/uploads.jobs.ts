import { z } from "zod";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Uploads } from "./uploads.service.ts";

/** Removes uploads that were not used within a day. */
export const sweepUploads: Job<Record<string, never>> = { name: "uploads.sweep", payload: z.strictObject({}) };

const SWEEP_SECONDS = 3600;

export function defineUploadJobs(queue: JobQueue, uploads: Uploads): void {
  queue.define(sweepUploads, () => uploads.sweep(), { concurrency: 1, attempts: 1 });
  queue.every(sweepUploads, SWEEP_SECONDS, {});
}
