import { SYSTEM_PARTS, type SystemPart, type Trouble } from "@innkey/shared/schemas/overview/system";
import { cached, inTime } from "../../../adapters/process/in-time.ts";
import { diskSpace, tryWriting } from "../../../adapters/storage/storage.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { BrokerState, Installation } from "./installation.ts";

/** Records since when each part of one process has been faulty. */
export class Troubles {
  readonly #since = new Map<SystemPart, string>();

  record(part: SystemPart, isWorking: boolean, now: Date): void {
    if (isWorking) this.#since.delete(part);
    else if (!this.#since.has(part)) this.#since.set(part, now.toISOString());
  }

  list(): Trouble[] {
    return [...this.#since].map(([part, since]) => ({ part, since }));
  }
}

/** Merges the faults of several processes: each part once, with its earliest start, in the order of SYSTEM_PARTS. */
export function mergeTroubles(troubles: readonly Trouble[]): Trouble[] {
  return SYSTEM_PARTS.flatMap((part) => {
    const since = troubles.filter((trouble) => trouble.part === part).map((trouble) => trouble.since);
    const [first] = since.sort();
    return first === undefined ? [] : [{ part, since: first }];
  });
}

/** A probe that takes longer counts as failed. */
const PROBE_TIMEOUT_MS = 2_000;
/** Parts are probed at most this often. */
const CACHE_MS = 5_000;
/** With less free space, the database and exports may soon fill the disk, which stops every write. */
const MIN_FREE_BYTES = 1024 ** 3;

/** Condition of this process: probes each part with a timeout, and remembers since when it fails. */
export class OwnParts {
  /** Set by the code that connects to locks. */
  broker: () => BrokerState | null = () => null;
  readonly troubles: () => Promise<Trouble[]>;
  readonly #installation: Installation;
  readonly #clock: Clock;
  readonly #troubles = new Troubles();

  constructor(installation: Installation, clock: Clock) {
    this.#installation = installation;
    this.#clock = clock;
    this.troubles = cached(CACHE_MS, () => this.#probeAll());
  }

  async #probeAll(): Promise<Trouble[]> {
    const { watch, queue, relay, dataDir, bucket } = this.#installation;
    const [isDatabaseAlive, isQueueReachable, isStorageWritable, hasDiskSpace] = await Promise.all([
      succeeds(watch.alive()),
      succeeds(queue.reachable().then(requireTrue)),
      succeeds(bucket ? bucket.exists().then(requireTrue) : tryWriting(dataDir)),
      succeeds(diskSpace(dataDir).then(({ freeBytes }) => requireTrue(freeBytes >= MIN_FREE_BYTES))),
    ]);
    const now = this.#clock.now();
    this.#troubles.record("database", isDatabaseAlive, now);
    this.#troubles.record("queue", isQueueReachable, now);
    this.#troubles.record("storage", isStorageWritable, now);
    this.#troubles.record("disk", hasDiskSpace, now);
    this.#troubles.record("liveEvents", relay.state().listening, now);
    this.#troubles.record("locks", this.broker()?.connected ?? true, now);
    return this.#troubles.list();
  }
}

/** @throws Error */
function requireTrue(answer: boolean): void {
  if (!answer) throw new Error("the probe answered, but not as expected");
}

const succeeds = (probe: Promise<unknown>): Promise<boolean> =>
  inTime(PROBE_TIMEOUT_MS, probe).then(
    () => true,
    () => false,
  );
