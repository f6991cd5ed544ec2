import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { z } from "zod";
import { counter, histogram } from "../telemetry/metrics.ts";
import { activeTracing, runInSpan } from "../telemetry/tracing.ts";
import { type BullQueue, type BullWorker, type JobRun, postgresStore, redisStore, type Store } from "./queue-store.ts";

const finished = counter({ name: "jobs_total", help: "Tries of jobs that ended", labels: ["job", "outcome"] });
const seconds = histogram(
  { name: "job_duration_seconds", help: "How long a try of a job took", labels: ["job"] },
  [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
);

/** Counts an attempt at a job and measures its duration. */
export async function measuredJob(job: string, work: () => Promise<void>): Promise<void> {
  const stop = seconds.startTimer({ job });
  try {
    await work();
    finished.inc({ job, outcome: "completed" });
  } catch (error) {
    finished.inc({ job, outcome: "failed" });
    throw error;
  } finally {
    stop();
  }
}

/** A kind of job: its name and its payload. Producers and the one handler share this value. */
export interface Job<Payload> {
  /** lower case, dots between words; also the name of its BullMQ queue */
  name: string;
  payload: z.ZodType<Payload>;
}

export interface HandlerOptions {
  /** limit of simultaneous jobs of this kind in this process */
  concurrency?: number;
  /** attempts before a job counts as failed */
  attempts?: number;
  /** pause before the second attempt; doubles each time */
  backoffMs?: number;
}

/** `log` adds the job's name, its id and the attempt to every line. */
export type Handler<Payload> = (payload: Payload, log: Logger) => Promise<void>;

export interface JobQueue {
  /** @throws Error for a job that isn't in the registry or already has a handler */
  define<Payload>(job: Job<Payload>, handle: Handler<Payload>, options?: HandlerOptions): void;
  /** Runs a job periodically; several servers share one schedule. Call it before `start`. */
  every<Payload>(job: Job<Payload>, seconds: number, payload: Payload): void;
  /**
   * Adds a job. Call it only after the job's data is committed. A second job with the same `jobId` is dropped while the
   * first waits.
   * @throws Error if the queue's store can't be reached
   */
  add<Payload>(job: Job<Payload>, payload: Payload, options?: { delayMs?: number; jobId?: string }): Promise<void>;
  /** @throws Error unless every job of the registry has a handler */
  prove(): void;
  /**
   * Runs jobs and schedules in this process, after calling `prove`. Waits in the background for an unreachable store.
   * @throws like `prove`
   */
  start(): void;
  /** Whether the queue's store answers within 2 s. Never throws. */
  reachable(): Promise<boolean>;
  /** Lets running jobs finish, up to a time limit. */
  close(): Promise<void>;
}

/** Number of jobs of one kind, by state. */
export interface JobCounts {
  name: string;
  waiting: number;
  active: number;
  /** jobs due later, schedules included */
  delayed: number;
  /** jobs among the latest ones that used up all their attempts */
  failed: number;
}

/** Read access to the state of the queue. All methods may throw while the store is unreachable. */
export interface QueueView {
  readCounts(): Promise<JobCounts[]>;
  /** since when the oldest job that has not started waits; null: none waits */
  waitingSince(name: string): Promise<Date | null>;
  /** newest job of a kind that failed finally */
  lastFailure(name: string): Promise<{ reason: string; at: Date } | null>;
}

export interface JobQueueOptions {
  /** PostgreSQL is used unless there is a Redis */
  databaseUrl: string;
  redisUrl: string | undefined;
  /** every kind of job; `prove` checks that each has a handler */
  jobs: readonly Job<unknown>[];
  log: Logger;
}

interface Definition {
  handle: Handler<unknown>;
  options: Required<HandlerOptions>;
}

interface Schedule {
  name: string;
  seconds: number;
  payload: unknown;
}

const DEFAULTS: Required<HandlerOptions> = { concurrency: 2, attempts: 3, backoffMs: 1_000 };
const RETRY_MS = 2_000;
const CLOSE_MS = 10_000;
const QUIET_MS = 5_000;
const MAX_FAILURES = 200;
const ANSWER_MS = 2_000;
/** Errors of the system, pg and ioredis for a connection that failed or was lost. */
const LOST =
  /E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|Connection (is closed|terminated|ended)|does not answer|writeable|tim(eout|ed out)|max retries|LOADING|57P0/;

/** BullMQ's error for a job in progress that no longer exists in the store. */
const FORGOTTEN = /^Missing (key|lock) for job /;

/** Creates the BullMQ job queue: in Redis if one is configured, else in PostgreSQL. */
export function createJobQueue(options: JobQueueOptions): JobQueue & QueueView {
  return new BullJobQueue(options);
}

class BullJobQueue implements JobQueue, QueueView {
  readonly #jobs: ReadonlyMap<string, Job<unknown>>;
  readonly #log: Logger;
  readonly #store: Store;
  readonly #definitions = new Map<string, Definition>();
  readonly #schedules: Schedule[] = [];
  readonly #queues = new Map<string, BullQueue>();
  readonly #workers = new Map<string, BullWorker>();
  readonly #quietUntil = new Map<string, number>();
  readonly #stop = new AbortController();
  #disconnected = false;
  #prepared: Promise<void> | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor({ jobs, log, redisUrl, databaseUrl }: JobQueueOptions) {
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
    if (this.#jobs.size !== jobs.length) throw new Error("Two jobs have the same name");
    // While the store is down, each kind of job and each schedule has one abort listener; more would be a leak.
    setMaxListeners(2 * jobs.length + 2, this.#stop.signal);
    this.#log = log;
    this.#store = redisUrl ? redisStore(redisUrl, log) : postgresStore(databaseUrl, log);
  }

  define<Payload>(job: Job<Payload>, handle: Handler<Payload>, options: HandlerOptions = {}): void {
    this.#requireKnown(job.name);
    if (this.#definitions.has(job.name)) throw new Error(`Job ${job.name} has two handlers`);
    this.#definitions.set(job.name, {
      handle: (payload, log) => handle(job.payload.parse(payload), log),
      options: { ...DEFAULTS, ...options },
    });
  }

  every<Payload>(job: Job<Payload>, seconds: number, payload: Payload): void {
    this.#requireKnown(job.name);
    this.#schedules.push({ name: job.name, seconds, payload: job.payload.parse(payload) });
  }

  async add<Payload>(
    job: Job<Payload>,
    payload: Payload,
    options: { delayMs?: number; jobId?: string } = {},
  ): Promise<void> {
    this.#requireKnown(job.name);
    const { attempts, backoffMs } = this.#definitions.get(job.name)?.options ?? DEFAULTS;
    const data = job.payload.parse(payload);
    const cause = activeTracing()?.current();
    await this.#prepare();
    const queue = await this.#queue(job.name);
    await queue.add(job.name, data, {
      ...keeping(attempts, backoffMs),
      ...(cause && { telemetry: { metadata: cause } }),
      delay: options.delayMs ?? 0,
      // We generate the id, because BullMQ would create a sequence per kind of job, for which the server's role lacks
      // the right.
      jobId: options.jobId ?? randomUUID(),
    });
  }

  prove(): void {
    const orphans = [...this.#jobs.keys()].filter((name) => !this.#definitions.has(name));
    if (orphans.length > 0) throw new Error(`Jobs without a handler: ${orphans.join(", ")}`);
  }

  start(): void {
    this.prove();
    this.#store.onBack(() => void Promise.all(this.#schedules.map((schedule) => this.#schedulePatiently(schedule))));
    this.#running = this.#retryUntilDone("prepare", () => this.#prepare()).then(() =>
      Promise.all([
        ...[...this.#definitions].map(([name, definition]) =>
          this.#retryUntilDone(name, () => this.#work(name, definition)),
        ),
        ...this.#schedules.map((schedule) => this.#schedulePatiently(schedule)),
      ]),
    );
  }

  async reachable(): Promise<boolean> {
    const answered = this.#store.ask().then(
      () => true,
      () => false,
    );
    return Promise.race([answered, delay(ANSWER_MS, false, { ref: false })]);
  }

  async readCounts(): Promise<JobCounts[]> {
    // Otherwise each call would queue another request per kind of job, and all of them would run once the store is
    // back.
    if (!(await this.reachable())) throw new Error("the queue's store does not answer");
    await this.#prepare();
    return Promise.all(
      [...this.#jobs.keys()].map(async (name) => {
        const queue = await this.#queue(name);
        const counts = await queue.getJobCounts("waiting", "prioritized", "active", "delayed", "failed");
        const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts;
        return { name, waiting: waiting + prioritized, active, delayed, failed };
      }),
    );
  }

  async waitingSince(name: string): Promise<Date | null> {
    const [oldest] = await (await this.#queue(name)).getWaiting(0, 0);
    return oldest ? new Date(oldest.timestamp) : null;
  }

  async lastFailure(name: string): Promise<{ reason: string; at: Date } | null> {
    const [newest] = await (await this.#queue(name)).getFailed(0, 0);
    return newest ? { reason: newest.failedReason, at: new Date(newest.finishedOn ?? newest.timestamp) } : null;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const open = [...this.#workers.values(), ...this.#queues.values()];
    await this.#bounded(Promise.all([...open.map((part) => part.close()), this.#running]));
    await this.#bounded(this.#store.close());
  }

  #requireKnown(name: string): void {
    if (!this.#jobs.has(name)) throw new Error(`Job ${name} is not in the registry`);
  }

  /** Must run before the first use, because BullMQ's queues cache permanently that their tables were missing. */
  async #prepare(): Promise<void> {
    this.#prepared ??= this.#store.prepare();
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = undefined;
      throw error;
    }
    await this.#store.requireReady();
  }

  /**
   * Returns the queue of a job. One whose first command to its store was lost would fail for ever, so it is created
   * again.
   * @throws Error while the store is unreachable
   */
  async #queue(name: string): Promise<BullQueue> {
    let queue = this.#queues.get(name);
    if (!queue) {
      queue = this.#store.queue(name);
      queue.on("error", (error) => this.#logError(name, error));
      this.#queues.set(name, queue);
    }
    try {
      await queue.waitUntilReady();
    } catch (error) {
      this.#forget(name, queue);
      throw error;
    }
    return queue;
  }

  #forget(name: string, queue: BullQueue): void {
    if (this.#queues.get(name) === queue) this.#queues.delete(name);
    queue.close().catch(() => undefined);
  }

  /** Resolves only when the queue is closed: a worker that fails is replaced by another. */
  async #work(name: string, { handle, options }: Definition): Promise<void> {
    const run = async (payload: unknown, { id, attempt, cause }: JobRun): Promise<void> => {
      const log = this.#log.child({ job: name, jobId: id, attempt });
      const origin = { cause };
      await runInSpan(
        `job ${name}`,
        { "innkey.job.id": id },
        () => measuredJob(name, () => handle(payload, log)),
        origin,
      );
      log.debug("job done");
    };
    const worker = this.#store.worker(name, run, {
      concurrency: options.concurrency,
      runRetryDelay: RETRY_MS,
    });
    this.#workers.set(name, worker);
    worker.on("error", (error) => this.#logError(name, error));
    worker.on("failed", (job, error) =>
      this.#log.warn({ job: name, jobId: job?.id, tries: job?.attemptsMade, err: error }, "job failed"),
    );
    try {
      await worker.run();
    } catch (error) {
      await worker.close(true);
      throw error;
    }
  }

  #schedulePatiently(schedule: Schedule): Promise<void> {
    return this.#retryUntilDone(schedule.name, () => this.#schedule(schedule));
  }

  async #schedule({ name, seconds, payload }: Schedule): Promise<void> {
    await this.#store.requireReady();
    const queue = await this.#queue(name);
    try {
      await queue.upsertJobScheduler(
        `every-${name}`,
        { every: seconds * 1000 },
        { name, data: payload, opts: keeping(1, RETRY_MS) },
      );
    } catch (error) {
      this.#forget(name, queue); // the queue has a separate connection for schedules, with the same problem
      throw error;
    }
  }

  /** Retries until it succeeds or the queue closes: an unreachable store is no reason for the server to stop. */
  async #retryUntilDone(what: string, act: () => Promise<unknown>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await act();
        return;
      } catch (error) {
        this.#logError(what, error);
        await delay(RETRY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
  }

  async #bounded(work: Promise<unknown>): Promise<void> {
    const late = delay(CLOSE_MS, "late" as const, { ref: false });
    const result = await Promise.race([work.catch((error) => this.#logError("close", error)), late]);
    if (result === "late") this.#log.warn("jobs did not finish in time; they run again after the next start");
  }

  /** Logs an unreachable store once per outage, other errors once per kind of job and pause. */
  #logError(what: string, error: unknown): void {
    if (error instanceof Error && LOST.test(`${(error as NodeJS.ErrnoException).code} ${error.message}`)) {
      this.#noteOutage(error);
      return;
    }
    // If a store lost its data, every kind of job in progress reports it, so we log it under one topic.
    const isForgotten = error instanceof Error && FORGOTTEN.test(error.message);
    const topic = isForgotten ? "forgotten" : what;
    const now = performance.now();
    if (this.#stop.signal.aborted || now < (this.#quietUntil.get(topic) ?? 0)) return;
    this.#quietUntil.set(topic, now + QUIET_MS);
    const message = isForgotten
      ? "the queue's store has forgotten jobs that were in work"
      : "the queue's store refuses; trying again";
    this.#log.warn({ job: what, err: error }, message);
  }

  /** Logs an outage once, because every kind of job has its own connections and all are lost at the same time. */
  #noteOutage({ message }: Error): void {
    if (this.#stop.signal.aborted || this.#disconnected) return;
    this.#disconnected = true;
    const logOutage = this.#store.reportsOutages ? this.#log.debug : this.#log.warn;
    logOutage.call(this.#log, { reason: message }, "the queue's store does not answer; trying again");
    void this.#untilBack().then(() => {
      this.#disconnected = false;
      if (!this.#stop.signal.aborted) logOutage.call(this.#log, {}, "the queue's store is back");
    });
  }

  async #untilBack(): Promise<void> {
    do await delay(RETRY_MS, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
    while (!this.#stop.signal.aborted && !(await this.reachable()));
  }
}

const keeping = (attempts: number, backoffMs: number) => ({
  attempts,
  backoff: { type: "exponential", delay: backoffMs },
  removeOnComplete: true,
  removeOnFail: MAX_FAILURES,
});
