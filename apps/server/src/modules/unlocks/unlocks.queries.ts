import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/unlocks";
import type { UnlockRecord, UnlockRecordsInput, UnlockRecordsOutput } from "@innkey/shared/schemas/unlocks";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import {
  type RecordFilters,
  type RecordsQuery,
  recordsOfHouse,
  recordsOfLock,
  recordsOfPerson,
  recordsOfRoom,
} from "./records.sql.ts";

/**
 * What happened in a room, newest first; `from` inclusive, `to` exclusive.
 * @throws no_permission, not_found; invalid_input for a cursor that isn't one
 */
export async function list(scope: Scope, input: UnlockRecordsInput): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  scope.requireRoom(input.roomId);
  return page(scope, recordsOfRoom(input.roomId, filtersOf(input)), input.limit);
}

/** What one guest opened, newest first, in the rooms the caller sees. @throws as `list` */
export async function ofPerson(
  scope: Scope,
  input: z.infer<typeof schema.personRecordsInput>,
): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  return page(scope, recordsOfPerson(input.manageId, scope.roomIds, filtersOf(input)), input.limit);
}

/** What one lock reported, the last thing first, wherever it hung. @throws as `list` */
export async function ofLock(
  scope: Scope,
  input: z.infer<typeof schema.lockRecordsInput>,
): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  return page(scope, recordsOfLock(input.lockId, scope.roomIds, filtersOf(input)), input.limit);
}

/** What happened at the doors the caller sees, newest first. @throws as `list` */
export async function ofHouse(
  scope: Scope,
  input: z.infer<typeof schema.houseRecordsInput>,
): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  return page(scope, recordsOfHouse(scope.roomIds, filtersOf(input)), input.limit);
}

type Row = UnlockRecord & { key: string };

async function page(scope: Scope, { name, text, values }: RecordsQuery, limit: number): Promise<UnlockRecordsOutput> {
  const rows = await scope.sql.prepared<Row | { id: null }>(name, text, ...values);
  if (rows.length === 0) throw new DomainError("not_found");
  const found = rows.filter((row): row is Row => row.id !== null);
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    records: found.slice(0, limit).map(({ key: _place, ...record }) => record),
    nextCursor: last ? `${last.at}_${last.key}` : null,
  };
}

const CURSOR = /^((?:19|2\d)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(-?\d{1,18})$/;

function filtersOf({
  from,
  to,
  style,
  success,
  cursor,
  limit,
}: z.infer<typeof schema.houseRecordsInput>): RecordFilters {
  return { from, to, style, success, limit, after: cursor === undefined ? null : cursorOf(cursor) };
}

/** The place of the last record shown: its instant, and its number among equals. */
function cursorOf(cursor: string): { at: string; key: string } {
  const [, at, key] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || key === undefined || Number.isNaN(Date.parse(at))) {
    throw new DomainError("invalid_input", {}, { cursor: { key: "validation.unknown" } });
  }
  return { at, key };
}
