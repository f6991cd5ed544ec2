import type { Capability } from "@innkey/shared/capabilities";
import type { condition, SystemPart, SystemStatus } from "@innkey/shared/schemas/system";
import type { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Scope } from "../../core/scope.ts";
import type { Logger } from "../../infra/logger.ts";
import { Condition, type KeptFacts } from "./condition.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { BrokerState, Installation } from "./installation.ts";
import { type Measures, systemMeasures } from "./measures.ts";
import { OwnParts } from "./own-parts.ts";
import { StatusReader } from "./status.ts";

export interface SystemNeeds {
  installation: Installation;
  facts: KeptFacts;
  clock: Clock;
  log: Logger;
}

/** What a desk can do nothing about, and a guest never feels: only who looks after the console is told. */
const KEEPERS: ReadonlySet<SystemPart> = new Set(["disk", "backup", "journal"]);
const KEEPER: Capability = "system.view";

/** How the console itself is. */
export class System {
  readonly heartbeat: Heartbeat;
  readonly #parts: OwnParts;
  readonly #condition: Condition;
  readonly #status: StatusReader;
  readonly #measures: Measures;

  constructor({ installation, facts, clock, log }: SystemNeeds) {
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
    const troubles = await this.#condition.troubles();
    return { troubles: scope.can(KEEPER) ? troubles : troubles.filter(({ part }) => !KEEPERS.has(part)) };
  }

  /** Everything about the console, for its owner. Locks, messages and webhooks are those of the hotel. @throws no_permission */
  async status(scope: Scope): Promise<SystemStatus> {
    scope.require(KEEPER);
    const [troubles, parts] = await Promise.all([this.#condition.troubles(), this.#status.read(scope)]);
    return { at: scope.now().toISOString(), troubles, ...parts };
  }

  /** What is measured, in the text format of Prometheus; who may read it is the door's to say. */
  metrics(): Promise<{ contentType: string; text: string }> {
    return this.#measures.read();
  }
}
