import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/unlocks";
import type { UnlockRecord, UnlockRecordsInput, UnlockRecordsOutput } from "@innkey/shared/schemas/access/unlocks";
import type { z } from "zod";
import type { HotelQuery } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Translate } from "../../../kernel/translate.ts";
import { type FoundSubjects, findSubjects } from "./find-subjects.ts";

/** Filters for a list of records. The page begins after `after`. */
export type RecordFilters = Pick<UnlockRecordsInput, "from" | "to" | "style" | "success" | "limit"> & {
  after: { at: string; key: string } | null;
  /** number of records to skip, for clients that use page numbers */
  skip?: number;
};

/** A prepared statement. Its name contains its filters, so that the database plans each combination once. */
export interface RecordsQuery {
  name: string;
  text: string;
  /** from `$2` on; `$1` is the hotel */
  values: unknown[];
}

/**
 * Builds statements that contain only the filters in use. Without "or no filter" conditions the index is read from
 * where the page begins, and the ten-thousandth page costs as much as the first.
 */
class Statement {
  readonly values: unknown[] = [];
  name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** Adds a value and returns its placeholder. */
  put(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length + 1}`;
  }

  conditions(filters: RecordFilters, key: readonly string[]): string {
    const { from, to, style, success, after } = filters;
    const parts: string[] = [];
    const add = (name: string, part: string): void => {
      this.name += `-${name}`;
      parts.push(` AND ${part}`);
    };
    if (from !== undefined) add("from", `u.at >= ${this.put(from)}::timestamptz`);
    if (to !== undefined) add("to", `u.at < ${this.put(to)}::timestamptz`);
    if (style !== undefined) add("style", `u.style = ${this.put(style)}::unlock_style`);
    if (success !== undefined) add("success", `u.success = ${this.put(success)}::boolean`);
    if (after) {
      const keyParameter = key.length === 1 ? "" : `${this.put(after.at)}::timestamptz, `;
      add(
        "after",
        `(${key.map((column) => `u.${column}`).join(", ")}) < (${keyParameter}${this.put(after.key)}::bigint)`,
      );
    }
    return parts.join("");
  }

  query(text: string): RecordsQuery {
    return { name: `unlock-records-${this.name}`, text, values: this.values };
  }
}

const BY_TIME = ["at", "id"];
const NEWEST = "ORDER BY u.at DESC, u.id DESC";

/** Joins for everything that a record `u` refers to. */
const NAMES = `LEFT JOIN room r ON r.id = u.room_id
  LEFT JOIN door dr ON dr.id = u.door_id
  LEFT JOIN operator o ON o.id = u.operator_id
  LEFT JOIN stay_guest sg ON sg.id = u.stay_guest_id
  LEFT JOIN guest g ON g.id = sg.guest_id
  LEFT JOIN card c ON c.id = u.card_id
  LEFT JOIN credential t ON t.id = u.credential_id
  LEFT JOIN passcode p ON p.id = t.passcode_id
  LEFT JOIN face f ON f.id = t.face_id`;
const HOLDER = `coalesce(p.person, f.note, CASE WHEN c.kind <> 'guest' THEN nullif(c.note, '') END)`;
/** Label on the envelope of a spare card. */
export const SPARE_CARD = "CASE WHEN c.spare_number IS NOT NULL THEN c.note END";

/**
 * Joins the names after the page is cut. `guard` has one row if the caller may see the list's subject, otherwise none.
 */
const sqlOf = (guard: string, page: string, order: string, key = "u.id"): string => `
  SELECT u.id::text AS id, iso(u.at) AS at, u.style::text AS style, u.success, u.reason, u.content, u.source,
    o.name AS "operatorName", g.name AS "guestName", u.stay_guest_id AS "stayGuestId",
    ${HOLDER} AS holder, ${SPARE_CARD} AS "spareCard",
    u.room_id AS "roomId", coalesce(r.name, dr.name) AS "roomName",
    u.opening_reason::text AS "openingReason", u.opening_note AS "openingNote", ${key}::text AS key
  FROM (${guard}) seen
  LEFT JOIN LATERAL (${page}) u ON true
  ${NAMES}
  ${order}`;

function limitOf(statement: Statement, { limit, skip }: RecordFilters): string {
  const limitClause = `LIMIT ${statement.put(limit + 1)}::int`;
  if (!skip) return limitClause;
  statement.name += "-skip";
  return `${limitClause} OFFSET ${statement.put(skip)}::int`;
}

export function roomRecordsQuery(roomId: number, filters: RecordFilters): RecordsQuery {
  const s = new Statement("room");
  const room = s.put(roomId);
  const page = `SELECT * FROM unlock_record u WHERE u.hotel_id = $1 AND u.room_id = ${room}::int${s.conditions(filters, BY_TIME)}
    ${NEWEST} ${limitOf(s, filters)}`;
  return s.query(sqlOf(`SELECT FROM room WHERE hotel_id = $1 AND id = ${room}::int`, page, NEWEST));
}

/**
 * Records of one guest's part in a stay. `roomIds` null: all rooms. Staff see guests whose stay is or was in one of
 * their rooms, and only the records of their rooms.
 */
export function personRecordsQuery(
  stayGuestId: number,
  roomIds: number[] | null,
  filters: RecordFilters,
): RecordsQuery {
  const s = new Statement(roomIds ? "person-rooms" : "person");
  const person = s.put(stayGuestId);
  const rooms = roomIds && s.put(roomIds);
  const guard = `SELECT FROM stay_guest sg WHERE sg.hotel_id = $1 AND sg.id = ${person}::int${
    rooms
      ? ` AND EXISTS (SELECT FROM occupancy o WHERE o.stay_id = sg.stay_id AND o.room_id = ANY (${rooms}::int[]))`
      : ""
  }`;
  const page = `SELECT * FROM unlock_record u WHERE u.hotel_id = $1 AND u.stay_guest_id = ${person}::int
    ${rooms ? `AND u.room_id = ANY (${rooms}::int[])` : ""}${s.conditions(filters, BY_TIME)} ${NEWEST} ${limitOf(s, filters)}`;
  return s.query(sqlOf(guard, page, NEWEST));
}

/**
 * Records in the order in which the lock reported them, which a wrong clock can't change. Staff see a lock on one of
 * their doors, and only its records in their rooms.
 */
export function lockRecordsQuery(lockId: number, roomIds: number[] | null, filters: RecordFilters): RecordsQuery {
  const s = new Statement(roomIds ? "lock-rooms" : "lock");
  const lock = s.put(lockId);
  const rooms = roomIds && s.put(roomIds);
  const guard = `SELECT FROM lock WHERE hotel_id = $1 AND id = ${lock}::int${rooms ? ` AND room_id = ANY (${rooms}::int[])` : ""}`;
  const order = "ORDER BY u.lock_seq DESC";
  const page = `SELECT * FROM unlock_record u WHERE u.hotel_id = $1 AND u.lock_id = ${lock}::int
    ${rooms ? `AND u.room_id = ANY (${rooms}::int[])` : ""}${s.conditions(filters, ["lock_seq"])} ${order} ${limitOf(s, filters)}`;
  return s.query(sqlOf(guard, page, order, "u.lock_seq"));
}

/**
 * Records of the hotel. For restricted staff the newest records of each of their rooms are read, and the newest of
 * those form the page.
 */
export function hotelRecordsQuery(roomIds: number[] | null, filters: RecordFilters): RecordsQuery {
  const s = new Statement(roomIds ? "house-rooms" : "house");
  const rooms = roomIds && s.put(roomIds);
  const where = `u.hotel_id = $1${s.conditions(filters, BY_TIME)}`;
  const limit = limitOf(s, filters);
  const page = rooms
    ? `SELECT u.* FROM unnest(${rooms}::int[]) AS granted (room_id) CROSS JOIN LATERAL (
         SELECT * FROM unlock_record u WHERE u.room_id = granted.room_id AND ${where} ${NEWEST} ${limit}
       ) u ${NEWEST} ${limit}`
    : `SELECT * FROM unlock_record u WHERE ${where} ${NEWEST} ${limit}`;
  return s.query(sqlOf("SELECT", page, NEWEST));
}

const FOUND_COLUMNS = {
  stayGuestIds: "stay_guest_id",
  cardIds: "card_id",
  credentialIds: "credential_id",
  roomIds: "room_id",
} as const satisfies Record<keyof FoundSubjects, string>;

/**
 * Records of what a search found. The newest of each guest, key and room are read by index, and the newest of those
 * form the page; it costs the same among millions of records. `roomIds` null: all rooms.
 */
export function foundRecordsQuery(
  subjects: FoundSubjects,
  roomIds: number[] | null,
  filters: RecordFilters,
): RecordsQuery {
  const s = new Statement(roomIds ? "found-rooms" : "found");
  const rooms = roomIds ? ` AND u.room_id = ANY (${s.put(roomIds)}::int[])` : "";
  const where = `u.hotel_id = $1${rooms}${s.conditions(filters, BY_TIME)}`;
  const limit = limitOf(s, filters);
  const parts = Object.entries(FOUND_COLUMNS).map(
    ([name, column]) => `
      SELECT u.* FROM unnest(${s.put(subjects[name as keyof FoundSubjects])}::int[]) AS subject (id) CROSS JOIN LATERAL (
        SELECT * FROM unlock_record u WHERE u.${column} = subject.id AND ${where} ${NEWEST} ${limit}
      ) u`,
  );
  return s.query(sqlOf("SELECT", `SELECT * FROM (${parts.join(" UNION ")}) u ${NEWEST} ${limit}`, NEWEST));
}

/** Subject of a list: a room, a guest or a lock, or what a search found; without any, the whole hotel. */
export interface RecordsOf {
  subjects?: FoundSubjects | undefined;
  roomId?: number | undefined;
  stayGuestId?: number | undefined;
  lockId?: number | undefined;
}

/** Counts matching records up to `maxCount`. The total is never counted, because records grow without limit. */
export function countRecordsQuery(
  of: RecordsOf,
  roomIds: number[] | null,
  filters: Omit<RecordFilters, "limit" | "after">,
  maxCount: number,
): RecordsQuery {
  const s = new Statement("counted");
  const where = `u.hotel_id = $1${subjectConditions(s, of, roomIds)}${s.conditions({ ...filters, limit: 0, after: null }, BY_TIME)}`;
  const limitedRows = `SELECT FROM unlock_record u WHERE ${where} LIMIT ${s.put(maxCount)}::int`;
  return s.query(`SELECT count(*)::int AS total FROM (${limitedRows}) found`);
}

function subjectConditions(s: Statement, of: RecordsOf, roomIds: number[] | null): string {
  const parts: string[] = [];
  const addSubject = (column: string, id: number | undefined): void => {
    if (id === undefined) return;
    s.name += `-${column}`;
    parts.push(` AND u.${column} = ${s.put(id)}::int`);
  };
  addSubject("room_id", of.roomId);
  addSubject("stay_guest_id", of.stayGuestId);
  addSubject("lock_id", of.lockId);
  const { subjects } = of;
  if (subjects) {
    s.name += "-found";
    const any = Object.entries(FOUND_COLUMNS).map(
      ([name, column]) => `u.${column} = ANY (${s.put(subjects[name as keyof FoundSubjects])}::int[])`,
    );
    parts.push(` AND (${any.join(" OR ")})`);
  }
  if (roomIds) {
    s.name += "-rooms";
    parts.push(` AND u.room_id = ANY (${s.put(roomIds)}::int[])`);
  }
  return parts.join("");
}

/**
 * Selects all matching records in the order of the lists. `columns` is a select list over the record `u` and the joins
 * of NAMES; it adds its parameters with `put`. The caller must check that the subject may be seen.
 */
export function recordsFileQuery(
  of: RecordsOf,
  roomIds: number[] | null,
  filters: Omit<RecordFilters, "limit" | "after">,
  columns: (put: (value: unknown) => string, holder: string) => string,
): HotelQuery {
  const s = new Statement("file");
  const where = `u.hotel_id = $1${subjectConditions(s, of, roomIds)}${s.conditions({ ...filters, limit: 0, after: null }, BY_TIME)}`;
  const order = of.lockId === undefined ? NEWEST : "ORDER BY u.lock_seq DESC";
  const text = `SELECT ${columns((value) => s.put(value), HOLDER)} FROM unlock_record u ${NAMES} WHERE ${where} ${order}`;
  return { text, values: s.values };
}

/** The part of a door record that is put into the reader's language. */
type RecordOutcome = Pick<UnlockRecord, "success" | "style" | "reason">;
type OpeningWords = Pick<UnlockRecord, "openingReason" | "openingNote">;

/** An alarm record is not an attempt to open the door. */
const isAlarm = ({ success, style, reason }: RecordOutcome): boolean =>
  !success && style === "unknown" && reason === "";
const SOURCES = ["lock", "gateway", "console"];

export const styleWords = (row: RecordOutcome, t: Translate): string =>
  t(isAlarm(row) ? "doors.strip.alarm" : `room.style.${row.style}`);
export const resultWords = (row: RecordOutcome, t: Translate): string =>
  t(row.success ? "room.opened" : isAlarm(row) ? "doors.strip.alarm" : "room.refused");
/** Returns why the door stayed shut, or why staff opened it; null if neither is known. */
export function reasonWords(record: RecordOutcome & OpeningWords, t: Translate): string | null {
  const { success, reason, openingReason, openingNote } = record;
  if (!success) return reason === "" ? null : t(`doors.unlockReason.${reason}`);
  if (openingReason === null) return null;
  return [t(`doors.openingReason.${openingReason}`), openingNote].filter(Boolean).join(": ");
}
export const sourceWords = (source: string, t: Translate): string =>
  SOURCES.includes(source) ? t(`room.source.${source}`) : source;

/**
 * Lists the records of a room, newest first; `from` inclusive, `to` exclusive. @throws no_permission, not_found;
 * invalid_input for an invalid cursor
 */
export async function list(scope: Scope, input: UnlockRecordsInput): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  scope.requireRoom(input.roomId);
  return readPage(scope, roomRecordsQuery(input.roomId, filtersOf(input)), input.limit);
}

/** Lists the records of one guest in the rooms the caller sees, newest first. @throws as `list` */
export async function listPersonRecords(
  scope: Scope,
  input: z.infer<typeof schema.personRecordsInput>,
): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  return readPage(scope, personRecordsQuery(input.stayGuestId, scope.roomIds, filtersOf(input)), input.limit);
}

/**
 * Lists the records of one lock, last reported first, from all rooms it was on that the caller sees. @throws as `list`
 */
export async function listLockRecords(
  scope: Scope,
  input: z.infer<typeof schema.lockRecordsInput>,
): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  return readPage(scope, lockRecordsQuery(input.lockId, scope.roomIds, filtersOf(input)), input.limit);
}

/** Lists the records of all doors the caller sees, or of what `keyword` finds, newest first. @throws as `list` */
export async function listHotelRecords(
  scope: Scope,
  input: z.infer<typeof schema.hotelRecordsInput>,
): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  const filters = filtersOf(input);
  const statement = input.keyword
    ? foundRecordsQuery(await findSubjects(scope, input.keyword), scope.roomIds, filters)
    : hotelRecordsQuery(scope.roomIds, filters);
  return readPage(scope, statement, input.limit);
}

/** Limit up to which records are counted and can be paged by number. A cursor has no such limit. */
export const MAX_NUMBERED_RECORDS = 10_000;

/**
 * Returns a numbered page of the records of a room or a guest, for clients that don't page by cursor alone. With a
 * cursor, the page number is ignored. @throws as `list`; invalid_input for a page beyond NUMBERED_RECORDS
 */
export async function listNumberedPage(
  scope: Scope,
  input: z.infer<typeof schema.numberedRecordsInput>,
): Promise<Omit<UnlockRecordsOutput, "records"> & { records: NumberedRecord[]; total: number }> {
  scope.require("unlocks.view");
  const { of, page: number, pageSize, ...filters } = input;
  const skip = filters.cursor === undefined ? rowsBefore(number, pageSize) : 0;
  const query = { ...filtersOf({ ...filters, limit: pageSize }), skip };
  const statement =
    "roomId" in of ? roomRecordsQuery(of.roomId, query) : personRecordsQuery(of.stayGuestId, scope.roomIds, query);
  if ("roomId" in of) scope.requireRoom(of.roomId);
  const result = await readPage(scope, statement, pageSize);
  const roomIds = "roomId" in of ? null : scope.roomIds;
  const { name, text, values } = countRecordsQuery(of, roomIds, query, MAX_NUMBERED_RECORDS);
  const [countResult] = await scope.sql.prepared<{ total: number }>(name, text, ...values);
  const records = result.records.map((record) => ({ ...record, ...openerOf(record) }));
  return { ...result, records, total: countResult?.total ?? 0 };
}

/** Names of who opened, null if unknown. */
interface Opener {
  openedByStaff: string | null;
  openedByGuest: string | null;
}
type NumberedRecord = UnlockRecord & Opener;

/** The holder of a card without a guest is a staff member; the holder of a code or face counts as guest. */
function openerOf({ style, operatorName, guestName, holder }: UnlockRecord): Opener {
  const isCard = style === "card";
  return {
    openedByStaff: operatorName ?? (isCard ? holder : null),
    openedByGuest: guestName ?? (isCard ? null : holder),
  };
}

function rowsBefore(page: number, pageSize: number): number {
  if (page * pageSize <= MAX_NUMBERED_RECORDS) return (page - 1) * pageSize;
  const params = { max: Math.floor(MAX_NUMBERED_RECORDS / pageSize) };
  throw new DomainError("invalid_input", {}, { page: { key: "validation.tooLarge", params } });
}

type Row = UnlockRecord & { key: string };

async function readPage(
  scope: Scope,
  { name, text, values }: RecordsQuery,
  limit: number,
): Promise<UnlockRecordsOutput> {
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
}: Omit<z.infer<typeof schema.hotelRecordsInput>, "keyword">): RecordFilters {
  return { from, to, style, success, limit, after: cursor === undefined ? null : cursorOf(cursor) };
}

/**
 * Rejects dates that don't exist, such as 30 February: JavaScript would move them to a later day, and PostgreSQL would
 * refuse them.
 */
const isExistingInstant = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

/** Parses a cursor: the instant of the last record shown, and its key among records of the same instant. */
function cursorOf(cursor: string): { at: string; key: string } {
  const [, at, key] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || key === undefined || !isExistingInstant(at)) {
    throw new DomainError("invalid_input", {}, { cursor: { key: "validation.unknown" } });
  }
  return { at, key };
}
