import { z } from "zod";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";

/** Sends the waiting events of one webhook. */
export const deliverWebhook: Job<{ webhookId: number }> = {
  name: "webhooks.deliver",
  payload: z.object({ webhookId: z.int() }),
};

/** Sends what is due or was left behind by a process that ended. */
export const sweepWebhooks: Job<Record<string, never>> = { name: "webhooks.sweep", payload: z.strictObject({}) };

/** Deletes old deliveries. */
export const dropDeliveries: Job<Record<string, never>> = { name: "webhooks.drop", payload: z.strictObject({}) };

const SWEEP_SECONDS = 10;
const DROP_SECONDS = 3_600;
/** Webhooks that one process serves at once; an unreachable one occupies a slot for seconds. */
export const AT_ONCE = 8;

interface Sender {
  deliver(webhookId: number, log: Logger): Promise<void>;
  sweep(log: Logger): Promise<void>;
  drop(): Promise<void>;
}

export function defineWebhookJobs(queue: JobQueue, sender: Sender): void {
  // We don't let the queue retry, because the sweep does.
  queue.define(deliverWebhook, ({ webhookId }, log) => sender.deliver(webhookId, log), {
    concurrency: AT_ONCE,
    attempts: 1,
  });
  queue.define(sweepWebhooks, (_payload, log) => sender.sweep(log), { concurrency: 1, attempts: 1 });
  queue.every(sweepWebhooks, SWEEP_SECONDS, {});
  queue.define(dropDeliveries, () => sender.drop(), { concurrency: 1, attempts: 1 });
  queue.every(dropDeliveries, DROP_SECONDS, {});
}
