import { SYSTEM_PARTS, type SystemPart, type Trouble } from "@innkey/shared/schemas/overview/system";
import { cached, inTime } from "../../../adapters/process/in-time.ts";
import { diskSpace, tryWriting } from "../../../adapters/storage/storage.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { BrokerState, Installation } from "./installation.ts";

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

/** A probe that takes longer counts as failed. */
const PROBE_MS = 2_000;
/** Parts are probed at most this often. */
const CACHE_MS = 5_000;
/** With less free space, the database and exports may soon fill the disk, which stops every write. */
const LITTLE_BYTES = 1024 ** 3;

/** Condition of this process: probes each part with a timeout, and remembers since when it fails. */
export class OwnParts {
  /** Set by the code that connects to locks. */
  broker: () => BrokerState | null = () => null;
  readonly troubles: () => Promise<Trouble[]>;
  readonly #place: Installation;
  readonly #clock: Clock;
  readonly #known = new Troubles();

  constructor(installation: Installation, clock: Clock) {
    this.#place = installation;
    this.#clock = clock;
    this.troubles = cached(CACHE_MS, () => this.#look());
  }

  async #look(): Promise<Trouble[]> {
    const { watch, queue, relay, dataDir, bucket } = this.#place;
    const [database, reachable, writable, roomy] = await Promise.all([
      works(watch.alive()),
      works(queue.reachable().then(expected)),
      works(bucket ? bucket.exists().then(expected) : tryWriting(dataDir)),
      works(diskSpace(dataDir).then(({ freeBytes }) => expected(freeBytes >= LITTLE_BYTES))),
    ]);
    const now = this.#clock.now();
    this.#known.note("database", database, now);
    this.#known.note("queue", reachable, now);
    this.#known.note("storage", writable, now);
    this.#known.note("disk", roomy, now);
    this.#known.note("liveEvents", relay.state().listening, now);
    this.#known.note("locks", this.broker()?.connected ?? true, now);
    return this.#known.list();
  }
}

function expected(well: boolean): void {
  if (!well) throw new Error("it answers, and is not well");
}

const works = (probe: Promise<unknown>): Promise<boolean> =>
  inTime(PROBE_MS, probe).then(
    () => true,
    () => false,
  );
