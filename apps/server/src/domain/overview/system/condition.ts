import { HOUR_MS } from "@innkey/shared/durations";
import type { Trouble } from "@innkey/shared/schemas/overview/system";
import { cached, inTime } from "../../../adapters/process/in-time.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { LastBackup } from "../../compliance/public.ts";
import { listProcesses, type ProcessRecord } from "./heartbeat.ts";
import type { Installation } from "./installation.ts";
import { mergeTroubles, type OwnParts, Troubles } from "./own-parts.ts";

/** Reads of results that other domains store: the status of backups and the last check of the audit chains. */
export interface StoredResults {
  lastBackup(): Promise<LastBackup | null>;
  lastAuditCheck(): Promise<{ checkedAt: Date; whole: boolean } | null>;
}

const CACHE_MS = 5_000;
const READ_TIMEOUT_MS = 2_000;
/** A backup may be late by one interval, so it is overdue after two. */
const MAX_INTERVALS = 2;

/** Condition of the whole console: the faults that this process finds, and those in the heartbeats of the others. */
export class Condition {
  readonly troubles: () => Promise<Trouble[]>;
  readonly #installation: Installation;
  readonly #parts: OwnParts;
  readonly #results: StoredResults;
  readonly #clock: Clock;
  readonly #troubles = new Troubles();
  readonly #startedAt: Date;

  constructor(installation: Installation, parts: OwnParts, results: StoredResults, clock: Clock) {
    this.#installation = installation;
    this.#parts = parts;
    this.#results = results;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.troubles = cached(CACHE_MS, () => this.#readTroubles());
  }

  async #readTroubles(): Promise<Trouble[]> {
    const [own, processes, backup, audit] = await Promise.all([
      this.#parts.troubles(),
      inTime(READ_TIMEOUT_MS, listProcesses(this.#installation.watch)).catch(() => null),
      inTime(READ_TIMEOUT_MS, this.#results.lastBackup()).catch(() => undefined),
      inTime(READ_TIMEOUT_MS, this.#results.lastAuditCheck()).catch(() => undefined),
    ]);
    const now = this.#clock.now();
    // If these can't be read, their last state stays, because the fault of the database itself is reported.
    if (processes) this.#troubles.record("workers", this.#hasWorker(processes), now);
    if (backup !== undefined) this.#troubles.record("backup", this.#isBackedUp(backup, now), now);
    if (audit !== undefined) this.#troubles.record("journal", audit?.whole ?? true, now);
    const others = (processes ?? [])
      .filter(({ alive, id }) => alive && id !== this.#installation.id)
      .flatMap(({ troubles }) => troubles);
    return mergeTroubles([...own, ...others, ...this.#troubles.list()]);
  }

  #hasWorker(processes: readonly ProcessRecord[]): boolean {
    return this.#installation.role !== "web" || processes.some(({ alive, role }) => alive && role !== "web");
  }

  /** A console that has just started is not expected to have a backup yet. */
  #isBackedUp(last: LastBackup | null, now: Date): boolean {
    const { backupEveryHours } = this.#installation;
    if (last?.error != null) return false;
    if (backupEveryHours === 0) return true;
    const since = last?.at ?? this.#startedAt;
    return now.getTime() - since.getTime() <= MAX_INTERVALS * backupEveryHours * HOUR_MS;
  }
}
