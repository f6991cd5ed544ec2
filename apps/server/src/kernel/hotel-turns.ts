import { tooManyAttempts } from "./errors.ts";

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
