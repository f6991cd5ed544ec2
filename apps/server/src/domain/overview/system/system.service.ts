import type { Capability } from "@innkey/shared/capabilities";
import type { condition, SystemPart, SystemStatus } from "@innkey/shared/schemas/system";
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

/** What a desk can do nothing about, and a guest never feels: only who looks after the console is told. */
const KEEPERS: ReadonlySet<SystemPart> = new Set(["disk", "backup", "journal"]);
const KEEPER: Capability = "system.view";
const TIMEOUT_MS = 2_000;

/** An owner runs the installation while it has one hotel; where it has several, whom the command line named does. */
const RUNS = `SELECT (SELECT count(*) FROM hotel) = 1
    OR EXISTS (SELECT FROM operator o WHERE o.id = $2::int AND o.runs_installation) AS runs FROM hotel WHERE id = $1`;

async function runsInstallation(scope: Scope): Promise<boolean> {
  if (!scope.can(KEEPER)) return false;
  const rows = await inTime(TIMEOUT_MS, scope.sql.rows<{ runs: boolean }>(RUNS, scope.operatorId)).catch(() => []);
  return rows[0]?.runs ?? false;
}

/** The same without what all hotels share: hosts, queues, stores and what last failed there. */
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

/** How the console itself is. */
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

  /** How this process speaks with locks, once it does. */
  speaksWithLocks(state: () => BrokerState): void {
    this.#parts.broker = state;
  }

  /** What is not well now, for everybody who works with it. Never takes longer than a few seconds. */
  async condition(scope: Scope): Promise<z.infer<typeof condition>> {
    const [troubles, runs] = await Promise.all([this.#condition.troubles(), runsInstallation(scope)]);
    return { troubles: runs ? troubles : troubles.filter(({ part }) => !KEEPERS.has(part)) };
  }

  /**
   * How the console is, for owners: their hotel's locks, messages and webhooks, and what it all stands on for who runs the
   * installation. @throws no_permission
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

  /** What is measured, in the text format of Prometheus; who may read it is the door's to say. */
  metrics(): Promise<{ contentType: string; text: string }> {
    return this.#measures.read();
  }
}
