import type { Database } from "../../apps/server/src/infra/database/client.ts";
import { ask } from "./asking.ts";
import { MOST_GROWTH } from "./busiest-hour.ts";
import { percentile } from "./measures.ts";
import type { Server } from "./server.ts";

const LOOK_MS = 1_000;
const PING_MS = 100;

export interface MemoryTrend {
  firstThirdMb: number;
  lastThirdMb: number;
  mostMb: number;
  /** least squares over the measured time */
  megabytesPerMinute: number;
  flat: boolean;
}

export interface WatchReport {
  memory: Record<string, MemoryTrend>;
  /** of GET /healthz, which does nothing: what the event loop adds to everything */
  idleAnswer: { p50Ms: number; p99Ms: number; mostMs: number };
  mostConnections: number;
}

/** Looks at the servers every second while they work. */
export class Watch {
  readonly #samples = new Map<string, { atMs: number; megabytes: number }[]>();
  readonly #pings: number[] = [];
  #mostConnections = 0;
  #from = 0;
  readonly #timers: NodeJS.Timeout[];

  constructor(servers: Record<string, Server>, url: string, database: Database) {
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

  /** What was seen so far was warming up. */
  begin(): void {
    this.#from = performance.now();
    this.#pings.length = 0;
  }

  end(): WatchReport {
    for (const timer of this.#timers) clearInterval(timer);
    const pings = this.#pings.toSorted((a, b) => a - b);
    const measured = [...this.#samples].map(([name, samples]) => {
      const kept = samples.filter(({ atMs, megabytes }) => atMs >= this.#from && megabytes > 0);
      return [name, trendOf(kept)] as const;
    });
    return {
      memory: Object.fromEntries(measured),
      idleAnswer: { p50Ms: percentile(pings, 0.5), p99Ms: percentile(pings, 0.99), mostMs: pings.at(-1) ?? 0 },
      mostConnections: this.#mostConnections,
    };
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function trendOf(samples: readonly { atMs: number; megabytes: number }[]): MemoryTrend {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const sizes = samples.map(({ megabytes }) => megabytes);
  const firstThirdMb = mean(sizes.slice(0, third));
  const lastThirdMb = mean(sizes.slice(-third));
  const meanAt = mean(samples.map(({ atMs }) => atMs));
  const meanSize = mean(sizes);
  const spread = samples.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0);
  const together = samples.reduce((sum, { atMs, megabytes }) => sum + (atMs - meanAt) * (megabytes - meanSize), 0);
  return {
    firstThirdMb,
    lastThirdMb,
    mostMb: Math.max(...sizes),
    megabytesPerMinute: spread === 0 ? 0 : (together / spread) * 60_000,
    flat: lastThirdMb <= firstThirdMb * (1 + MOST_GROWTH.share) + MOST_GROWTH.megabytes,
  };
}
