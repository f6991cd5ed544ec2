import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { DomainError, ERRORS, type ErrorCode } from "@innkey/shared/errors";
import { EXPORT_RETENTION_HOURS, exportFileName, MAX_UNFINISHED, ROWS_AT_ONCE } from "@innkey/shared/exports";
import { localDate } from "@innkey/shared/hotel-time";
import { LISTS } from "@innkey/shared/lists";
import { EXPORT_FILTERS, type ExportInput, type ExportRow, exportInput } from "@innkey/shared/schemas/data";
import { z } from "zod";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { FileStorage } from "../../../adapters/storage/storage.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { translator } from "../../../kernel/translate.ts";
import { CONTENT_TYPES, type FileRequest, openFile } from "./make-file.ts";

/** Columns of an `exportRow`, selected from the table `export`. */
const EXPORT_ROW = `id::text AS id, list, format, file_name AS "fileName", state::text AS state, rows_done AS "rowsDone",
  rows_total AS "rowsTotal", size_bytes::float8 AS "sizeBytes", error, iso(created_at) AS "createdAt",
  iso(ended_at) AS "endedAt", iso(expires_at) AS "expiresAt"`;

/** Returns an export of the caller. @throws not_found for other people's exports as for unknown ones */
async function readOwnExport(scope: Scope, sql: HotelSql, exportId: string): Promise<ExportRow> {
  const [row] = await sql.rows<ExportRow>(
    `SELECT ${EXPORT_ROW} FROM export WHERE hotel_id = $1 AND id = $2::uuid AND operator_id = $3::int`,
    exportId,
    scope.operatorId,
  );
  if (!row) throw new DomainError("not_found");
  return row;
}

/** Returns when a finished file, or the record of a failure, is deleted. */
export const expiry = (now: Date): Date => new Date(now.getTime() + EXPORT_RETENTION_HOURS * 3_600_000);

const parsedRequest = exportInput
  .pick({ list: true, columns: true, page: true, format: true })
  .extend({ language: z.string(), box: z.string() });

const contextOf = ({ hotelId }: Scope, row: string): SealContext => ({ column: "export.request", hotelId, row });

/** Returns the request as stored for the worker. Filters are sealed because a search may contain a document number. */
export function storedRequest(exportId: string, { filters, ...request }: FileRequest, scope: Scope): object {
  const box = scope.secrets.document.seal(JSON.stringify(filters), contextOf(scope, exportId)).toString("base64");
  return { ...request, language: scope.language, box } satisfies z.input<typeof parsedRequest>;
}

/** @throws Error for a request that `storedRequest` did not make */
export function readRequest(exportId: string, stored: unknown, scope: Scope): FileRequest {
  const { box, language: _language, ...request } = parsedRequest.parse(stored);
  const filters = scope.secrets.document.open(Buffer.from(box, "base64"), contextOf(scope, exportId));
  if (filters === null) throw new Error("the filters of an export can't be read");
  return { ...request, filters: z.record(z.string(), z.unknown()).parse(JSON.parse(filters)) };
}

const writtenFor = z.object({ rooms: z.literal("all").or(z.array(z.int())), capabilities: z.array(z.string()) });

/** Returns the request of a written file together with the rights it was written with. */
export function withRights(stored: unknown, { actor }: Scope): object {
  const rooms = actor.rooms === "all" ? actor.rooms : [...actor.rooms];
  const rights: z.input<typeof writtenFor> = { rooms, capabilities: [...actor.capabilities] };
  return { ...z.looseObject({}).parse(stored), writtenFor: rights };
}

/**
 * Checks that the caller still has the rights and rooms that the file was written with; after losing any, they must
 * export again. @throws no_permission
 */
async function requireSameRights(scope: Scope, sql: HotelSql, exportId: string): Promise<void> {
  const [row] = await sql.rows<{ rights: unknown }>(
    `SELECT request -> 'writtenFor' AS rights FROM export WHERE hotel_id = $1 AND id = $2::uuid`,
    exportId,
  );
  const rights = writtenFor.safeParse(row?.rights);
  const rooms = rights.success ? rights.data.rooms : "all";
  const hasRooms = scope.actor.rooms === "all" || (rooms !== "all" && rooms.every((roomId) => scope.seesRoom(roomId)));
  const current: ReadonlySet<string> = scope.actor.capabilities;
  if (!hasRooms || !(rights.data?.capabilities ?? []).every((name) => current.has(name)))
    throw new DomainError("no_permission");
}

/** Returns the filters for the audit entry: search terms are masked, and lists are replaced by their length. */
function filtersForAudit({ list, filters }: FileRequest): Record<string, unknown> {
  const entries = Object.entries(EXPORT_FILTERS[list].parse(filters)).map(([name, value]) => {
    if (name === "keyword" || name === "query") return [name, value ? "•••" : undefined];
    return [name, Array.isArray(value) ? value.length : value];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Returns the error code that is stored for a failed export. */
export const errorOf = (error: unknown): ErrorCode =>
  error instanceof DomainError && error.code in ERRORS ? error.code : "internal";

/**
 * Returns the id of the staff member. @throws no_permission for API keys, and for callers who may not (or no longer)
 * see the list
 */
function requireExport(scope: Scope, list: FileRequest["list"]): number {
  scope.require("exports.make");
  scope.require(LISTS[list].capability);
  if (scope.operatorId === null) throw new DomainError("no_permission");
  return scope.operatorId;
}

/** Writes one file as soon as it is requested. */
export const runExport: Job<{ exportId: string }> = {
  name: "exports.run",
  payload: z.object({ exportId: z.uuid() }),
};

/** Restarts exports of dead workers and deletes expired files. */
export const sweepExports: Job<Record<string, never>> = { name: "exports.sweep", payload: z.strictObject({}) };

const SWEEP_SECONDS = 15;
/** Files that one process writes at a time; each uses a database connection. */
const MAX_CONCURRENT_FILES = 2;

interface Worker {
  run(exportId: string, log: Logger): Promise<void>;
  sweep(): Promise<void>;
}

export function defineExportJobs(queue: JobQueue, worker: Worker): void {
  queue.define(runExport, ({ exportId }, log) => worker.run(exportId, log), {
    concurrency: MAX_CONCURRENT_FILES,
    attempts: 1,
  });
  queue.define(sweepExports, () => worker.sweep(), { concurrency: 1, attempts: 1 });
  queue.every(sweepExports, SWEEP_SECONDS, {});
}

/** A small list as a file at once, or a large one queued to be written later. */
type ExportResult =
  | { kind: "file"; fileName: string; contentType: string; content: Buffer }
  | { kind: "queued"; row: ExportRow };

interface StoredExport {
  fileName: string;
  contentType: string;
  sizeBytes: number;
  content: Readable;
}

/** Exports of lists as files: requests and finished files. */
export class Exports {
  readonly #storage: FileStorage;
  readonly #queue: JobQueue;
  readonly #log: Logger;

  constructor(deps: { exportStorage: FileStorage; queue: JobQueue; log: Logger }) {
    this.#log = deps.log;
    this.#storage = deps.exportStorage;
    this.#queue = deps.queue;
  }

  /** @throws no_permission, not_found, exports_unfinished; invalid_input for unknown filters and columns */
  async make(scope: Scope, input: ExportInput): Promise<ExportResult> {
    scope.require("exports.make");
    const operatorId = requireExport(scope, input.list);
    const file = await openFile(scope, input);
    const fileName = nameOf(scope, input);
    const exportId = randomUUID();
    if (file.total <= ROWS_AT_ONCE) {
      let rows = 0;
      const content = await buffer(
        file.bytes((more) => {
          rows += more;
        }),
      );
      await scope.write(async (tx) => auditExport(tx, exportId, input, rows));
      return { kind: "file", fileName, contentType: CONTENT_TYPES[input.format], content };
    }
    const row = await scope.write(async (tx) => {
      await requireFewUnfinished(tx.sql, operatorId);
      await tx.db.export.create({
        data: {
          id: exportId,
          hotelId: scope.hotelId,
          operatorId,
          list: input.list,
          format: input.format,
          fileName,
          request: storedRequest(exportId, input, scope),
          rowsTotal: file.total,
          createdAt: scope.now(),
        },
      });
      auditExport(tx, exportId, input, file.total);
      return readOwnExport(scope, tx.sql, exportId);
    });
    await this.#queue.add(runExport, { exportId }).catch((error: unknown) => {
      this.#log.warn({ err: error, exportId }, "an export waits for the next sweep");
    });
    return { kind: "queued", row };
  }

  /** Returns the caller's own exports, newest first. */
  async list(scope: Scope): Promise<ExportRow[]> {
    scope.require("exports.make");
    return scope.sql.rows<ExportRow>(
      `SELECT ${EXPORT_ROW} FROM export WHERE hotel_id = $1 AND operator_id = $2::int ORDER BY created_at DESC, id LIMIT 100`,
      scope.operatorId,
    );
  }

  /**
   * Cancels an unfinished export; its worker notices within a second. @throws not_found; state_conflict once it has
   * ended
   */
  async cancel(scope: Scope, exportId: string): Promise<ExportRow> {
    scope.require("exports.make");
    return scope.write(async (tx) => {
      const before = await readOwnExport(scope, tx.sql, exportId);
      const { count } = await tx.db.export.updateMany({
        where: { id: exportId, state: { in: ["queued", "running"] } },
        data: { state: "cancelled", endedAt: scope.now(), expiresAt: expiry(scope.now()) },
      });
      if (count === 0) throw new DomainError("state_conflict");
      tx.audit({ action: "export.cancel", entity: "export", entityId: exportId, before: { list: before.list } });
      return readOwnExport(scope, tx.sql, exportId);
    });
  }

  /** Deletes an ended export and its file. @throws not_found; state_conflict before it has ended */
  async remove(scope: Scope, exportId: string): Promise<void> {
    scope.require("exports.make");
    await scope.write(async (tx) => {
      const before = await readOwnExport(scope, tx.sql, exportId);
      const { count } = await tx.db.export.deleteMany({
        where: { id: exportId, state: { in: ["done", "failed", "cancelled"] } },
      });
      if (count === 0) throw new DomainError("state_conflict");
      tx.audit({ action: "export.remove", entity: "export", entityId: exportId, before: { list: before.list } });
    });
    await this.#storage.remove(exportId);
  }

  /**
   * Opens the file for the person who requested it, if they still have the rights it was written with. @throws
   * no_permission, not_found, export_gone
   */
  async open(scope: Scope, exportId: string): Promise<StoredExport> {
    scope.require("exports.make");
    const { list, format, fileName, state, sizeBytes } = await readOwnExport(scope, scope.sql, exportId);
    requireExport(scope, list);
    await requireSameRights(scope, scope.sql, exportId);
    const content = state === "done" ? await this.#storage.read(exportId) : null;
    if (!content || sizeBytes === null) throw new DomainError("export_gone");
    return { fileName, contentType: CONTENT_TYPES[format], sizeBytes, content };
  }
}

function nameOf(scope: Scope, { fileName, format, list }: ExportInput): string {
  const today = localDate(scope.now().toISOString(), scope.hotel.timeZone);
  return exportFileName(fileName, format, `${translator(scope.language)(LISTS[list].title)} ${today}`);
}

/** An export takes data out of the hotel, so the audit entry records what was exported and how many rows. */
function auditExport(tx: Transaction, exportId: string, request: FileRequest, rows: number): void {
  const { list, format, columns, page } = request;
  const after = { list, format, columns, filters: filtersForAudit(request), ...(page && { page }), rows };
  tx.audit({ action: "export.make", entity: "export", entityId: exportId, after });
}

/**
 * Limits unfinished exports. The advisory lock lasts until the transaction ends, so that two simultaneous requests
 * can't both pass. @throws exports_unfinished
 */
async function requireFewUnfinished(sql: HotelSql, operatorId: number): Promise<void> {
  await sql.rows("SELECT pg_advisory_xact_lock(hashtextextended('exports ' || $2::int, $1::int))::text", operatorId);
  const [row] = await sql.rows<{ unfinished: number }>(
    `SELECT count(*)::int AS unfinished FROM export
      WHERE hotel_id = $1 AND operator_id = $2::int AND state IN ('queued', 'running')`,
    operatorId,
  );
  if ((row?.unfinished ?? 0) >= MAX_UNFINISHED) throw new DomainError("exports_unfinished", { most: MAX_UNFINISHED });
}
