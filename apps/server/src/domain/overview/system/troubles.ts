import { SYSTEM_PARTS, type SystemPart, type Trouble } from "@innkey/shared/schemas/system";

/** Remembers since when each part of one process has been faulty. */
export class Troubles {
  readonly #since = new Map<SystemPart, string>();

  note(part: SystemPart, well: boolean, now: Date): void {
    if (well) this.#since.delete(part);
    else if (!this.#since.has(part)) this.#since.set(part, now.toISOString());
  }

  list(): Trouble[] {
    return [...this.#since].map(([part, since]) => ({ part, since }));
  }
}

/** Merges the faults of several processes: each part once, with its earliest start, in the order of SYSTEM_PARTS. */
export function joined(troubles: readonly Trouble[]): Trouble[] {
  return SYSTEM_PARTS.flatMap((part) => {
    const since = troubles.filter((trouble) => trouble.part === part).map((trouble) => trouble.since);
    const [first] = since.sort();
    return first === undefined ? [] : [{ part, since: first }];
  });
}
