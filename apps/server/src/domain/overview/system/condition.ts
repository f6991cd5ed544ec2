import type { Trouble } from "@innkey/shared/schemas/overview/system";
import { cached, inTime } from "../../../adapters/process/in-time.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { LastBackup } from "../../compliance/public.ts";
import { listProcesses, type ProcessRecord } from "./heartbeat.ts";
import type { Installation } from "./installation.ts";
import { joined, type OwnParts, Troubles } from "./own-parts.ts";

/** Facts that other parts store: the status of backups and the last check of the audit chains. */
export interface CachedFacts {
  lastBackup(): Promise<LastBackup | null>;
  lastAuditCheck(): Promise<{ checkedAt: Date; whole: boolean } | null>;
}

const CACHE_MS = 5_000;
const LOOK_MS = 2_000;
/** A backup may be late by one interval, so it is overdue after two. */
const LATE = 2;
const HOUR_MS = 3_600_000;

/** Condition of the whole console: what this process sees, and what other processes reported in their heartbeats. */
export class Condition {
  readonly troubles: () => Promise<Trouble[]>;
  readonly #place: Installation;
  readonly #parts: OwnParts;
  readonly #facts: CachedFacts;
  readonly #clock: Clock;
  readonly #known = new Troubles();
  readonly #startedAt: Date;

  constructor(installation: Installation, parts: OwnParts, facts: CachedFacts, clock: Clock) {
    this.#place = installation;
    this.#parts = parts;
    this.#facts = facts;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.troubles = cached(CACHE_MS, () => this.#look());
  }

  async #look(): Promise<Trouble[]> {
    const [own, processes, backup, audit] = await Promise.all([
      this.#parts.troubles(),
      inTime(LOOK_MS, listProcesses(this.#place.watch)).catch(() => null),
      inTime(LOOK_MS, this.#facts.lastBackup()).catch(() => undefined),
      inTime(LOOK_MS, this.#facts.lastAuditCheck()).catch(() => undefined),
    ]);
    const now = this.#clock.now();
    // If these can't be read, we draw no conclusion, because the database's own fault is reported.
    if (processes) this.#known.note("workers", this.#isWorkedFor(processes), now);
    if (backup !== undefined) this.#known.note("backup", this.#isBackedUp(backup, now), now);
    if (audit !== undefined) this.#known.note("journal", audit?.whole ?? true, now);
    const others = (processes ?? [])
      .filter(({ alive, id }) => alive && id !== this.#place.id)
      .flatMap(({ troubles }) => troubles);
    return joined([...own, ...others, ...this.#known.list()]);
  }

  #isWorkedFor(processes: readonly ProcessRecord[]): boolean {
    return this.#place.role !== "web" || processes.some(({ alive, role }) => alive && role !== "web");
  }

  /** A console that has just started is not expected to have a backup yet. */
  #isBackedUp(last: LastBackup | null, now: Date): boolean {
    const { backupEveryHours } = this.#place;
    if (last?.error != null) return false;
    if (backupEveryHours === 0) return true;
    const since = last?.at ?? this.#startedAt;
    return now.getTime() - since.getTime() <= LATE * backupEveryHours * HOUR_MS;
  }
}
