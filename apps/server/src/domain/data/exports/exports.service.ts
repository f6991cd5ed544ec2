import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { DomainError } from "@innkey/shared/errors";
import { exportFileName, MAX_UNFINISHED, ROWS_AT_ONCE } from "@innkey/shared/exports";
import { localDate } from "@innkey/shared/hotel-time";
import { LISTS } from "@innkey/shared/lists";
import type { ExportInput, ExportRow } from "@innkey/shared/schemas/data/exports";
import type { JobQueue } from "../../../adapters/queue/queue.ts";
import type { FileStorage } from "../../../adapters/storage/file-storage.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { translator } from "../../../kernel/translate.ts";
import {
  auditedFilters,
  EXPORT_ROW,
  expiry,
  ownExport,
  requireExport,
  requireSameRights,
  storedRequest,
} from "./export-rows.ts";
import { runExport } from "./exports.jobs.ts";
import { CONTENT_TYPES, type FileRequest, openFile } from "./make-file.ts";

/** A small list as a file at once, or a large one queued to be written later. */
export type ExportResult =
  | { kind: "file"; fileName: string; contentType: string; content: Buffer }
  | { kind: "queued"; row: ExportRow };

export interface StoredExport {
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
      return ownExport(scope, tx.sql, exportId);
    });
    await this.#queue.add(runExport, { exportId }).catch((error: unknown) => {
      this.#log.warn({ err: error, exportId }, "a file waits for the next sweep");
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
      const before = await ownExport(scope, tx.sql, exportId);
      const { count } = await tx.db.export.updateMany({
        where: { id: exportId, state: { in: ["queued", "running"] } },
        data: { state: "cancelled", endedAt: scope.now(), expiresAt: expiry(scope.now()) },
      });
      if (count === 0) throw new DomainError("state_conflict");
      tx.audit({ action: "export.cancel", entity: "export", entityId: exportId, before: { list: before.list } });
      return ownExport(scope, tx.sql, exportId);
    });
  }

  /** Deletes an ended export and its file. @throws not_found; state_conflict before it has ended */
  async remove(scope: Scope, exportId: string): Promise<void> {
    scope.require("exports.make");
    await scope.write(async (tx) => {
      const before = await ownExport(scope, tx.sql, exportId);
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
    const { list, format, fileName, state, sizeBytes } = await ownExport(scope, scope.sql, exportId);
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
  const after = { list, format, columns, filters: auditedFilters(request), ...(page && { page }), rows };
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
