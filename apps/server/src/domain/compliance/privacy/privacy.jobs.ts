import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { SystemScopes } from "../../../kernel/system-scope.ts";
import { dropOldRecords } from "../../access/public.ts";
import type { FileStore } from "../../files/public.ts";
import { retain } from "./retention.ts";

/**
 * Erases data whose retention is over: in one hotel after its setting changed, or daily in every hotel with such a
 * setting.
 */
export const retentionJob: Job<{ hotelId: number | null }> = {
  name: "privacy.retain",
  payload: z.strictObject({ hotelId: z.int().nullable() }),
};

const DAY_SECONDS = 86_400;

export interface RetentionDeps {
  database: Pick<Database, "prisma">;
  scopes: SystemScopes;
  files: FileStore;
}

/** Starts retention runs: daily, and right after a hotel changed its setting. */
export class Retention {
  readonly #queue: JobQueue;
  readonly #log: Logger;

  constructor(queue: JobQueue, deps: RetentionDeps, log: Logger) {
    this.#queue = queue;
    this.#log = log;
    queue.define(retentionJob, ({ hotelId }) => retainHotels(deps, hotelId), { concurrency: 1 });
    queue.every(retentionJob, DAY_SECONDS, { hotelId: null });
  }

  /**
   * Queues a run for the hotel; call it after the commit. If the queue is unavailable, the next daily run does the
   * work. @throws never
   */
  async soon(hotelId: number): Promise<void> {
    await this.#queue.add(retentionJob, { hotelId }).catch((error: unknown) => {
      this.#log.error({ err: error, hotelId }, "a run of retention could not be queued");
    });
  }
}

/**
 * Runs retention for every hotel with a retention period for documents or door records, or only for one hotel. If a
 * hotel fails, the others still run.
 */
export async function retainHotels({ database, scopes, files }: RetentionDeps, only: number | null): Promise<void> {
  const hotels = await database.prisma.hotel.findMany({
    where: {
      OR: [{ retentionDays: { not: null } }, { recordMonths: { not: null } }],
      ...(only !== null && { id: only }),
    },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  const failures: unknown[] = [];
  for (const { id } of hotels) {
    const scope = await scopes(id);
    if (!scope) continue;
    await retain(scope, files).catch((error: unknown) => failures.push(error));
    await dropOldRecords(scope).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "the retention of some hotels failed");
}
