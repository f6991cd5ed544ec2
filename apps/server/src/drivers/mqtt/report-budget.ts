import type { EventBatch } from "@innkey/shared/locks/protocol";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import type { LockName, LockReports } from "../../domain/access/locks/reports.ts";
import type { Turns } from "./keyed-queue.ts";

/**
 * Limit for the events of one lock; the period is in seconds. A busy door has a few hundred events a day, so a backlog
 * of some days is accepted at once, and one of 6,000 within ten minutes. A flood is limited to ten a second. The
 * largest report has 500 events, so four of them fit. Each process counts separately, because a shared counter would
 * cost as much as the events.
 */
const EVENTS = { points: 2_000, duration: 200 };
/** Limit for the statuses of one lock, which sends one when something has changed. */
const STATUSES = { points: 60, duration: 60 };
/** Limit of a lock's waiting reports. Statuses share the same queue, and the remaining places are reserved for them. */
const MOST_WAITING = 50;
/** A lock repeats events that were not acknowledged for a minute. Events that it hasn't repeated by then are lost. */
const SENT_AGAIN_WITHIN_MS = 120_000;

/** The first event of a lock's memory that was withheld. */
interface Gap {
  log: string | null;
  from: number;
  until: number;
}

export interface ReportBudgetDeps {
  reports: Pick<LockReports, "reportsTooMuch">;
  turns: Turns;
  log: Logger;
}

/**
 * Queues the reports of each lock within its budget, so that no lock crowds out the others. Reports above it are
 * withheld.
 */
export class ReportBudget {
  readonly #deps: ReportBudgetDeps;
  readonly #events = new RateLimiterMemory(EVENTS);
  readonly #statuses = new RateLimiterMemory(STATUSES);
  readonly #notices = new RateLimiterMemory({ points: 1, duration: 60 });
  readonly #gaps = new Map<string, Gap>();
  #withheld = 0;

  constructor(deps: ReportBudgetDeps) {
    this.#deps = deps;
  }

  /** Number of messages that were withheld. */
  get withheld(): number {
    return this.#withheld;
  }

  async takeStatus(key: string, lock: LockName, work: () => Promise<void>): Promise<void> {
    if (await isWithin(this.#statuses, key, 1)) return this.#deps.turns.take(key, work);
    this.#withheld += 1;
    await this.#notify(key, lock);
  }

  /**
   * Events after withheld ones are withheld too, because an acknowledgement means all events up to its number, and the
   * lock would delete those that were withheld.
   */
  async takeEvents(key: string, lock: LockName, { log, events }: EventBatch, work: () => Promise<void>): Promise<void> {
    const { turns } = this.#deps;
    const isAffordable = await isWithin(this.#events, key, events.length);
    const from = events.reduce((first, { seq }) => Math.min(first, seq), Number.POSITIVE_INFINITY);
    const gap = this.#gapOf(key, log);
    const isNext = !gap || from <= gap.from;
    if (isAffordable && isNext && turns.waiting(key) < MOST_WAITING) {
      this.#gaps.delete(key);
      return turns.take(key, work);
    }
    this.#withheld += 1;
    if (isNext || !isAffordable) {
      this.#gaps.set(key, { log, from: Math.min(from, gap?.from ?? from), until: Date.now() + SENT_AGAIN_WITHIN_MS });
    }
    if (!isAffordable) await this.#notify(key, lock);
  }

  #gapOf(key: string, log: string | null): Gap | undefined {
    const gap = this.#gaps.get(key);
    if (!gap || (gap.log === log && gap.until > Date.now())) return gap;
    this.#gaps.delete(key);
    return undefined;
  }

  /** Logs and alerts at most once a minute, without the caller waiting for the database. */
  async #notify(key: string, lock: LockName): Promise<void> {
    if (!(await isWithin(this.#notices, key, 1))) return;
    const { reports, log } = this.#deps;
    log.warn({ lock: key }, "a lock sends too many messages; some are not taken");
    reports.reportsTooMuch(lock).catch((error: unknown) => log.warn({ err: error, lock: key }, "an alert has to wait"));
  }
}

/** Consumes points and returns whether enough were left. Consumes them even if too few are left. */
async function isWithin(limiter: RateLimiterMemory, key: string, points: number): Promise<boolean> {
  return limiter.consume(key, points).then(
    () => true,
    (refused: RateLimiterRes | Error) => {
      if (refused instanceof Error) throw refused;
      return false;
    },
  );
}
