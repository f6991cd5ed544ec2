import { hostname } from "node:os";
import { encryptedBroker } from "@innkey/shared/schemas/access/locks";
import { type ProcessStatus, type Trouble, trouble } from "@innkey/shared/schemas/overview/system";
import { z } from "zod";
import type { Watch } from "../../../adapters/postgres/watch.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { BrokerState, Installation } from "./installation.ts";
import type { OwnParts } from "./own-parts.ts";

const INTERVAL_MS = 10_000;
/** Queue depths of the last ten minutes. */
const MAX_DEPTHS = 60;
/** Age after which the heartbeat of a process that ended without removing it is deleted. */
const MAX_AGE = "1 hour";

/** A shorter time without any process is a restart, which nobody bridges with paper. */
const MIN_OUTAGE = "10 minutes";

/** What a process reports about itself to the others. */
export const heartbeatParts = z.object({
  troubles: z.array(trouble).catch([]),
  broker: z
    .object({
      kind: z.enum(["embedded", "external"]),
      connected: z.boolean(),
      /** the embedded broker's encrypted address, which processes without a broker show too */
      encrypted: encryptedBroker.optional(),
    })
    .nullable(),
  depth: z.array(z.int()),
  memoryBytes: z.number(),
  node: z.string(),
});

const UPSERT = `
  WITH deleted AS (DELETE FROM process_heartbeat WHERE seen_at < now() - interval '${MAX_AGE}' AND id <> $1::uuid),
  pulse AS (
    INSERT INTO server_pulse AS p (id, seen_at) VALUES (1, now())
    ON CONFLICT (id) DO UPDATE SET seen_at = now(),
      off_from = CASE WHEN p.seen_at < now() - interval '${MIN_OUTAGE}' THEN p.seen_at ELSE p.off_from END,
      off_until = CASE WHEN p.seen_at < now() - interval '${MIN_OUTAGE}' THEN now() ELSE p.off_until END
  )
  INSERT INTO process_heartbeat (id, role, host, version, started_at, seen_at, parts)
  VALUES ($1::uuid, $2, $3, $4, $5::timestamptz, now(), $6::jsonb)
  ON CONFLICT (id) DO UPDATE SET seen_at = now(), parts = excluded.parts`;

/**
 * Writes to the database, for the other processes, that this one is alive, and its condition. The first beat after all
 * processes were off records the outage.
 */
export class Heartbeat {
  readonly #startedAt: Date;
  readonly #installation: Installation;
  readonly #parts: OwnParts;
  readonly #log: Logger;
  readonly #depth: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(installation: Installation, parts: OwnParts, clock: Clock, log: Logger) {
    this.#installation = installation;
    this.#parts = parts;
    this.#log = log;
    this.#startedAt = clock.now();
  }

  async start(): Promise<void> {
    await this.beat();
    this.#timer = setInterval(() => {
      this.#lastWrite = this.beat();
    }, INTERVAL_MS).unref();
  }

  /** Writes one heartbeat. @throws never, because other processes notice an unavailable database too */
  async beat(): Promise<void> {
    const { watch, id, role, version } = this.#installation;
    try {
      const troubles = await this.#parts.troubles();
      await this.#sampleDepth();
      const parts: z.infer<typeof heartbeatParts> = {
        troubles,
        broker: this.#parts.broker(),
        depth: this.#depth,
        memoryBytes: process.memoryUsage.rss(),
        node: process.version,
      };
      await watch.rows(UPSERT, [id, role, hostname(), version, this.#startedAt, JSON.stringify(parts)]);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn({ err: error }, "the heartbeat of this process can't be written");
      this.#isFailing = true;
    }
  }

  /** Deletes the heartbeat, so that this process isn't expected any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#lastWrite;
    const { watch, id } = this.#installation;
    await watch.rows("DELETE FROM process_heartbeat WHERE id = $1::uuid", [id]).catch(() => undefined);
  }

  /** Skips depths that can't be read, so the plot becomes shorter. */
  async #sampleDepth(): Promise<void> {
    if (this.#installation.role === "web") return;
    const jobCounts = await this.#installation.queue.readCounts().catch(() => null);
    if (!jobCounts) return;
    this.#depth.push(jobCounts.reduce((sum, { waiting }) => sum + waiting, 0));
    if (this.#depth.length > MAX_DEPTHS) this.#depth.shift();
  }
}

export interface ProcessRecord extends ProcessStatus {
  troubles: Trouble[];
  broker: BrokerState | null;
  /** Waiting jobs at each heartbeat of the last ten minutes, oldest first. */
  depth: number[];
}

const PROCESSES = `
  SELECT id, role, host, version, iso(started_at) AS "startedAt", iso(seen_at) AS "seenAt",
    is_process_alive(seen_at) AS alive, parts
  FROM process_heartbeat ORDER BY role, started_at, id`;

/** Returns every process of the console with a heartbeat within the last hour. */
export async function listProcesses(watch: Watch): Promise<ProcessRecord[]> {
  const rows = await watch.rows<Omit<ProcessStatus, "memoryBytes" | "node"> & { parts: unknown }>(PROCESSES);
  return rows.flatMap(({ parts, ...row }) => {
    const parsed = heartbeatParts.safeParse(parts);
    return parsed.success ? [{ ...row, ...parsed.data }] : [];
  });
}
