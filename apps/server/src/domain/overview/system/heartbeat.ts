import { hostname } from "node:os";
import { trouble } from "@innkey/shared/schemas/system";
import { z } from "zod";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Installation } from "./installation.ts";
import type { OwnParts } from "./own-parts.ts";

const BEAT_MS = 10_000;
/** Ten minutes of what waited in the queue. */
const DEPTHS = 60;
const FORGOTTEN = "1 hour";

/** What a process says of itself to the others. */
export const heartbeatParts = z.object({
  troubles: z.array(trouble).catch([]),
  broker: z.object({ kind: z.enum(["embedded", "external"]), connected: z.boolean() }).nullable(),
  depth: z.array(z.int()),
  memoryBytes: z.number(),
  node: z.string(),
});

const BEAT = `
  WITH gone AS (DELETE FROM process_heartbeat WHERE seen_at < now() - interval '${FORGOTTEN}' AND id <> $1::uuid)
  INSERT INTO process_heartbeat (id, role, host, version, started_at, seen_at, parts)
  VALUES ($1::uuid, $2, $3, $4, $5::timestamptz, now(), $6::jsonb)
  ON CONFLICT (id) DO UPDATE SET seen_at = now(), parts = excluded.parts`;

/** Tells the other processes, through the database, that this one lives and how it is. */
export class Heartbeat {
  readonly #startedAt: Date;
  readonly #place: Installation;
  readonly #parts: OwnParts;
  readonly #log: Logger;
  readonly #depth: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #failing = false;

  constructor(place: Installation, parts: OwnParts, clock: Clock, log: Logger) {
    this.#place = place;
    this.#parts = parts;
    this.#log = log;
    this.#startedAt = clock.now();
  }

  async start(): Promise<void> {
    await this.beat();
    this.#timer = setInterval(() => {
      this.#beating = this.beat();
    }, BEAT_MS).unref();
  }

  /** One word of life. @throws never: a database that is away is noticed by others too */
  async beat(): Promise<void> {
    const { watch, id, role, version } = this.#place;
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
      await watch.rows(BEAT, [id, role, hostname(), version, this.#startedAt, JSON.stringify(parts)]);
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.#log.warn({ err: error }, "other processes can't be told that this one lives");
      this.#failing = true;
    }
  }

  /** Says goodbye, so that nobody waits for it. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    const { watch, id } = this.#place;
    await watch.rows("DELETE FROM process_heartbeat WHERE id = $1::uuid", [id]).catch(() => undefined);
  }

  /** What is not known is left out: the plot has a shorter past then. */
  async #sampleDepth(): Promise<void> {
    if (this.#place.role === "web") return;
    const standings = await this.#place.queue.standings().catch(() => null);
    if (!standings) return;
    this.#depth.push(standings.reduce((sum, { waiting }) => sum + waiting, 0));
    if (this.#depth.length > DEPTHS) this.#depth.shift();
  }
}
