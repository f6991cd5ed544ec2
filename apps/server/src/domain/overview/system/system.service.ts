import type { Capability } from "@innkey/shared/capabilities";
import type { condition, SystemPart, SystemStatus } from "@innkey/shared/schemas/overview/system";
import type { z } from "zod";
import { inTime } from "../../../adapters/process/in-time.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { type CachedFacts, Condition } from "./condition.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { BrokerState, Installation } from "./installation.ts";
import { type Measures, systemMeasures } from "./measures.ts";
import { OwnParts } from "./own-parts.ts";
import { StatusReader } from "./status.ts";

export interface SystemDeps {
  installation: Installation;
  facts: CachedFacts;
  clock: Clock;
  log: Logger;
}

/** Faults that the desk can't fix and guests don't notice; only those who run the installation see them. */
const KEEPERS: ReadonlySet<SystemPart> = new Set(["disk", "backup", "journal"]);
const KEEPER: Capability = "system.view";
const TIMEOUT_MS = 2_000;

/** With one hotel, its owners run the installation; with several, only people named on the command line do. */
const RUNS = `SELECT (SELECT count(*) FROM hotel) = 1
    OR EXISTS (SELECT FROM operator o WHERE o.id = $2::int AND o.runs_installation) AS runs FROM hotel WHERE id = $1`;

async function runsInstallation(scope: Scope): Promise<boolean> {
  if (!scope.can(KEEPER)) return false;
  const rows = await inTime(TIMEOUT_MS, scope.sql.rows<{ runs: boolean }>(RUNS, scope.operatorId)).catch(() => []);
  return rows[0]?.runs ?? false;
}

/** Removes what all hotels share: hosts, queues, storage and their last errors. */
function hotelView(status: SystemStatus): SystemStatus {
  return {
    ...status,
    ...{ processes: null, database: null, storage: null, disk: null, certificate: null, journal: null },
    troubles: status.troubles.filter(({ part }) => !KEEPERS.has(part)),
    version: { version: status.version.version, build: "" },
    queue: { store: status.queue.store, jobs: null, depth: [] },
    backup: { everyHours: 0, last: null },
  };
}

/** Status of the console itself. */
export class System {
  readonly heartbeat: Heartbeat;
  readonly #parts: OwnParts;
  readonly #condition: Condition;
  readonly #status: StatusReader;
  readonly #measures: Measures;

  constructor({ installation, facts, clock, log }: SystemDeps) {
    this.#parts = new OwnParts(installation, clock);
    this.#condition = new Condition(installation, this.#parts, facts, clock);
    this.#status = new StatusReader(installation, facts);
    this.#measures = systemMeasures(installation, facts);
    this.heartbeat = new Heartbeat(installation, this.#parts, clock, log);
  }

  /** Provides the state of this process's broker connection, once there is one. */
  speaksWithLocks(state: () => BrokerState): void {
    this.#parts.broker = state;
  }

  /** Returns the current faults, for everyone who works with the console. Takes a few seconds at most. */
  async condition(scope: Scope): Promise<z.infer<typeof condition>> {
    const [troubles, runs] = await Promise.all([this.#condition.troubles(), runsInstallation(scope)]);
    return { troubles: runs ? troubles : troubles.filter(({ part }) => !KEEPERS.has(part)) };
  }

  /**
   * Returns the status of the console for owners: their hotel's locks, messages and webhooks, and for those who run the
   * installation also what all hotels share. @throws no_permission
   */
  async status(scope: Scope): Promise<SystemStatus> {
    scope.require(KEEPER);
    const [troubles, runs, parts] = await Promise.all([
      this.#condition.troubles(),
      runsInstallation(scope),
      this.#status.read(scope),
    ]);
    const status = { at: scope.now().toISOString(), troubles, installation: runs, ...parts };
    return runs ? status : hotelView(status);
  }

  /** Returns the metrics in the text format of Prometheus; the caller checks who may read them. */
  metrics(): Promise<{ contentType: string; text: string }> {
    return this.#measures.read();
  }
}
