import { z } from "zod";
import type { Relay, RelaySubscriber } from "../../../adapters/events/relay.ts";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import type { SystemScopes } from "../../../kernel/system-scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { FAILURES_BEFORE_ALERT, GIVE_UP_MS, pauseMs, REFUSALS_OF_ONE, raiseFailing, settleFailing } from "./pauses.ts";
import { bodyOf, type Outcome, postEvent } from "./post-event.ts";

import {
  CLAIM,
  DROP,
  DUE,
  MARK_DELIVERED,
  OLDEST,
  type QueuedDelivery,
  REFUSED,
  RELEASE,
  type ReceiverRow,
} from "./sender.sql.ts";
import { previousSecretContext, secretContext, signedHeaders } from "./signature.ts";
import { AT_ONCE, deliverWebhook } from "./webhook-jobs.ts";

export interface SenderDeps {
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
