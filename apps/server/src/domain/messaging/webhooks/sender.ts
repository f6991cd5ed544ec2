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
  AT_ONCE,
  bodyOf,
  deliverWebhook,
  FAILURES_BEFORE_ALERT,
  GIVE_UP_MS,
  type Outcome,
  pauseMs,
  postEvent,
  previousSecretContext,
  REFUSALS_OF_ONE,
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

const WAITING = `EXISTS (SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.state = 'queued')`;

/** Webhooks with events to send that no worker has claimed; $1: current time. */
const READY = (now: string): string => `w.disabled_at IS NULL AND (w.next_try_at IS NULL OR w.next_try_at <= ${now})
  AND (w.claimed_until IS NULL OR w.claimed_until <= ${now}) AND ${WAITING}`;
const DUE = `SELECT w.id FROM webhook w WHERE ${READY("$1")} ORDER BY w.id`;

/** $1: webhook, $2: current time, $3: end of the claim. */
const CLAIM = `UPDATE webhook w SET claimed_until = $3 WHERE w.id = $1 AND ${READY("$2")} RETURNING ${RECEIVER_COLUMNS}`;

/** $1: webhook. */
const OLDEST = `SELECT id, event, payload, created_at AS "createdAt", tries FROM webhook_delivery
  WHERE webhook_id = $1 AND state = 'queued' ORDER BY number LIMIT 1`;

/**
 * $1: webhook, $2: current time, $3: end of the claim, $4: end of the renewed claim, $5: delivery, $6: status. Returns
 * no row if the claim was lost.
 */
const MARK_DELIVERED = `
  WITH taken AS (
    UPDATE webhook_delivery SET state = 'delivered', delivered_at = $2, tries = tries + 1, last_status = $6, last_error = NULL
    WHERE id = $5::uuid
  )
  UPDATE webhook w SET failures = 0, failing_since = NULL, next_try_at = NULL, claimed_until = $4
  WHERE w.id = $1 AND w.claimed_until = $3 AND w.disabled_at IS NULL RETURNING ${RECEIVER_COLUMNS}`;

/**
 * $1: webhook, $2: current time, $3: end of the claim, $4: next try, $5: delivery, $6: status, $7: error, $8: whether
 * to set the event aside.
 */
const REFUSED = `
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
const DROP = "DELETE FROM webhook_delivery WHERE created_at < $1";

interface SenderDeps {
  database: Pick<Database, "pool">;
  clock: Clock;
  queue: JobQueue;
  relay: Pick<Relay, "subscribe">;
  secrets: { webhook: SecretBox };
  scopes: SystemScopes;
  log: Logger;
}

const notice = z.object({ topic: z.literal("webhooks"), webhookId: z.int() });

/** Longer than any try takes; renewed after each event. */
const CLAIM_MS = 60_000;
/** Events sent to one webhook in a row before others have their turn. */
const MAX_IN_A_ROW = 100;
/** Webhooks of one hotel that this process serves at once. */
const MAX_OF_HOTEL = AT_ONCE / 2;
/** A webhook whose receiver answers slowly ends its turn after this time, so that the others get theirs. */
const TURN_MS = 15_000;
/** Time until a webhook is tried again whose hotel occupies its share of the workers. */
const NEXT_SHARE_MS = 2_000;
/** Notifications within this time are handled by one job per webhook. */
const GATHER_MS = 50;
const KEEP_MS = 30 * 86_400_000;
/** This status means that the receiver no longer exists (source: Standard Webhooks). */
const HTTP_GONE = 410;
/** Statuses that say something about the receiver's current state, not about the event. */
const PASSING = new Set([401, 403, 404, 405, 408, 410, 421, 425, 429]);

/**
 * Sends events to their webhooks. For each webhook we send one event at a time, oldest first, which preserves the order
 * and does not flood a receiver that has recovered; while the oldest event fails, the others wait. Delivery is at least
 * once: if the server dies before it records the answer, it sends the event again with the same id.
 */
export class WebhookSender implements RelaySubscriber {
  /** Allows plain http and addresses of this machine, for tests. */
  allowLocal = false;
  readonly #needs: SenderDeps;
  readonly #told = new Set<number>();
  /** Number of webhooks that this process serves now, by hotel */
  readonly #served = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: SenderDeps) {
    this.#needs = deps;
    deps.relay.subscribe(this);
  }

  onMessage(message: unknown): void {
    const parsed = notice.safeParse(message);
    if (!parsed.success) return;
    this.#told.add(parsed.data.webhookId);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const ids = [...this.#told];
      this.#told.clear();
      void this.#enqueue(ids);
    }, GATHER_MS).unref();
  }

  /** The sweep finds the notifications that were missed. */
  onGap(): void {}

  /** Returns the ids of webhooks with events that are due. */
  async due(): Promise<number[]> {
    const { database, clock } = this.#needs;
    const { rows } = await database.pool.query<{ id: number }>(DUE, [clock.now()]);
    return rows.map(({ id }) => id);
  }

  async sweep(log = this.#needs.log): Promise<void> {
    await this.#enqueue(await this.due(), log);
  }

  /**
   * Sends the waiting events of one webhook, unless another worker has claimed it or its pause is not over. Slow
   * receivers of one hotel never occupy all workers: each has its turn, and a hotel has its share.
   */
  async deliver(webhookId: number, log = this.#needs.log): Promise<void> {
    const endsAt = performance.now() + TURN_MS;
    const isOver = (sent: number): boolean => sent >= MAX_IN_A_ROW || performance.now() >= endsAt;
    for (let sent = 0; sent === 0 || !isOver(sent); ) {
      const receiver = await this.#claim(webhookId);
      if (!receiver) return;
      const { hotelId } = receiver;
      const others = this.#served.get(hotelId) ?? 0;
      if (others >= MAX_OF_HOTEL) {
        await this.#release(receiver);
        await this.#enqueue([webhookId], log, NEXT_SHARE_MS);
        return;
      }
      this.#served.set(hotelId, others + 1);
      try {
        let current: ReceiverRow | null = receiver;
        do {
          const delivery = await this.#oldest(current);
          if (!delivery) break;
          current = await this.#try(current, delivery, log);
          sent += 1;
        } while (current && !isOver(sent));
        // The next claim sees events that were written after our last look, while our claim kept their job from sending
        // them.
        if (current) await this.#release(current);
      } finally {
        this.#leave(hotelId);
      }
    }
    await this.#enqueue([webhookId], log);
  }

  /** Deletes deliveries older than 30 days, because they contain names of guests. */
  async drop(): Promise<void> {
    const { database, clock } = this.#needs;
    await database.pool.query(DROP, [new Date(clock.now().getTime() - KEEP_MS)]);
  }

  /**
   * Queues deliveries. `delayMs` is the pause of a webhook that failed, so that it is retried before the next sweep.
   */
  async #enqueue(webhookIds: readonly number[], log = this.#needs.log, delayMs = 0): Promise<void> {
    try {
      for (const webhookId of webhookIds) await this.#needs.queue.add(deliverWebhook, { webhookId }, { delayMs });
    } catch (error) {
      log.warn({ err: error }, "events for other programs wait for the next sweep");
    }
  }

  async #claim(webhookId: number): Promise<ReceiverRow | null> {
    const { database, clock } = this.#needs;
    const now = clock.now();
    const { rows } = await database.pool.query<ReceiverRow>(CLAIM, [webhookId, now, claimEnd(now)]);
    return rows[0] ?? null;
  }

  async #release({ id, claimedUntil }: ReceiverRow): Promise<void> {
    await this.#needs.database.pool.query(RELEASE, [id, claimedUntil]);
  }

  #leave(hotelId: number): void {
    const left = (this.#served.get(hotelId) ?? 1) - 1;
    if (left > 0) this.#served.set(hotelId, left);
    else this.#served.delete(hotelId);
  }

  async #oldest({ id }: ReceiverRow): Promise<QueuedDelivery | null> {
    const { rows } = await this.#needs.database.pool.query<QueuedDelivery>(OLDEST, [id]);
    return rows[0] ?? null;
  }

  /** Returns the webhook if its claim is still valid and it may get the next event. */
  async #try(receiver: ReceiverRow, delivery: QueuedDelivery, log: Logger): Promise<ReceiverRow | null> {
    const outcome = await this.#post(receiver, delivery);
    if (outcome.error === "") return this.#noteTaken(receiver, delivery, outcome);
    log.info(
      { webhookId: receiver.id, status: outcome.status, reason: outcome.error, failures: receiver.failures + 1 },
      "an event was not taken",
    );
    return this.#noteRefused(receiver, delivery, outcome, log);
  }

  async #post(receiver: ReceiverRow, delivery: QueuedDelivery): Promise<Outcome> {
    const { secrets, clock } = this.#needs;
    const { secretBox, previousSecretBox: previous } = receiver;
    const opened = [
      secrets.webhook.open(secretBox, secretContext(receiver)),
      previous && secrets.webhook.open(previous, previousSecretContext(receiver)),
    ].filter((secret) => secret !== null);
    if (opened.length === 0) return { status: null, error: "secret" };
    const body = bodyOf(delivery);
    const headers = signedHeaders({ id: delivery.id, body, sentAt: clock.now() }, opened);
    return postEvent(receiver.url, { headers, body }, this.allowLocal);
  }

  async #noteTaken(receiver: ReceiverRow, { id }: QueuedDelivery, { status }: Outcome): Promise<ReceiverRow | null> {
    const { database, clock } = this.#needs;
    const now = clock.now();
    const values = [receiver.id, now, receiver.claimedUntil, claimEnd(now), id, status];
    const { rows } = await database.pool.query<ReceiverRow>(MARK_DELIVERED, values);
    if (receiver.failures >= FAILURES_BEFORE_ALERT) await this.#inHotel(receiver, settleFailing);
    return rows[0] ?? null;
  }

  async #noteRefused(receiver: ReceiverRow, delivery: QueuedDelivery, outcome: Outcome, log: Logger): Promise<null> {
    const { database, clock } = this.#needs;
    const { status, error } = outcome;
    const now = clock.now();
    const next = new Date(now.getTime() + pauseMs(receiver.failures + 1));
    const aside = isAboutEvent(status) && delivery.tries + 1 >= REFUSALS_OF_ONE;
    const values = [receiver.id, now, receiver.claimedUntil, next, delivery.id, status, error, aside];
    const [row] = (
      await database.pool.query<Omit<ReceiverRow, "claimedUntil"> & { claimedUntil: null }>(REFUSED, values)
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
    const scope = await this.#needs.scopes(hotelId);
    await scope?.write((tx) => work(scope, tx));
  }
}

const claimEnd = (now: Date): Date => new Date(now.getTime() + CLAIM_MS);

/**
 * Checks whether the status concerns the event itself: then later tries would not help, and other events may succeed.
 */
function isAboutEvent(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && !PASSING.has(status);
}
