import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/unlocks";
import type { UnlockRecord, UnlockRecordsInput, UnlockRecordsOutput } from "@innkey/shared/schemas/access/unlocks";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Translate } from "../../../kernel/translate.ts";
import {
  hotelRecordsQuery,
  type RecordFilters,
  type RecordsQuery,
  recordsCounted,
  recordsOfLock,
  recordsOfPerson,
  recordsOfRoom,
} from "./records.sql.ts";

/** The part of a door record that is put into the reader's language. */
type RecordOutcome = Pick<UnlockRecord, "success" | "style" | "reason">;

/** An alarm record is not an attempt to open the door. */
const isAlarm = ({ success, style, reason }: RecordOutcome): boolean =>
  !success && style === "unknown" && reason === "";
const SOURCES = ["lock", "gateway", "console"];

export const styleWords = (row: RecordOutcome, t: Translate): string =>
  t(isAlarm(row) ? "doors.strip.alarm" : `room.style.${row.style}`);
export const resultWords = (row: RecordOutcome, t: Translate): string =>
  t(row.success ? "room.opened" : isAlarm(row) ? "doors.strip.alarm" : "room.refused");
/** Returns why the door stayed shut, or null if it opened or the reason is unknown. */
export const reasonWords = ({ success, reason }: RecordOutcome, t: Translate): string | null =>
  success || reason === "" ? null : t(`locks.unlockReason.${reason}`);
export const sourceWords = (source: string, t: Translate): string =>
  SOURCES.includes(source) ? t(`room.source.${source}`) : source;

/**
 * Lists the records of a room, newest first; `from` inclusive, `to` exclusive. @throws no_permission, not_found;
 * invalid_input for an invalid cursor
 */
export async function list(scope: Scope, input: UnlockRecordsInput): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  scope.requireRoom(input.roomId);
  return page(scope, recordsOfRoom(input.roomId, filtersOf(input)), input.limit);
}

/** Lists the records of one guest in the rooms the caller sees, newest first. @throws as `list` */
export async function listPersonRecords(
  scope: Scope,
  input: z.infer<typeof schema.personRecordsInput>,
): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  return page(scope, recordsOfPerson(input.stayGuestId, scope.roomIds, filtersOf(input)), input.limit);
}

/**
 * Lists the records of one lock, last reported first, from all rooms it was on that the caller sees. @throws as `list`
 */
export async function listLockRecords(
  scope: Scope,
  input: z.infer<typeof schema.lockRecordsInput>,
): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  return page(scope, recordsOfLock(input.lockId, scope.roomIds, filtersOf(input)), input.limit);
}

/** Lists the records of all doors the caller sees, newest first. @throws as `list` */
export async function listHotelRecords(
  scope: Scope,
  input: z.infer<typeof schema.hotelRecordsInput>,
): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  return page(scope, hotelRecordsQuery(scope.roomIds, filtersOf(input)), input.limit);
}

/** Limit up to which records are counted and can be paged by number. A cursor has no such limit. */
export const NUMBERED_RECORDS = 10_000;

/**
 * Returns a numbered page of the records of a room or a guest, for clients that don't page by cursor alone. With a
 * cursor, the page number is ignored. @throws as `list`; invalid_input for a page beyond NUMBERED_RECORDS
 */
export async function numbered(
  scope: Scope,
  input: z.infer<typeof schema.numberedRecordsInput>,
): Promise<UnlockRecordsOutput & { total: number }> {
  scope.require("unlocks.view");
  const { of, page: number, pageSize, ...filters } = input;
  const skip = filters.cursor === undefined ? skipped(number, pageSize) : 0;
  const query = { ...filtersOf({ ...filters, limit: pageSize }), skip };
  const statement =
    "roomId" in of ? recordsOfRoom(of.roomId, query) : recordsOfPerson(of.stayGuestId, scope.roomIds, query);
  if ("roomId" in of) scope.requireRoom(of.roomId);
  const result = await page(scope, statement, pageSize);
  const roomIds = "roomId" in of ? null : scope.roomIds;
  const { name, text, values } = recordsCounted(of, roomIds, query, NUMBERED_RECORDS);
  const [counted] = await scope.sql.prepared<{ total: number }>(name, text, ...values);
  return { ...result, total: counted?.total ?? 0 };
}

function skipped(page: number, pageSize: number): number {
  if (page * pageSize <= NUMBERED_RECORDS) return (page - 1) * pageSize;
  const params = { max: Math.floor(NUMBERED_RECORDS / pageSize) };
  throw new DomainError("invalid_input", {}, { page: { key: "validation.tooLarge", params } });
}

type Row = UnlockRecord & { key: string };

async function page(scope: Scope, { name, text, values }: RecordsQuery, limit: number): Promise<UnlockRecordsOutput> {
  const rows = await scope.sql.prepared<Row | { id: null }>(name, text, ...values);
  if (rows.length === 0) throw new DomainError("not_found");
  const records = rows.filter((row): row is Row => row.id !== null);
  const last = records.length > limit ? records[limit - 1] : undefined;
  return {
    records: records.slice(0, limit).map(({ key: _key, ...record }) => record),
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
}: z.infer<typeof schema.hotelRecordsInput>): RecordFilters {
  return { from, to, style, success, limit, after: cursor === undefined ? null : cursorOf(cursor) };
}

/**
 * Rejects dates that don't exist, such as 30 February: JavaScript would move them to a later day, and PostgreSQL would
 * refuse them.
 */
const isInstant = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

/** Parses a cursor: the instant of the last record shown, and its key among records of the same instant. */
function cursorOf(cursor: string): { at: string; key: string } {
  const [, at, key] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || key === undefined || !isInstant(at)) {
    throw new DomainError("invalid_input", {}, { cursor: { key: "validation.unknown" } });
  }
  return { at, key };
}
