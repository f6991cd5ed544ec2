import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { SystemScopes } from "../../../kernel/system-scope.ts";
import { dropOldRecords } from "../../access/public.ts";
import type { FileStore } from "../../files/public.ts";
import { retain } from "./retention.ts";

/** Erases what is kept no longer: in one hotel whose setting changed, or, once a day, in every hotel that has one. */
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

/** Runs of retention: every day, and right after a hotel changed its mind. */
export class Retention {
  readonly #queue: JobQueue;
  readonly #log: Logger;

  constructor(queue: JobQueue, deps: RetentionDeps, log: Logger) {
    this.#queue = queue;
    this.#log = log;
    queue.define(retentionJob, ({ hotelId }) => retainHotels(deps, hotelId), { concurrency: 1 });
    queue.every(retentionJob, DAY_SECONDS, { hotelId: null });
  }

  /** A run of this hotel, once what it follows is committed. Without a queue the next daily one takes it. @throws never */
  async soon(hotelId: number): Promise<void> {
    await this.#queue.add(retentionJob, { hotelId }).catch((error: unknown) => {
      this.#log.error({ err: error, hotelId }, "a run of retention could not be queued");
    });
  }
}

/** Every hotel that keeps documents or door records for a time, or the one; a hotel whose run fails doesn't keep the others waiting. */
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
