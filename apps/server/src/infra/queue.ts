import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { z } from "zod";
import { measuredJob } from "./queue-measures.ts";
import { type BullQueue, type BullWorker, type JobRun, postgresStore, redisStore, type Store } from "./queue-store.ts";
import { activeTracing, traced } from "./tracing.ts";

/** A kind of job: its name and what travels with it. Producers and the one handler share this value. */
export interface Job<Payload> {
  /** lower case, dots between words; also the name of its BullMQ queue */
  name: string;
  payload: z.ZodType<Payload>;
}

export interface HandlerOptions {
  /** how many of this kind run at once in this process */
  concurrency?: number;
  /** tries before a job counts as failed */
  attempts?: number;
  /** pause before the second try; doubles each time */
  backoffMs?: number;
}

/** `log` names the job, its id and which attempt this is in every line. */
export type Handler<Payload> = (payload: Payload, log: Logger) => Promise<void>;

export interface JobQueue {
  /** @throws Error for a job that isn't in the registry, or has a handler already */
  define<Payload>(job: Job<Payload>, handle: Handler<Payload>, options?: HandlerOptions): void;
  /** Runs a job again and again; several servers share one schedule. Say it before `start`. */
  every<Payload>(job: Job<Payload>, seconds: number, payload: Payload): void;
  /**
   * Only once what the job is about is committed. A second job with the same `jobId` is dropped while the first waits.
   * @throws Error when the queue's store can't be reached
   */
  add<Payload>(job: Job<Payload>, payload: Payload, options?: { delayMs?: number; jobId?: string }): Promise<void>;
  /** @throws Error unless every job of the registry has a handler */
  prove(): void;
  /** Runs jobs and schedules here, once proven. Waits in the background for a store that is down. @throws as `prove` */
  start(): void;
  /** Whether the queue's store answers; false after 2 s without an answer. Never throws. */
  reachable(): Promise<boolean>;
  /** Lets running jobs finish, for a while. */
  close(): Promise<void>;
}

/** How many of one kind of job there are, by what they do. */
export interface JobCounts {
  name: string;
  waiting: number;
  active: number;
  /** for a time to come, schedules among them */
  delayed: number;
  /** of the last ones that were tried as often as they may be */
  failed: number;
}

/** What can be seen of a queue from outside. All may throw while the store is away. */
export interface QueueView {
  standings(): Promise<JobCounts[]>;
  /** since when the oldest waits that nothing has begun; null: none does */
  waitingSince(name: string): Promise<Date | null>;
  /** the newest of a kind that failed for good */
  lastFailure(name: string): Promise<{ reason: string; at: Date } | null>;
}

export interface JobQueueOptions {
  /** PostgreSQL, unless there is a Redis */
  databaseUrl: string;
  redisUrl: string | undefined;
  /** every kind of job there is; proven complete at start */
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
/** What is said when a connection can't be made or broke off, by the system, pg and ioredis. */
const LOST =
  /E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|Connection (is closed|terminated|ended)|does not answer|writeable|tim(eout|ed out)|max retries|LOADING|57P0/;

/** What BullMQ says when a job that it works on is gone from the store. */
const FORGOTTEN = /^Missing (key|lock) for job /;

/** Jobs on BullMQ: on PostgreSQL where nothing else is set, on Redis where there is one. */
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
  #away = false;
  #prepared: Promise<void> | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor({ jobs, log, redisUrl, databaseUrl }: JobQueueOptions) {
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
    if (this.#jobs.size !== jobs.length) throw new Error("Two jobs have the same name");
    // While the store is down each kind of job and each schedule waits for the end; more than these would be a leak.
    setMaxListeners(2 * jobs.length + 2, this.#stop.signal);
    this.#log = log;
    this.#store = redisUrl ? redisStore(redisUrl, log) : postgresStore(databaseUrl, jobs.length, log);
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
      // An id of our own: BullMQ would make a sequence for each kind of job, which the server's role may not.
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
    this.#running = this.#patiently("prepare", () => this.#prepare()).then(() =>
      Promise.all([
        ...[...this.#definitions].map(([name, definition]) =>
          this.#patiently(name, () => this.#work(name, definition)),
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

  async standings(): Promise<JobCounts[]> {
    // A store that is away would be asked once more for each kind and each look, and all of them when it is back.
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

  /** Before the first use: BullMQ's queues remember for good that their tables were missing. */
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

  /** One whose first word to its store was lost would fail for good: it is made anew. @throws Error while the store is away */
  async #queue(name: string): Promise<BullQueue> {
    let queue = this.#queues.get(name);
    if (!queue) {
      queue = this.#store.queue(name);
      queue.on("error", (error) => this.#complain(name, error));
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

  /** Resolves only when the queue is closed: a worker that gives up is followed by another. */
  async #work(name: string, { handle, options }: Definition): Promise<void> {
    const run = async (payload: unknown, { id, attempt, cause }: JobRun): Promise<void> => {
      const log = this.#log.child({ job: name, jobId: id, attempt });
      const origin = { cause };
      await traced(`job ${name}`, { "innkey.job.id": id }, () => measuredJob(name, () => handle(payload, log)), origin);
      log.debug("job done");
    };
    const worker = this.#store.worker(name, run, {
      concurrency: options.concurrency,
      runRetryDelay: RETRY_MS,
    });
    this.#workers.set(name, worker);
    worker.on("error", (error) => this.#complain(name, error));
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
    return this.#patiently(schedule.name, () => this.#schedule(schedule));
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
      this.#forget(name, queue); // it keeps a connection of its own for schedules, of which the same is true
      throw error;
    }
  }

  /** Until it works or the queue closes: a store that is down is no reason for the server to end. */
  async #patiently(what: string, act: () => Promise<unknown>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await act();
        return;
      } catch (error) {
        this.#complain(what, error);
        await delay(RETRY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
  }

  async #bounded(work: Promise<unknown>): Promise<void> {
    const late = delay(CLOSE_MS, "late" as const, { ref: false });
    const result = await Promise.race([work.catch((error) => this.#complain("close", error)), late]);
    if (result === "late") this.#log.warn("jobs did not finish in time; they run again after the next start");
  }

  /** Of a store that is away once in an outage, of anything else once per kind of job and pause. */
  #complain(what: string, error: unknown): void {
    if (error instanceof Error && LOST.test(`${(error as NodeJS.ErrnoException).code} ${error.message}`)) {
      this.#noteOutage(error);
      return;
    }
    // Of a store that lost its memory, every kind of job that was in work says so.
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

  /** Every kind of job has connections of its own, and all of them are lost at once. */
  #noteOutage({ message }: Error): void {
    if (this.#stop.signal.aborted || this.#away) return;
    this.#away = true;
    const logOutage = this.#store.tellsOutages ? this.#log.debug : this.#log.warn;
    logOutage.call(this.#log, { reason: message }, "the queue's store does not answer; trying again");
    void this.#untilBack().then(() => {
      this.#away = false;
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
