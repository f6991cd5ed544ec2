import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "@innkey/shared/errors";
import type pg from "pg";
import type { Database } from "../../../adapters/postgres/client.ts";
import { counter } from "../../../adapters/telemetry/metrics.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { asDomainError, isTransient } from "../../../kernel/errors.ts";
import type { LockName, LockReports } from "../lock-links/driver.ts";
import { keyOf, LockDirectory } from "../locks/lock-directory.ts";
import { type ReceivedEvent, toReportedEvent } from "./reported-event.ts";
import { keepEvents } from "./store-events.ts";

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
  kept: (upTo: number) => void;
  failed: (error: unknown) => void;
}

/** Waiting rows that are enough for a transaction, so that several transactions run side by side. */
const ENOUGH_ROWS = 200;
const MAX_ROWS = 500;
const MAX_IN_FLIGHT = 4;
/** Milliseconds to wait for further reports: enough to combine those of a busy moment, and too short to be noticed. */
const GATHER_MS = 3;
/**
 * Waiting longer costs nothing while other batches are being written. The limit keeps a stuck batch from delaying new
 * ones.
 */
const GATHER_BUSY_MS = 20;
const TRIES = 5;
const MAX_UNKNOWN = 10_000;

/**
 * Stores what locks report: each event once, however often it arrives, together with everything that follows from it.
 * Reports that arrive together share a transaction. A lock's events are in one transaction at a time, which keeps their
 * order. Nothing is acknowledged before the commit, so that a lock repeats what a crash lost (source: domain rules,
 * Decisions on locks).
 */
export class UnlockIngest implements Pick<LockReports, "events"> {
  readonly #needs: IngestDeps;
  readonly #directory: LockDirectory;
  readonly #unknown = new Set<string>();
  readonly #busy = new Set<number>();
  #waiting: Report[] = [];
  #waitingRows = 0;
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: IngestDeps) {
    this.#needs = deps;
    this.#directory = new LockDirectory(deps.database);
  }

  /**
   * Returns the number up to which the lock may delete its events. @throws unavailable and other database errors; then
   * the events were not stored, or a repeat will find them stored
   */
  async events(name: LockName, events: readonly ReceivedEvent[], log: string | null = null): Promise<number> {
    const lockId = await this.#directory.find(name);
    if (lockId === null) return this.#ignore(name, events);
    return new Promise((stored, failed) => {
      this.#waiting.push({ name, lockId, log, events, kept: stored, failed });
      this.#waitingRows += events.length;
      this.#schedule();
    });
  }

  /** Acknowledges the events of an unregistered lock without storing them, and logs the lock once. */
  #ignore(name: LockName, events: readonly ReceivedEvent[]): number {
    const key = keyOf(name);
    if (!this.#unknown.has(key)) {
      if (this.#unknown.size >= MAX_UNKNOWN) this.#unknown.clear();
      this.#unknown.add(key);
      this.#needs.log.info({ lock: key }, "events of a lock that is not registered");
    }
    return lastSeq(events);
  }

  #schedule(): void {
    if (this.#waiting.length === 0 || this.#inFlight >= MAX_IN_FLIGHT) return;
    if (this.#waitingRows >= ENOUGH_ROWS) {
      this.#send();
      return;
    }
    this.#timer ??= setTimeout(() => this.#send(), this.#inFlight > 0 ? GATHER_BUSY_MS : GATHER_MS);
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#inFlight >= MAX_IN_FLIGHT) return;
    const batch = this.#take();
    if (batch.length === 0) return;
    const locks = new Set(batch.map(({ lockId }) => lockId));
    for (const lockId of locks) this.#busy.add(lockId);
    this.#inFlight += 1;
    void this.#keep(batch).finally(() => {
      this.#inFlight -= 1;
      for (const lockId of locks) this.#busy.delete(lockId);
      this.#schedule();
    });
  }

  /** Takes the oldest reports of locks that are not being written, up to the size of a batch. */
  #take(): Report[] {
    const batch: Report[] = [];
    const left: Report[] = [];
    const passedOver = new Set<number>();
    let rows = 0;
    for (const report of this.#waiting) {
      const { lockId, events } = report;
      const fits = rows === 0 || rows + events.length <= MAX_ROWS;
      if (fits && !this.#busy.has(lockId) && !passedOver.has(lockId)) {
        batch.push(report);
        rows += events.length;
      } else {
        left.push(report);
        passedOver.add(lockId);
      }
    }
    this.#waiting = left;
    this.#waitingRows -= rows;
    return batch;
  }

  async #keep(batch: readonly Report[]): Promise<void> {
    try {
      const isWritten = await this.#write(batch);
      eventsStored.inc(batch.reduce((sum, { events }) => sum + events.length, 0));
      for (const report of batch) {
        if (!isWritten.has(report.lockId)) this.#directory.forget(report.name);
        report.kept(lastSeq(report.events));
      }
    } catch (error) {
      const reason = asDomainError(error);
      const unreachable = reason instanceof DomainError && reason.code === "unavailable";
      if (unreachable || batch.length === 1) for (const report of batch) report.failed(reason);
      // One report that can't be stored must not fail the others, so each is tried alone.
      else for (const report of batch) await this.#keep([report]);
    }
  }

  /** Writes a batch, and retries transient errors. Returns the ids of the locks that exist. */
  async #write(batch: readonly Report[]): Promise<ReadonlySet<number>> {
    const now = this.#needs.clock.now();
    const reported = batch.flatMap(({ lockId, log, events }) =>
      events.map((event) => toReportedEvent(lockId, log, event, now)),
    );
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await inTransaction(this.#needs.database.pool, (client) => keepEvents(client, reported, now));
      } catch (error) {
        if (attempt >= TRIES || !isTransient(error)) throw error;
        await delay(10 * attempt * (1 + Math.random()));
      }
    }
  }
}

const lastSeq = (events: readonly ReceivedEvent[]): number => events.reduce((last, { seq }) => Math.max(last, seq), 0);

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((lost: Error) => {
      broken = lost;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
