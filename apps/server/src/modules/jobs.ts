import type { Job } from "../infra/queue.ts";
import { deliverMessage, sweepMessages } from "./notifications/notifications.jobs.ts";

/** Every kind of job there is; the queue refuses to start unless each has exactly one handler. */
export const jobs: readonly Job<unknown>[] = [deliverMessage, sweepMessages];
