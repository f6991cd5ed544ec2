import { createHmac, randomBytes } from "node:crypto";
import { HOUR_MS, MINUTE_MS } from "@innkey/shared/durations";
import type { DeliveryError } from "@innkey/shared/webhook-events";
import { z } from "zod";
import { mayReach, NoAddress, postOutside } from "../../../adapters/http/outside-request.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseAlert, resolveAlerts } from "../alerts/alerts.service.ts";

/** Returns the body of a delivery; it is the same at every try. */
export function bodyOf(delivery: { event: string; payload: unknown; createdAt: Date }): string {
  const { event, payload, createdAt } = delivery;
  return JSON.stringify({ type: event, timestamp: createdAt.toISOString(), data: payload });
}

/** Result of a try; `status` is null if there was no answer. */
export interface Outcome {
  status: number | null;
  /** Empty if the receiver accepted the event. */
  error: DeliveryError | "";
}

const TIMEOUT_MS = 10_000;
const TLS_ERROR_CODE = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/;

/**
 * Posts one event. Any 2xx status means accepted, anything else refused; the rest of the answer is ignored. Never
 * throws.
 */
export async function postEvent(
  url: string,
  content: { headers: Record<string, string>; body: string },
  allowLocal: boolean,
): Promise<Outcome> {
  const headers = { "content-type": "application/json", "user-agent": "Innkey", ...content.headers };
  try {
    const answer = await postOutside(
      new URL(url),
      { headers, body: content.body },
      { mayReach: (address) => mayReach(address, allowLocal), signal: AbortSignal.timeout(TIMEOUT_MS) },
    );
    answer.on("error", () => undefined).destroy();
    const status = answer.statusCode ?? 0;
    return { status, error: status >= 200 && status < 300 ? "" : "answer" };
  } catch (error) {
    return { status: null, error: deliveryErrorOf(error) };
  }
}

function deliveryErrorOf(error: unknown): DeliveryError {
  if (error instanceof NoAddress) return error.hasAddress ? "not_allowed" : "no_address";
  const { name, code = "" } = error as { name?: string; code?: string };
  if (name === "TimeoutError" || name === "AbortError" || code === "ABORT_ERR") return "timeout";
  return TLS_ERROR_CODE.test(code) ? "tls" : "unreachable";
}

/** Signatures as in Standard Webhooks 1.0 (source: github.com/standard-webhooks/standard-webhooks, spec). */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** Returns `whsec_` and 256 random bits as base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** Webhook that the sealed secrets are bound to. */
type Receiver = { id: number; hotelId: number };

export const secretContext = ({ id, hotelId }: Receiver): SealContext => ({
  column: "webhook.secret_box",
  hotelId,
  row: id,
});

/** Seal context of the previous secret, while both secrets sign. */
export const previousSecretContext = ({ id, hotelId }: Receiver): SealContext => ({
  column: "webhook.previous_secret_box",
  hotelId,
  row: id,
});

/** Returns the headers of one try, signed with all valid secrets. `sentAt` is the time of the try. */
export function signedHeaders(
  message: { id: string; body: string; sentAt: Date },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000));
  const content = `${message.id}.${timestamp}.${message.body}`;
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => `v1,${signatureOf(secret, content)}`).join(" "),
  };
}

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return createHmac("sha256", key).update(content).digest("base64");
}

const ALERT_KIND = "webhook_failing";

/** Raises an alert that a webhook fails. The hotel has one such alert, with the name of the latest webhook. */
export async function raiseFailing(scope: Scope, tx: Transaction, name: string): Promise<void> {
  await raiseAlert(scope, tx, { kind: ALERT_KIND, lockId: null, roomId: null, params: { name } });
}

/** Resolves the alert once no webhook fails, except those that staff switched off. */
export async function settleFailing(scope: Scope, tx: Transaction): Promise<void> {
  const failing = await tx.db.webhook.count({
    where: { failures: { gte: FAILURES_BEFORE_ALERT }, OR: [{ disabledAt: null }, { givenUp: true }] },
  });
  if (failing === 0) await resolveAlerts(scope, tx, { kind: ALERT_KIND, lockId: null });
}

const SECOND_MS = 1000;

/** Pause after the first, second … failure in a row; the last pause repeats. */
const PAUSES_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS];
/** Proportion by which pauses vary, so that webhooks that failed together are not retried together. */
const JITTER = 0.1;

/** A webhook that has failed for this long is switched off. */
export const GIVE_UP_MS = 72 * HOUR_MS;
/** Staff are alerted after this many failures in a row. */
export const FAILURES_BEFORE_ALERT = 3;
/** After an available receiver has refused an event this often, the event is skipped so that the others are sent. */
export const MAX_REFUSALS_OF_EVENT = 6;

/** Returns the milliseconds until a webhook is retried after `failures` in a row, varied by up to 10 percent. */
export function pauseMs(failures: number, random: () => number = Math.random): number {
  const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0;
  return Math.round(pause * (1 + JITTER * (2 * random() - 1)));
}

/** Sends the waiting events of one webhook. */
export const deliverWebhook: Job<{ webhookId: number }> = {
  name: "webhooks.deliver",
  payload: z.object({ webhookId: z.int() }),
};

/** Sends events that are due, and those left over from a process that ended. */
export const sweepWebhooks: Job<Record<string, never>> = { name: "webhooks.sweep", payload: z.strictObject({}) };

export const deleteOldDeliveries: Job<Record<string, never>> = { name: "webhooks.drop", payload: z.strictObject({}) };

const SWEEP_SECONDS = 10;
const DELETE_OLD_SECONDS = 3_600;
/** Webhooks that one process serves at once; an unreachable one occupies a slot for seconds. */
export const MAX_CONCURRENT_WEBHOOKS = 8;

interface Sender {
  deliver(webhookId: number, log: Logger): Promise<void>;
  sweep(log: Logger): Promise<void>;
  deleteOldDeliveries(): Promise<void>;
}

export function defineWebhookJobs(queue: JobQueue, sender: Sender): void {
  // The queue doesn't retry, because the sweep does.
  queue.define(deliverWebhook, ({ webhookId }, log) => sender.deliver(webhookId, log), {
    concurrency: MAX_CONCURRENT_WEBHOOKS,
    attempts: 1,
  });
  queue.define(sweepWebhooks, (_payload, log) => sender.sweep(log), { concurrency: 1, attempts: 1 });
  queue.every(sweepWebhooks, SWEEP_SECONDS, {});
  queue.define(deleteOldDeliveries, () => sender.deleteOldDeliveries(), { concurrency: 1, attempts: 1 });
  queue.every(deleteOldDeliveries, DELETE_OLD_SECONDS, {});
}
