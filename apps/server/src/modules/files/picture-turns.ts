import { tooManyAttempts } from "../../core/too-many-attempts.ts";

/** Pictures of one person that may wait; each takes well under a second. */
const MAX_WAITING = 8;
const RETRY_MS = 5_000;

type Job = () => Promise<void>;

/**
 * One picture at a time, so that a dozen uploads don't take the desk's memory; hotels in turn, and in a hotel its people in
 * turn, so that nobody waits for more than one picture of each other.
 */
export class PictureTurns {
  /** by hotel and person; whose turn is next stands first */
  readonly #waiting = new Map<number, Map<string, Job[]>>();
  #busy = false;

  /** @throws too_many_attempts for somebody of whom too many wait */
  run<T>(hotelId: number, person: string, work: () => Promise<T>): Promise<T> {
    const people = this.#waiting.get(hotelId) ?? new Map<string, Job[]>();
    const jobs = people.get(person) ?? [];
    if (jobs.length >= MAX_WAITING) return Promise.reject(tooManyAttempts(RETRY_MS));
    return new Promise<T>((resolve, reject) => {
      jobs.push(() => work().then(resolve, reject));
      people.set(person, jobs);
      this.#waiting.set(hotelId, people);
      void this.#go();
    });
  }

  async #go(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let job = this.#next(); job; job = this.#next()) await job();
    this.#busy = false;
  }

  #next(): Job | undefined {
    const [hotel] = this.#waiting;
    if (!hotel) return undefined;
    const [hotelId, people] = hotel;
    const [first] = people;
    if (!first) return undefined;
    const [person, jobs] = first;
    const job = jobs.shift();
    // To the end of the row, or out of it.
    people.delete(person);
    if (jobs.length > 0) people.set(person, jobs);
    this.#waiting.delete(hotelId);
    if (people.size > 0) this.#waiting.set(hotelId, people);
    return job;
  }
}
