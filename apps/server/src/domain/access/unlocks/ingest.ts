import { DomainError } from "@innkey/shared/errors";
import type { Database } from "../../../adapters/postgres/client.ts";
import { counter } from "../../../adapters/telemetry/metrics.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { asDomainError } from "../../../kernel/errors.ts";
import { inTransaction } from "../../../kernel/transaction.ts";
import { keyOf, LockDirectory, type LockName, type LockReports, type ReceivedEvent } from "../lock-links/driver.ts";

import { storeEvents, toReportedEvent } from "./store-events.ts";

/** Includes repeated events: a lock sends an event again until it is acknowledged. */
export const eventsStored = counter({ name: "unlock_events_total", help: "Events of locks that were committed" });

export interface IngestDeps {
  database: Pick<Database, "pool">;
  clock: Clock;
  log: { info(details: object, message: string): void };
}

/** One call of `events` that waits to be written. */
interface Report {
  name: LockName;
  lockId: number;
  log: string | null;
  events: readonly ReceivedEvent[];
  resolve: (upTo: number) => void;
  reject: (error: unknown) => void;
}

/** Number of waiting rows that starts a transaction at once, so that several transactions run side by side. */
const ROWS_TO_START = 200;
const MAX_ROWS = 500;
const MAX_IN_FLIGHT = 4;
/** Milliseconds to wait for further reports: enough to combine those of a busy moment, and too short to be noticed. */
const GATHER_MS = 3;
/**
 * Waiting longer costs nothing while other batches are being written. The limit keeps a stuck batch from delaying new
 * ones.
 */
const GATHER_BUSY_MS = 20;
const MAX_UNKNOWN = 10_000;

/**
 * Stores what locks report: each event once, however often it arrives, together with everything that follows from it.
 * Reports that arrive together share a transaction. A lock's events are in one transaction at a time, which keeps their
 * order. Nothing is acknowledged before the commit, so that a lock repeats what a crash lost (source: domain rules,
 * Decisions on locks).
 */
export class UnlockIngest implements Pick<LockReports, "events"> {
  readonly #deps: IngestDeps;
  readonly #directory: LockDirectory;
  readonly #unknown = new Set<string>();
  readonly #busy = new Set<number>();
  #waiting: Report[] = [];
  #waitingRows = 0;
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: IngestDeps) {
    this.#deps = deps;
    this.#directory = new LockDirectory(deps.database);
  }

  /**
   * Returns the number up to which the lock may delete its events. @throws unavailable and other database errors; then
   * the events were not stored, or a repeat will find them stored
   */
  async events(name: LockName, events: readonly ReceivedEvent[], log: string | null = null): Promise<number> {
    const lockId = await this.#directory.find(name);
    if (lockId === null) return this.#acknowledgeUnknown(name, events);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ name, lockId, log, events, resolve, reject });
      this.#waitingRows += events.length;
      this.#schedule();
    });
  }

  /** Acknowledges the events of an unregistered lock without storing them, and logs the lock once. */
  #acknowledgeUnknown(name: LockName, events: readonly ReceivedEvent[]): number {
    const key = keyOf(name);
    if (!this.#unknown.has(key)) {
      if (this.#unknown.size >= MAX_UNKNOWN) this.#unknown.clear();
      this.#unknown.add(key);
      this.#deps.log.info({ lock: key }, "events of a lock that is not registered");
    }
    return lastSeq(events);
  }

  #schedule(): void {
    if (this.#waiting.length === 0 || this.#inFlight >= MAX_IN_FLIGHT) return;
    if (this.#waitingRows >= ROWS_TO_START) {
      this.#send();
      return;
    }
    this.#timer ??= setTimeout(() => this.#send(), this.#inFlight > 0 ? GATHER_BUSY_MS : GATHER_MS);
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#inFlight >= MAX_IN_FLIGHT) return;
    const batch = this.#takeBatch();
    if (batch.length === 0) return;
    const locks = new Set(batch.map(({ lockId }) => lockId));
    for (const lockId of locks) this.#busy.add(lockId);
    this.#inFlight += 1;
    void this.#store(batch).finally(() => {
      this.#inFlight -= 1;
      for (const lockId of locks) this.#busy.delete(lockId);
      // What has gathered meanwhile waits no longer if nothing else is being written.
      if (this.#inFlight === 0) this.#send();
      else this.#schedule();
    });
  }

  /** Takes the oldest reports of locks that are not being written, up to the size of a batch. */
  #takeBatch(): Report[] {
    const batch: Report[] = [];
    const remaining: Report[] = [];
    const skippedLocks = new Set<number>();
    let rows = 0;
    for (const report of this.#waiting) {
      const { lockId, events } = report;
      const fits = rows === 0 || rows + events.length <= MAX_ROWS;
      if (fits && !this.#busy.has(lockId) && !skippedLocks.has(lockId)) {
        batch.push(report);
        rows += events.length;
      } else {
        remaining.push(report);
        skippedLocks.add(lockId);
      }
    }
    this.#waiting = remaining;
    this.#waitingRows -= rows;
    return batch;
  }

  async #store(batch: readonly Report[]): Promise<void> {
    try {
      const existingLockIds = await this.#write(batch);
      eventsStored.inc(batch.reduce((sum, { events }) => sum + events.length, 0));
      for (const report of batch) {
        if (!existingLockIds.has(report.lockId)) this.#directory.forget(report.name);
        report.resolve(lastSeq(report.events));
      }
    } catch (error) {
      const reason = asDomainError(error);
      const isUnavailable = reason instanceof DomainError && reason.code === "unavailable";
      if (isUnavailable || batch.length === 1) for (const report of batch) report.reject(reason);
      // One report that can't be stored must not fail the others, so each is tried alone.
      else for (const report of batch) await this.#store([report]);
    }
  }

  /** Writes a batch. Returns the ids of the locks that exist. */
  #write(batch: readonly Report[]): Promise<ReadonlySet<number>> {
    const now = this.#deps.clock.now();
    const reported = batch.flatMap(({ lockId, log, events }) =>
      events.map((event) => toReportedEvent(lockId, log, event, now)),
    );
    return inTransaction(this.#deps.database.pool, (client) => storeEvents(client, reported, now));
  }
}

const lastSeq = (events: readonly ReceivedEvent[]): number => events.reduce((last, { seq }) => Math.max(last, seq), 0);
