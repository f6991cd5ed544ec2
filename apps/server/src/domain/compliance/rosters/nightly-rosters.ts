import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { addDays, localDate, toLocalInput } from "@innkey/shared/hotel-time";
import { z } from "zod";
import { UNFINISHED } from "../../../adapters/backup/sealed-tar.ts";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { SystemScopes } from "../../../kernel/scope.ts";
import { makeRoster } from "./rosters.service.ts";

/** Makes the roster that is due in each hotel, and copies what is not in the folder yet. */
export const rosterJob: Job<Record<string, never>> = { name: "rosters.make", payload: z.strictObject({}) };

const CHECK_SECONDS = 300;
const MAX_ERROR_LENGTH = 200;

interface RosterDeps {
  database: Pick<Database, "pool">;
  scopes: SystemScopes;
  clock: Clock;
  log: Logger;
  /** null: rosters are only stored in the database */
  rosterDirectory: string | null;
}

/** The rosters that are made by themselves, and the folder into which all are copied. */
export class NightlyRosters {
  readonly #deps: RosterDeps;

  constructor(queue: JobQueue, deps: RosterDeps) {
    this.#deps = deps;
    queue.define(rosterJob, (_payload, log) => this.runIfDue(log), { concurrency: 1, attempts: 1 });
    queue.every(rosterJob, CHECK_SECONDS, {});
  }

  /** The folder, for rosters that somebody asks for. */
  get folder(): { copyWaiting(hotelId: number): Promise<void> } | null {
    if (this.#deps.rosterDirectory === null) return null;
    return { copyWaiting: (hotelId) => this.copyWaiting(hotelId) };
  }

  /** Makes what is due. A hotel whose roster fails is logged, and the others get theirs. */
  async runIfDue(log = this.#deps.log): Promise<void> {
    const { database, scopes, clock } = this.#deps;
    const { rows } = await database.pool.query<{ hotelId: number; time: string }>(
      `SELECT hotel_id AS "hotelId", "time" FROM roster_settings WHERE cardinality(recipients) > 0 ORDER BY hotel_id`,
    );
    for (const { hotelId, time } of rows) {
      try {
        const scope = await scopes(hotelId);
        if (!scope) continue;
        const now = clock.now().toISOString();
        const { timeZone } = scope.hotel;
        const today = localDate(now, timeZone);
        // Until today's is due, that of the evening before is, in case the server was away then.
        const night = toLocalInput(now, timeZone).slice(11) >= time ? today : addDays(today, -1);
        if (!(await this.#exists(hotelId, night))) await makeRoster(scope, night);
        await this.copyWaiting(hotelId, log);
      } catch (error) {
        log.error({ err: error, hotelId }, "the roster could not be made");
      }
    }
  }

  async #exists(hotelId: number, night: string): Promise<boolean> {
    const { rowCount } = await this.#deps.database.pool.query(
      "SELECT FROM roster WHERE hotel_id = $1 AND night = $2::date",
      [hotelId, night],
    );
    return rowCount !== 0;
  }

  /**
   * Copies rosters of a hotel that are not in the folder yet, and deletes its files whose rosters are gone. A failure is
   * stored beside the roster and tried again in the next run.
   */
  async copyWaiting(hotelId: number, log = this.#deps.log): Promise<void> {
    const { database, rosterDirectory: directory, clock } = this.#deps;
    if (directory === null) return;
    const { rows } = await database.pool.query<{ id: number; fileName: string; content: Buffer }>(
      `SELECT id, file_name AS "fileName", content FROM roster WHERE hotel_id = $1 AND copied_at IS NULL ORDER BY id`,
      [hotelId],
    );
    for (const { id, fileName, content } of rows) {
      const error = await writeWhole(directory, fileName, content).catch((cause: unknown) => cause ?? "unknown");
      if (error !== undefined) log.error({ err: error, hotelId, fileName }, "a roster can't be copied");
      const reason = error === undefined ? null : String(error).slice(0, MAX_ERROR_LENGTH);
      await database.pool.query(
        `UPDATE roster SET copied_at = CASE WHEN $3::text IS NULL THEN $2::timestamptz END, copy_error = $3
          WHERE id = $1 AND copied_at IS NULL AND (copy_error IS DISTINCT FROM $3 OR $3 IS NULL)`,
        [id, clock.now(), reason],
      );
    }
    await this.#deleteOld(directory, hotelId).catch((error: unknown) =>
      log.error({ err: error, hotelId }, "old rosters can't be deleted"),
    );
  }

  /** Deletes only files with a name that this system gives to rosters of this hotel. */
  async #deleteOld(directory: string, hotelId: number): Promise<void> {
    const { rows } = await this.#deps.database.pool.query<{ fileName: string }>(
      'SELECT file_name AS "fileName" FROM roster WHERE hotel_id = $1',
      [hotelId],
    );
    const current = new Set(rows.map(({ fileName }) => fileName));
    const own = new RegExp(`^roster-${hotelId}-\\d{8}T\\d{6}Z\\.tar\\.gz\\.age$`);
    for (const name of await readdir(directory)) {
      if (own.test(name) && !current.has(name)) await rm(join(directory, name), { force: true });
    }
  }
}

/** Writes a file that appears under its name only once it is complete and on disk. */
async function writeWhole(directory: string, name: string, content: Buffer): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const unfinished = join(directory, name + UNFINISHED);
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(directory, name));
}
