import type { Capability } from "@innkey/shared/capabilities";
import type { condition, SystemPart, SystemStatus } from "@innkey/shared/schemas/overview/system";
import type { z } from "zod";
import { cached, inTime } from "../../../adapters/process/in-time.ts";
import type { JobCounts } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import {
  counter,
  gauge,
  measureNode,
  processMetrics,
  Registry,
  readGauge,
} from "../../../adapters/telemetry/metrics.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { Condition, type StoredResults } from "./condition.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { BrokerState, Installation } from "./installation.ts";
import { OwnParts } from "./own-parts.ts";
import { StatusReader } from "./status.ts";

interface Metrics {
  /** In the text format of Prometheus. */
  read(): Promise<{ contentType: string; text: string }>;
}

/** The database and the queue are queried at most this often, however often metrics are scraped. */
const CACHE_MS = 5_000;
/** Values that take longer to read are left out. */
const READ_TIMEOUT_MS = 2_000;

const LOCKS = `
  SELECT count(*)::int AS registered, (count(*) FILTER (WHERE online))::int AS online,
    (SELECT count(*)::int FROM lock_command WHERE state IN ('queued', 'sent')) AS waiting
  FROM lock WHERE deleted_at IS NULL`;

const relayGaps = counter({
  name: "live_events_gaps_total",
  help: "Gaps in the change feed",
});
const build = gauge({
  name: "build_info",
  help: "Always 1; the labels are the version, build and role",
  labels: ["version", "build", "role"],
});

/** Collects the metrics of this process, and values read from the database and the queue. */
function createSystemMetrics(installation: Installation, results: StoredResults): Metrics {
  const readOnScrape = new Registry();
  const cachedRead = <T>(read: () => Promise<T>): (() => Promise<T | null>) => {
    const bounded = cached(CACHE_MS, () => inTime(READ_TIMEOUT_MS, read()));
    return () => bounded().catch(() => null);
  };
  measureNode();
  build.set({ version: installation.version, build: installation.build, role: installation.role }, 1);
  installation.relay.subscribe({ onMessage: () => {}, onGap: () => relayGaps.inc() });

  readGauge(
    readOnScrape,
    { name: "pg_pool_connections", help: "Connections of this process's pool", labels: ["state"] },
    (pool) => {
      const { totalCount, idleCount } = installation.pool;
      pool.set({ state: "idle" }, idleCount);
      pool.set({ state: "busy" }, totalCount - idleCount);
    },
  );
  readGauge(
    readOnScrape,
    { name: "pg_pool_waiting", help: "Requests that wait for a connection of the pool" },
    (pool) => pool.set(installation.pool.waitingCount),
  );
  readGauge(
    readOnScrape,
    { name: "live_events_listening", help: "1 while the change feed is connected", labels: ["via"] },
    (listening) => {
      const state = installation.relay.state();
      listening.reset();
      listening.set({ via: state.via }, state.listening ? 1 : 0);
    },
  );

  const locks = cachedRead(async () => {
    const [row] = await installation.watch.rows<{ registered: number; online: number; waiting: number }>(LOCKS);
    return row;
  });
  readGauge(readOnScrape, { name: "locks", help: "Locks of all hotels", labels: ["state"] }, async (count) => {
    const row = await locks();
    count.reset();
    if (!row) return;
    count.set({ state: "registered" }, row.registered);
    count.set({ state: "online" }, row.online);
  });
  readGauge(
    readOnScrape,
    { name: "lock_commands_waiting", help: "Commands that no lock has confirmed yet" },
    async (count) => {
      const row = await locks();
      if (row) count.set(row.waiting);
      else count.remove();
    },
  );

  const readJobCounts = cachedRead(() => installation.queue.readCounts());
  readGauge(readOnScrape, { name: "jobs", help: "Jobs in the queue", labels: ["job", "state"] }, async (count) => {
    const rows = await readJobCounts();
    count.reset();
    for (const { name: job, ...jobCounts } of rows ?? []) {
      for (const state of STATES) count.set({ job, state }, jobCounts[state]);
    }
  });
  readGauge(readOnScrape, { name: "queue_up", help: "1 while the queue's store answers" }, async (up) =>
    up.set((await readJobCounts()) ? 1 : 0),
  );

  const backup = cachedRead(() => results.lastBackup());
  readGauge(
    readOnScrape,
    { name: "last_backup_timestamp_seconds", help: "When the last good backup was started; 0 without one" },
    async (last) => last.set(Math.round(((await backup())?.at?.getTime() ?? 0) / 1000)),
  );

  const all = Registry.merge([processMetrics, readOnScrape]);
  return { read: async () => ({ contentType: all.contentType, text: await all.metrics() }) };
}

const STATES = ["waiting", "active", "delayed", "failed"] as const satisfies readonly (keyof JobCounts)[];

interface SystemDeps {
  installation: Installation;
  results: StoredResults;
  clock: Clock;
  log: Logger;
}

/** Faults that staff can't fix and guests don't notice; only those who run the installation see them. */
const INSTALLATION_PARTS: ReadonlySet<SystemPart> = new Set(["disk", "backup", "journal"]);
const VIEW_STATUS: Capability = "system.view";
const TIMEOUT_MS = 2_000;

/** With one hotel, its owners run the installation; with several, only people named on the command line do. */
const RUNS = `SELECT (SELECT count(*) FROM hotel) = 1
    OR EXISTS (SELECT FROM operator o WHERE o.id = $2::int AND o.runs_installation) AS runs FROM hotel WHERE id = $1`;

async function runsInstallation(scope: Scope): Promise<boolean> {
  if (!scope.can(VIEW_STATUS)) return false;
  const rows = await inTime(TIMEOUT_MS, scope.sql.rows<{ runs: boolean }>(RUNS, scope.operatorId)).catch(() => []);
  return rows[0]?.runs ?? false;
}

/** Removes what all hotels share: hosts, queues, storage and their last errors. */
function hotelView(status: SystemStatus): SystemStatus {
  return {
    ...status,
    ...{ processes: null, database: null, storage: null, disk: null, certificate: null, journal: null },
    troubles: status.troubles.filter(({ part }) => !INSTALLATION_PARTS.has(part)),
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
  readonly #metrics: Metrics;

  constructor({ installation, results, clock, log }: SystemDeps) {
    this.#parts = new OwnParts(installation, clock);
    this.#condition = new Condition(installation, this.#parts, results, clock);
    this.#status = new StatusReader(installation, results);
    this.#metrics = createSystemMetrics(installation, results);
    this.heartbeat = new Heartbeat(installation, this.#parts, clock, log);
  }

  /** Provides the state of this process's broker connection, once there is one. */
  setBrokerState(state: () => BrokerState): void {
    this.#parts.broker = state;
  }

  /** Returns the current faults, for everyone who works with the console. Takes a few seconds at most. */
  async condition(scope: Scope): Promise<z.infer<typeof condition>> {
    const [troubles, runs] = await Promise.all([this.#condition.troubles(), runsInstallation(scope)]);
    return { troubles: runs ? troubles : troubles.filter(({ part }) => !INSTALLATION_PARTS.has(part)) };
  }

  /**
   * Returns the status of the console for owners: their hotel's locks, messages and webhooks, and for those who run the
   * installation also what all hotels share. @throws no_permission
   */
  async status(scope: Scope): Promise<SystemStatus> {
    scope.require(VIEW_STATUS);
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
    return this.#metrics.read();
  }
}
