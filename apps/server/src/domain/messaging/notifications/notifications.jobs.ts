import { z } from "zod";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";

/** Delivers one message as soon as it is committed. */
export const deliverMessage: Job<{ messageId: string }> = {
  name: "messages.deliver",
  payload: z.object({ messageId: z.uuid() }),
};

/** Delivers messages left over: the process ended after the commit, or the pause after a failure is over. */
export const sweepMessages: Job<Record<string, never>> = { name: "messages.sweep", payload: z.strictObject({}) };

const SWEEP_SECONDS = 15;

interface Notifier {
  deliver(messageId: string, log: Logger): Promise<void>;
  sweep(log: Logger): Promise<void>;
}

export function defineNotificationJobs(queue: JobQueue, notifier: Notifier): void {
  queue.define(deliverMessage, ({ messageId }, log) => notifier.deliver(messageId, log));
  queue.define(sweepMessages, (_payload, log) => notifier.sweep(log), { concurrency: 1, attempts: 1 });
  queue.every(sweepMessages, SWEEP_SECONDS, {});
}
