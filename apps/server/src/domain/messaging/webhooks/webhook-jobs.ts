import { z } from "zod";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";

/** A receiver has events waiting. */
export const deliverWebhook: Job<{ webhookId: number }> = {
  name: "webhooks.deliver",
  payload: z.object({ webhookId: z.int() }),
};

/** What is due, or was left behind by a process that went away. */
export const sweepWebhooks: Job<Record<string, never>> = { name: "webhooks.sweep", payload: z.strictObject({}) };

/** Deliveries of long ago are dropped. */
export const dropDeliveries: Job<Record<string, never>> = { name: "webhooks.drop", payload: z.strictObject({}) };

const SWEEP_SECONDS = 10;
const DROP_SECONDS = 3_600;
/** Receivers spoken to at once by one process; a dead one holds one of these places for seconds. */
const AT_ONCE = 8;

interface Sender {
  deliver(webhookId: number, log: Logger): Promise<void>;
  sweep(log: Logger): Promise<void>;
  drop(): Promise<void>;
}

export function defineWebhookJobs(queue: JobQueue, sender: Sender): void {
  // The sweep is what tries again.
  queue.define(deliverWebhook, ({ webhookId }, log) => sender.deliver(webhookId, log), {
    concurrency: AT_ONCE,
    attempts: 1,
  });
  queue.define(sweepWebhooks, (_payload, log) => sender.sweep(log), { concurrency: 1, attempts: 1 });
  queue.every(sweepWebhooks, SWEEP_SECONDS, {});
  queue.define(dropDeliveries, () => sender.drop(), { concurrency: 1, attempts: 1 });
  queue.every(dropDeliveries, DROP_SECONDS, {});
}
