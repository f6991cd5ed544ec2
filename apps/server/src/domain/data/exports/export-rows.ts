import { DomainError, ERRORS, type ErrorCode } from "@innkey/shared/errors";
import { EXPORT_RETENTION_HOURS } from "@innkey/shared/exports";
import { LISTS } from "@innkey/shared/lists";
import { EXPORT_FILTERS, type ExportRow, exportInput } from "@innkey/shared/schemas/data/exports";
import { z } from "zod";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import type { FileRequest } from "./make-file.ts";

/** Columns of an `exportRow`, selected from the table `export`. */
export const EXPORT_ROW = `id::text AS id, list, format, file_name AS "fileName", state::text AS state, rows_done AS "rowsDone",
  rows_total AS "rowsTotal", size_bytes::float8 AS "sizeBytes", error, iso(created_at) AS "createdAt",
  iso(ended_at) AS "endedAt", iso(expires_at) AS "expiresAt"`;

/** Returns an export of the caller. @throws not_found for other people's exports as for unknown ones */
export async function ownExport(scope: Scope, sql: HotelSql, exportId: string): Promise<ExportRow> {
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

/** Returns what the worker needs later. Filters are sealed because a search may contain a document number. */
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
export async function requireSameRights(scope: Scope, sql: HotelSql, exportId: string): Promise<void> {
  const [row] = await sql.rows<{ rights: unknown }>(
    `SELECT request -> 'writtenFor' AS rights FROM export WHERE hotel_id = $1 AND id = $2::uuid`,
    exportId,
  );
  const had = writtenFor.safeParse(row?.rights);
  const rooms = had.success ? had.data.rooms : "all";
  const hasRooms = scope.actor.rooms === "all" || (rooms !== "all" && rooms.every((roomId) => scope.seesRoom(roomId)));
  const now: ReadonlySet<string> = scope.actor.capabilities;
  if (!hasRooms || !(had.data?.capabilities ?? []).every((name) => now.has(name)))
    throw new DomainError("no_permission");
}

/** Returns the filters for the audit entry: search terms are masked, and lists are replaced by their length. */
export function auditedFilters({ list, filters }: FileRequest): Record<string, unknown> {
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
export function requireExport(scope: Scope, list: FileRequest["list"]): number {
  scope.require("exports.make");
  scope.require(LISTS[list].capability);
  if (scope.operatorId === null) throw new DomainError("no_permission");
  return scope.operatorId;
}
