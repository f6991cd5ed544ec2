import { z } from "zod";
import type { Relay, RelaySubscriber } from "../../../adapters/events/relay.ts";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import {
  bodyOf,
  deliverWebhook,
  FAILURES_BEFORE_ALERT,
  GIVE_UP_MS,
  MAX_CONCURRENT_WEBHOOKS,
  MAX_REFUSALS_OF_EVENT,
  type Outcome,
  pauseMs,
  postEvent,
  previousSecretContext,
  raiseFailing,
  secretContext,
  settleFailing,
  signedHeaders,
} from "./deliver-event.ts";

/** Webhook that a worker has claimed. */
interface ReceiverRow {
  id: number;
  hotelId: number;
  name: string;
  url: string;
  secretBox: Buffer;
  previousSecretBox: Buffer | null;
  failures: number;
  failingSince: Date | null;
  claimedUntil: Date;
}

/** Oldest event of a webhook that is not delivered yet. */
interface QueuedDelivery {
  id: string;
  event: string;
  payload: unknown;
  createdAt: Date;
  tries: number;
}

/** $1: webhook, $2: current time. After a change of secret, the previous one also signs until it expires. */
const RECEIVER_COLUMNS = `w.id, w.hotel_id AS "hotelId", w.name, w.url, w.secret_box AS "secretBox",
  CASE WHEN w.previous_secret_until > $2 THEN w.previous_secret_box END AS "previousSecretBox",
  w.failures, w.failing_since AS "failingSince", w.claimed_until AS "claimedUntil"`;

const HAS_QUEUED = `EXISTS (SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.state = 'queued')`;

/** Webhooks with events to send that no worker has claimed; $1: current time. */
const READY = (now: string): string => `w.disabled_at IS NULL AND (w.next_try_at IS NULL OR w.next_try_at <= ${now})
  AND (w.claimed_until IS NULL OR w.claimed_until <= ${now}) AND ${HAS_QUEUED}`;
const DUE = `SELECT w.id FROM webhook w WHERE ${READY("$1")} ORDER BY w.id`;

/** $1: webhook, $2: current time, $3: end of the claim. */
const CLAIM = `UPDATE webhook w SET claimed_until = $3 WHERE w.id = $1 AND ${READY("$2")} RETURNING ${RECEIVER_COLUMNS}`;

/** $1: webhook. */
const OLDEST_QUEUED = `SELECT id, event, payload, created_at AS "createdAt", tries FROM webhook_delivery
  WHERE webhook_id = $1 AND state = 'queued' ORDER BY number LIMIT 1`;

/**
 * $1: webhook, $2: current time, $3: end of the claim, $4: end of the renewed claim, $5: delivery, $6: status. Returns
 * no row if the claim was lost.
 */
const MARK_DELIVERED = `
  WITH delivered AS (
    UPDATE webhook_delivery SET state = 'delivered', delivered_at = $2, tries = tries + 1, last_status = $6, last_error = NULL
    WHERE id = $5::uuid
  )
  UPDATE webhook w SET failures = 0, failing_since = NULL, next_try_at = NULL, claimed_until = $4
  WHERE w.id = $1 AND w.claimed_until = $3 AND w.disabled_at IS NULL RETURNING ${RECEIVER_COLUMNS}`;

/**
 * $1: webhook, $2: current time, $3: end of the claim, $4: next try, $5: delivery, $6: status, $7: error, $8: whether
 * to skip the event from now on. Returns no row if the claim was lost.
 */
const MARK_REFUSED = `
  WITH tried AS (
    UPDATE webhook_delivery SET tries = tries + 1, last_status = $6, last_error = $7::delivery_error,
      state = CASE WHEN $8 THEN 'failed' ELSE state END
    WHERE id = $5::uuid
  )
  UPDATE webhook w SET failures = failures + 1, failing_since = coalesce(failing_since, $2), next_try_at = $4, claimed_until = NULL
  WHERE w.id = $1 AND w.claimed_until = $3 RETURNING ${RECEIVER_COLUMNS}`;

/** $1: webhook, $2: end of the claim. */
const RELEASE = "UPDATE webhook SET claimed_until = NULL WHERE id = $1 AND claimed_until = $2";

/** $1: time before which deliveries are deleted. */
const DELETE_OLD = "DELETE FROM webhook_delivery WHERE created_at < $1";

interface SenderDeps {
  database: Pick<Database, "pool">;
  clock: Clock;
  queue: JobQueue;
  relay: Pick<Relay, "subscribe">;
  secrets: { webhook: SecretBox };
  scopes: SystemScopes;
  log: Logger;
}

const notification = z.object({ topic: z.literal("webhooks"), webhookId: z.int() });

/** Longer than any try takes; renewed after each event. */
const CLAIM_MS = 60_000;
/** Events sent to one webhook in a row before others have their turn. */
const MAX_EVENTS_IN_A_ROW = 100;
/** Webhooks of one hotel that this process serves at once. */
const MAX_WEBHOOKS_OF_HOTEL = MAX_CONCURRENT_WEBHOOKS / 2;
/** A webhook whose receiver answers slowly ends its turn after this time, so that the others get theirs. */
const MAX_TURN_MS = 15_000;
/** Time until a webhook is tried again if its hotel already has MAX_WEBHOOKS_OF_HOTEL being served. */
const HOTEL_BUSY_RETRY_MS = 2_000;
/** Notifications within this time are handled by one job per webhook. */
const GATHER_MS = 50;
const RETENTION_MS = 30 * 86_400_000;
/** This status means that the receiver no longer exists (source: Standard Webhooks). */
const HTTP_GONE = 410;
/** Statuses that concern the receiver's current state, not the event. */
const TEMPORARY_STATUSES = new Set([401, 403, 404, 405, 408, 410, 421, 425, 429]);

/**
 * Sends events to their webhooks. Each webhook gets one event at a time, oldest first, which preserves the order and
 * does not flood a receiver that has recovered; while the oldest event fails, the others wait. Delivery is at least
 * once: if the server dies before it records the answer, it sends the event again with the same id.
 */
export class WebhookSender implements RelaySubscriber {
  /** Allows plain http and addresses of this machine, for tests. */
  allowLocal = false;
  readonly #deps: SenderDeps;
  /** Webhooks whose notifications are not yet handled */
  readonly #webhookIds = new Set<number>();
  /** Number of webhooks that this process serves now, by hotel */
  readonly #activeByHotel = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    deps.relay.subscribe(this);
  }

  onMessage(message: unknown): void {
    const parsed = notification.safeParse(message);
    if (!parsed.success) return;
    this.#webhookIds.add(parsed.data.webhookId);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const ids = [...this.#webhookIds];
      this.#webhookIds.clear();
      void this.#enqueue(ids);
    }, GATHER_MS).unref();
  }

  /** The sweep finds the notifications that were missed. */
  onGap(): void {}

  /** Returns the ids of webhooks with events that are due. */
  async due(): Promise<number[]> {
    const { database, clock } = this.#deps;
    const { rows } = await database.pool.query<{ id: number }>(DUE, [clock.now()]);
    return rows.map(({ id }) => id);
  }

  async sweep(log = this.#deps.log): Promise<void> {
    await this.#enqueue(await this.due(), log);
  }

  /**
   * Sends the waiting events of one webhook, unless another worker has claimed it or its pause is not over. Slow
   * receivers of one hotel never occupy all workers, because turns and the webhooks of a hotel are limited.
   */
  async deliver(webhookId: number, log = this.#deps.log): Promise<void> {
    const endsAt = performance.now() + MAX_TURN_MS;
    const isOver = (sent: number): boolean => sent >= MAX_EVENTS_IN_A_ROW || performance.now() >= endsAt;
    for (let sent = 0; sent === 0 || !isOver(sent); ) {
      const receiver = await this.#claim(webhookId);
      if (!receiver) return;
      const { hotelId } = receiver;
      const others = this.#activeByHotel.get(hotelId) ?? 0;
      if (others >= MAX_WEBHOOKS_OF_HOTEL) {
        await this.#release(receiver);
        await this.#enqueue([webhookId], log, HOTEL_BUSY_RETRY_MS);
        return;
      }
      this.#activeByHotel.set(hotelId, others + 1);
      try {
        let current: ReceiverRow | null = receiver;
        do {
          const delivery = await this.#readOldestQueued(current);
          if (!delivery) break;
          current = await this.#send(current, delivery, log);
          sent += 1;
        } while (current && !isOver(sent));
        // Events written while we held the claim had their jobs turned away, so claim once more; the next claim sends
        // them.
        if (current) await this.#release(current);
      } finally {
        this.#endTurn(hotelId);
      }
    }
    await this.#enqueue([webhookId], log);
  }

  /** Deletes deliveries older than 30 days, because they contain names of guests. */
  async deleteOldDeliveries(): Promise<void> {
    const { database, clock } = this.#deps;
    await database.pool.query(DELETE_OLD, [new Date(clock.now().getTime() - RETENTION_MS)]);
  }

  /**
   * Queues deliveries. `delayMs` is the pause of a webhook that failed, so that it is retried before the next sweep.
   */
  async #enqueue(webhookIds: readonly number[], log = this.#deps.log, delayMs = 0): Promise<void> {
    try {
      for (const webhookId of webhookIds) await this.#deps.queue.add(deliverWebhook, { webhookId }, { delayMs });
    } catch (error) {
      log.warn({ err: error }, "webhook events wait for the next sweep");
    }
  }

  async #claim(webhookId: number): Promise<ReceiverRow | null> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    const { rows } = await database.pool.query<ReceiverRow>(CLAIM, [webhookId, now, claimEnd(now)]);
    return rows[0] ?? null;
  }

  async #release({ id, claimedUntil }: ReceiverRow): Promise<void> {
    await this.#deps.database.pool.query(RELEASE, [id, claimedUntil]);
  }

  #endTurn(hotelId: number): void {
    const remaining = (this.#activeByHotel.get(hotelId) ?? 1) - 1;
    if (remaining > 0) this.#activeByHotel.set(hotelId, remaining);
    else this.#activeByHotel.delete(hotelId);
  }

  async #readOldestQueued({ id }: ReceiverRow): Promise<QueuedDelivery | null> {
    const { rows } = await this.#deps.database.pool.query<QueuedDelivery>(OLDEST_QUEUED, [id]);
    return rows[0] ?? null;
  }

  /** Sends one event. Returns the webhook if its claim is still valid and it may get the next event. */
  async #send(receiver: ReceiverRow, delivery: QueuedDelivery, log: Logger): Promise<ReceiverRow | null> {
    const outcome = await this.#post(receiver, delivery);
    if (outcome.error === "") return this.#recordDelivered(receiver, delivery, outcome);
    log.info(
      { webhookId: receiver.id, status: outcome.status, reason: outcome.error, failures: receiver.failures + 1 },
      "event was not accepted",
    );
    return this.#recordRefused(receiver, delivery, outcome, log);
  }

  async #post(receiver: ReceiverRow, delivery: QueuedDelivery): Promise<Outcome> {
    const { secrets, clock } = this.#deps;
    const { secretBox, previousSecretBox: previous } = receiver;
    const validSecrets = [
      secrets.webhook.open(secretBox, secretContext(receiver)),
      previous && secrets.webhook.open(previous, previousSecretContext(receiver)),
    ].filter((secret) => secret !== null);
    if (validSecrets.length === 0) return { status: null, error: "secret" };
    const body = bodyOf(delivery);
    const headers = signedHeaders({ id: delivery.id, body, sentAt: clock.now() }, validSecrets);
    return postEvent(receiver.url, { headers, body }, this.allowLocal);
  }

  async #recordDelivered(
    receiver: ReceiverRow,
    { id }: QueuedDelivery,
    { status }: Outcome,
  ): Promise<ReceiverRow | null> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    const values = [receiver.id, now, receiver.claimedUntil, claimEnd(now), id, status];
    const { rows } = await database.pool.query<ReceiverRow>(MARK_DELIVERED, values);
    if (receiver.failures >= FAILURES_BEFORE_ALERT) await this.#inHotel(receiver, settleFailing);
    return rows[0] ?? null;
  }

  async #recordRefused(receiver: ReceiverRow, delivery: QueuedDelivery, outcome: Outcome, log: Logger): Promise<null> {
    const { database, clock } = this.#deps;
    const { status, error } = outcome;
    const now = clock.now();
    const next = new Date(now.getTime() + pauseMs(receiver.failures + 1));
    const skipEvent = isAboutEvent(status) && delivery.tries + 1 >= MAX_REFUSALS_OF_EVENT;
    const values = [receiver.id, now, receiver.claimedUntil, next, delivery.id, status, error, skipEvent];
    const [row] = (
      await database.pool.query<Omit<ReceiverRow, "claimedUntil"> & { claimedUntil: null }>(MARK_REFUSED, values)
    ).rows;
    if (!row) return null;
    await this.#enqueue([receiver.id], log, next.getTime() - now.getTime());
    const since = row.failingSince?.getTime() ?? now.getTime();
    if (status === HTTP_GONE || now.getTime() - since >= GIVE_UP_MS) await this.#giveUp(row);
    else if (row.failures === FAILURES_BEFORE_ALERT) {
      await this.#inHotel(row, (scope, tx) => raiseFailing(scope, tx, row.name));
    }
    return null;
  }

  async #giveUp({ id, hotelId, name, failures }: Omit<ReceiverRow, "claimedUntil">): Promise<void> {
    await this.#inHotel({ hotelId }, async (scope, tx) => {
      const { count } = await tx.db.webhook.updateMany({
        where: { id, disabledAt: null },
        data: { disabledAt: scope.now(), givenUp: true, nextTryAt: null },
      });
      if (count === 0) return;
      tx.audit({ action: "webhook.give_up", entity: "webhook", entityId: id, after: { name, failures } });
      await raiseFailing(scope, tx, name);
    });
  }

  async #inHotel(
    { hotelId }: { hotelId: number },
    work: (scope: Scope, tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const scope = await this.#deps.scopes(hotelId);
    await scope?.write((tx) => work(scope, tx));
  }
}

const claimEnd = (now: Date): Date => new Date(now.getTime() + CLAIM_MS);

/**
 * Checks whether the status concerns the event itself: then later tries would not help, and other events may succeed.
 */
function isAboutEvent(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && !TEMPORARY_STATUSES.has(status);
}
