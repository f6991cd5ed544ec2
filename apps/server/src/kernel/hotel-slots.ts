import { DomainError } from "@innkey/shared/errors";
import { tooManyAttempts } from "./errors.ts";

/** Queue limit per hotel; further calls fail with `unavailable`. */
const MAX_WAITING = 1_000;
/** The same limit as for a connection (adapters/postgres/client.ts). */
const MAX_WAIT_MS = 20_000;

/** Lets a limited number of jobs run at a time; the others wait in order of arrival. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** @throws unavailable if too many jobs wait, or if this one waited too long */
  async run<T>(job: () => Promise<T>): Promise<T> {
    const release = await this.take();
    try {
      return await job();
    } finally {
      release();
    }
  }

  /** Waits for a slot and returns the function that frees it. @throws as `run` */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#waitForSlot();
    return () => {
      const [next] = this.#waiting;
      if (next) next();
      else this.#free += 1;
    };
  }

  #waitForSlot(): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new DomainError("unavailable"));
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(new DomainError("unavailable"));
      }, MAX_WAIT_MS);
      this.#waiting.add(begin);
    });
  }
}

/**
 * Shares of the connection pool that one hotel may use at a time, so that a hotel with many requests, or whose writes
 * wait for each other, leaves connections to the others. They are separate, so that a write may read outside its
 * transaction, and reads may be made while a cursor is open.
 */
export class HotelSlots {
  readonly writes: Slots;
  readonly reads: Slots;
  /** For reads that occupy their connection for long */
  readonly cursors: Slots;

  constructor(poolSize: number) {
    const share = (part: number): Slots => new Slots(Math.max(1, Math.floor(poolSize * part)));
    this.writes = share(1 / 2);
    this.reads = share(1 / 2);
    this.cursors = share(1 / 4);
  }
}

/** Jobs of one person that may wait; most take well under a second. */
const MAX_JOBS_OF_PERSON = 8;
const RETRY_MS = 5_000;

type Job = () => Promise<void>;

/**
 * Runs one expensive job at a time, to limit memory. Hotels take turns, and so do the people within a hotel, so that
 * each waits for at most one job of every other.
 */
export class HotelTurns {
  /** Waiting jobs by hotel and person; the next one is first. */
  readonly #waiting = new Map<number, Map<string, Job[]>>();
  #isRunning = false;

  /** @throws too_many_attempts if too many jobs of this person are waiting */
  run<T>(hotelId: number, person: string, work: () => Promise<T>): Promise<T> {
    const people = this.#waiting.get(hotelId) ?? new Map<string, Job[]>();
    const jobs = people.get(person) ?? [];
    if (jobs.length >= MAX_JOBS_OF_PERSON) return Promise.reject(tooManyAttempts(RETRY_MS));
    return new Promise<T>((resolve, reject) => {
      jobs.push(() => work().then(resolve, reject));
      people.set(person, jobs);
      this.#waiting.set(hotelId, people);
      void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let job = this.#takeNext(); job; job = this.#takeNext()) await job();
    this.#isRunning = false;
  }

  #takeNext(): Job | undefined {
    const [hotel] = this.#waiting;
    if (!hotel) return undefined;
    const [hotelId, people] = hotel;
    const [first] = people;
    if (!first) return undefined;
    const [person, jobs] = first;
    const job = jobs.shift();
    // Moves the entry to the end of the queue, or removes it if it is empty.
    people.delete(person);
    if (jobs.length > 0) people.set(person, jobs);
    this.#waiting.delete(hotelId);
    if (people.size > 0) this.#waiting.set(hotelId, people);
    return job;
  }
}
