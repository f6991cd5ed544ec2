import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";
import { ask } from "./asking.ts";
import { percentile } from "./measures.ts";
import type { Server } from "./server.ts";

const LOOK_MS = 1_000;
const PING_MS = 100;

/** Memory in MB, with averages over the first and the last third of the measured time. */
export interface Trend {
  firstThirdMb: number;
  lastThirdMb: number;
  mostMb: number;
  /** slope of the least squares fit over the measured time */
  megabytesPerMinute: number;
}

export interface Memory {
  /**
   * Resident memory of the process. V8 delays collections while the machine has memory left, so this goes up and down.
   */
  resident: Trend;
  /** Live heap after full collections, which is what a leak increases. null for fewer than three collections. */
  live: Trend | null;
}

interface Sample {
  atMs: number;
  megabytes: number;
}

export interface WatchReport {
  memory: Record<string, Memory>;
  /** latency of GET /healthz, which does no work and so shows the event loop's delay */
  idleAnswer: { p50Ms: number; p99Ms: number; mostMs: number };
  mostConnections: number;
}

/** Samples the servers every second while they work. */
export class Watch {
  readonly #servers: Readonly<Record<string, Server>>;
  readonly #samples = new Map<string, Sample[]>();
  readonly #pings: number[] = [];
  #mostConnections = 0;
  #from = 0;
  readonly #timers: NodeJS.Timeout[];

  constructor(servers: Record<string, Server>, url: string, database: Database) {
    this.#servers = servers;
    const look = async (): Promise<void> => {
      for (const [name, server] of Object.entries(servers)) {
        const samples = this.#samples.get(name) ?? [];
        samples.push({ atMs: performance.now(), megabytes: await server.memory() });
        this.#samples.set(name, samples);
      }
      const { rows } = await database.pool.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name LIKE 'innkey%' AND pid <> pg_backend_pid()",
      );
      this.#mostConnections = Math.max(this.#mostConnections, rows[0]?.n ?? 0);
    };
    const ping = async (): Promise<void> => {
      const sent = performance.now();
      await ask(`${url}/healthz`);
      this.#pings.push(performance.now() - sent);
    };
    this.#timers = [
      setInterval(() => void look().catch(() => undefined), LOOK_MS),
      setInterval(() => void ping().catch(() => this.#pings.push(Number.POSITIVE_INFINITY)), PING_MS),
    ];
  }

  /** Discards the samples of the warm-up. */
  begin(): void {
    this.#from = performance.now();
    this.#pings.length = 0;
  }

  end(): WatchReport {
    for (const timer of this.#timers) clearInterval(timer);
    const pings = this.#pings.toSorted((a, b) => a - b);
    const measured = (samples: readonly Sample[]): Sample[] =>
      samples.filter(({ atMs, megabytes }) => atMs >= this.#from && megabytes > 0);
    const memory = Object.entries(this.#servers).map(([name, server]): [string, Memory] => {
      const live = measured(server.live);
      const resident = trendOf(measured(this.#samples.get(name) ?? []));
      return [name, { resident, live: live.length < 3 ? null : trendOf(live) }];
    });
    return {
      memory: Object.fromEntries(memory),
      idleAnswer: { p50Ms: percentile(pings, 0.5), p99Ms: percentile(pings, 0.99), mostMs: pings.at(-1) ?? 0 },
      mostConnections: this.#mostConnections,
    };
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Samples come at irregular times, so the thirds divide the time between the first and the last sample and are never
 * empty.
 */
function trendOf(samples: readonly Sample[]): Trend {
  const times = samples.map(({ atMs }) => atMs);
  const [begin, end] = [Math.min(...times), Math.max(...times)];
  const third = (end - begin) / 3;
  const meanOf = (samples: readonly Sample[]): number => mean(samples.map(({ megabytes }) => megabytes));
  const meanAt = mean(times);
  const meanSize = meanOf(samples);
  const spread = samples.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0);
  const together = samples.reduce((sum, { atMs, megabytes }) => sum + (atMs - meanAt) * (megabytes - meanSize), 0);
  return {
    firstThirdMb: meanOf(samples.filter(({ atMs }) => atMs <= begin + third)),
    lastThirdMb: meanOf(samples.filter(({ atMs }) => atMs >= end - third)),
    mostMb: Math.max(...samples.map(({ megabytes }) => megabytes)),
    megabytesPerMinute: spread === 0 ? 0 : (together / spread) * 60_000,
  };
}
