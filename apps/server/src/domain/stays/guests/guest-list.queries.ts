import { uidCandidates } from "@innkey/shared/cards/uid";
import type { StayState } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { COUNTED_TO } from "@innkey/shared/lists";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import { type HotelQuery, limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { type Needle, needleOf } from "../../../kernel/search-needle.ts";
import { undoableSince } from "../../property/public.ts";
import { nothingSinceCheckInSql } from "../stays/write-stays.ts";
import { documentHashes, readDocumentNumber } from "./identity.ts";

type ListInput = z.infer<typeof schema.guestListInput>;
type Filters = Omit<ListInput, "page" | "pageSize" | "sort">;
type GuestState = schema.GuestState;
/** Guest row with the encrypted document number and the guest id that it is bound to. */
type Row = Omit<z.infer<typeof schema.guestListRow>, "documentNumber"> & {
  guestId: number;
  documentBox: Buffer | null;
};

/** Stored state from which each listed state is derived; there is an index for it. */
export const STORED_STATE = {
  reserved: "reserved",
  in: "checked_in",
  expired: "checked_in",
  out: "checked_out",
  cancelled: "cancelled",
  no_show: "no_show",
} as const satisfies Record<GuestState, StayState>;

/** Guests in the house include those who should have left. */
export const statesOf = (state: GuestState | undefined): readonly GuestState[] | undefined =>
  state === "in" ? ["in", "expired"] : state && [state];

/** States of which a hotel never has more stays than it has rooms and reservations. */
const OPEN_STATES: readonly GuestState[] = ["reserved", "in", "expired"];

/** States of stays whose last act may still be undone. */
const UNDOABLE: readonly GuestState[] = ["in", "expired", "out"];

/** Room 9 comes before room 10. */
const ROOM_ORDER = String.raw`substring(r.name FROM '\d{1,9}')::int`;

/**
 * Orders by a column: what is selected for it, and the order. Ids come last, so that equal rows keep their order across
 * pages.
 */
const ORDERS: Record<Column, { joins: string; keys: readonly string[] }> = {
  arrival: { joins: "", keys: ["s.starts_at"] },
  departure: { joins: "", keys: ["s.ends_at"] },
  name: { joins: "JOIN guest g ON g.id = sg.guest_id", keys: ["g.search_key"] },
  room: { joins: "JOIN room r ON r.id = s.room_id", keys: [ROOM_ORDER, "r.search_key"] },
  balance: {
    joins: "LEFT JOIN stay_account a ON a.hotel_id = sg.hotel_id AND a.stay_id = s.id",
    keys: ["coalesce(a.owed_minor, 0)"],
  },
};

type Column = "arrival" | "departure" | "name" | "room" | "balance";

function orderOf(sort: ListInput["sort"]): { joins: string; order: string } {
  const [direction, column] = sort.startsWith("-")
    ? [" DESC", sort.slice(1) as Column]
    : (["", sort as Column] as const);
  const { joins, keys } = ORDERS[column];
  const parts = keys.map((key) => key + direction);
  // Arrivals in the order in which the list has always shown them.
  return { joins, order: [...parts, `s.id${direction}`, 'sg."primary" DESC', "sg.id"].join(", ") };
}

/** Collects the values of a statement; `$1` is the hotel. */
class Values {
  readonly all: unknown[] = [];
  /** Adds a value and returns its placeholder. */
  put(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length + 1}`;
  }
}

/** Fewer digits occur in too many phone numbers to help anybody. */
const MIN_PHONE_DIGITS = 4;

/**
 * CTE `found (id)`: the guests of stays that a person means by what they typed, in any order of words: a name or a
 * phone number, a room with or without a name, a card, a note on the stay, or a whole document number. Digits that are
 * a room's name mean this room, not phone numbers in which they occur.
 */
function foundSql(scope: Scope, keyword: string, { key, patterns }: Needle, values: Values): string {
  const words = key.split(" ");
  const [needle, likes, all] = [values.put(key), values.put(patterns), values.put(words)];
  const ofGuest = `JOIN stay_guest sg ON sg.hotel_id = $1 AND sg.guest_id = g.id WHERE g.hotel_id = $1 AND g.erased_at IS NULL`;
  const ofRoom = `JOIN occupancy o ON o.hotel_id = $1 AND o.room_id = r.id
      JOIN stay_guest sg ON sg.hotel_id = $1 AND sg.stay_id = o.stay_id
    WHERE r.hotel_id = $1 AND NOT EXISTS (SELECT FROM occupancy later WHERE later.stay_id = o.stay_id AND later.id > o.id)`;
  const roomName = "split_part(r.search_key, E'\\n', 1)";
  const isNumber = /^\d+$/.test(key);
  const isRoom = isNumber
    ? `EXISTS (SELECT FROM room r WHERE r.hotel_id = $1 AND r.deleted_at IS NULL AND ${roomName} = ${needle}::text)`
    : "false";
  const parts = [
    `SELECT sg.id FROM room r ${ofRoom} AND ${roomName} LIKE ALL (SELECT '%' || word || '%' FROM unnest(${all}::text[]) AS word)
        AND (${roomName} = ${needle}::text OR NOT ${isRoom})`,
    `SELECT sg.id FROM guest g ${ofGuest} AND g.document_number_hash = ANY (${values.put(documentHashes(scope, keyword))}::bytea[])`,
    `SELECT sg.id FROM stay s JOIN stay_guest sg ON sg.hotel_id = $1 AND sg.stay_id = s.id
      WHERE s.hotel_id = $1 AND s.other_information <> '' AND search_grams(search_text(left(s.other_information, 1000))) @> search_needles(${needle}::text)
        AND search_text(s.other_information) LIKE ALL (${likes}::text[]) AND NOT ${isRoom}`,
  ];
  if (!isNumber || key.length >= MIN_PHONE_DIGITS)
    parts.push(`SELECT sg.id FROM guest g ${ofGuest} AND search_grams(g.search_key) @> search_needles(${needle}::text)
      AND g.search_key LIKE ALL (${likes}::text[]) AND NOT ${isRoom}`);
  if (words.length > 1)
    parts.push(`SELECT sg.id FROM room r ${ofRoom} AND ${roomName} = ANY (${all}::text[])
      AND EXISTS (SELECT FROM guest g WHERE g.id = sg.guest_id AND g.search_key LIKE ALL (
        SELECT '%' || word || '%' FROM unnest(${all}::text[]) AS word WHERE word <> ${roomName}))`);
  if (scope.can("cards.view"))
    parts.push(`SELECT sg.id FROM card c JOIN stay_guest sg ON sg.hotel_id = $1 AND sg.stay_id = c.stay_id
      WHERE c.hotel_id = $1 AND c.uid = ANY (${values.put(uidCandidates(keyword))}::text[])`);
  return `found AS (${parts.join("\n UNION ")})`;
}

/** The state of stay `s` as lists show it. */
const stateSql = (scope: Scope, values: Values): string =>
  `guest_state(s.state, s.ends_at, ${values.put(scope.now())}::timestamptz)`;

/** What a period compares: the whole stay, its arrival or its departure. */
const PERIODS: Record<ListInput["by"], { from: string; to: string }> = {
  stay: { from: "s.ends_at", to: "s.starts_at" },
  arrival: { from: "s.starts_at", to: "s.starts_at" },
  departure: { from: "s.ends_at", to: "s.ends_at" },
};

interface Matching {
  /** CTEs, with WITH */
  ctes: string[];
  /** FROM and WHERE over stay guest `sg` and its stay `s` */
  from: (joins: string) => string;
}

/**
 * Selects the stay guests that match. A filter that isn't set adds no condition, so each list reads the index it
 * needs.
 */
function matching(
  scope: Scope,
  input: Filters,
  states: readonly GuestState[] | undefined,
  needle: Needle | null,
  values: Values,
): Matching {
  const conditions = ["sg.hotel_id = $1", "s.hotel_id = $1"];
  if (scope.roomIds)
    conditions.push(`NOT never_came(s.state) AND s.room_id = ANY (${values.put(scope.roomIds)}::int[])`);
  if (needle) conditions.push("sg.id IN (SELECT id FROM found)");
  // Punctuation alone matches nothing.
  else if (input.keyword) conditions.push("false");
  if (states) {
    conditions.push(`s.state = ANY (${values.put(states.map((one) => STORED_STATE[one]))}::stay_state[])`);
    conditions.push(`${stateSql(scope, values)} = ANY (${values.put(states)}::text[])`);
  }
  if (input.roomId !== undefined)
    conditions.push(
      `EXISTS (SELECT FROM occupancy x WHERE x.stay_id = s.id AND x.room_id = ${values.put(input.roomId)}::int)`,
    );
  if (input.customerId !== undefined) conditions.push(`s.customer_id = ${values.put(input.customerId)}::int`);
  const period = PERIODS[input.by];
  if (input.from !== undefined) conditions.push(`${period.from} >= ${values.put(input.from)}::timestamptz`);
  if (input.to !== undefined) conditions.push(`${period.to} < ${values.put(input.to)}::timestamptz`);
  return {
    ctes: needle ? [foundSql(scope, input.keyword, needle, values)] : [],
    from: (joins) =>
      `FROM stay_guest sg JOIN stay_now s ON s.id = sg.stay_id ${joins} WHERE ${conditions.join(" AND ")}`,
  };
}

/** Balances of the stays on a page, added up at once, as in stay_account, which adds up one stay after the other. */
const BALANCES = `balance AS (
  SELECT f.stay_id, sum(e.amount_minor)::float8 AS owed_minor
  FROM folio_entry f JOIN ledger_entry e ON e.folio_entry_id = f.id AND e.account = 'receivable'
  WHERE f.hotel_id = $1 AND f.stay_id = ANY (ARRAY (SELECT stay_id FROM chosen)) GROUP BY f.stay_id
)`;

/**
 * The statement of the list; guest, room, balance and cards are looked up for the rows of one page only. Without a page
 * it selects everything that matches, without balances and cards.
 */
function listSql(
  scope: Scope,
  input: Omit<ListInput, "page" | "pageSize">,
  needle: Needle | null,
  page?: Paging & { undoableSince: string | null },
) {
  const values = new Values();
  const { ctes, from } = matching(scope, input, statesOf(input.state), needle, values);
  const { joins, order } = orderOf(input.sort);
  const [limit, offset] = limits(page);
  const chosen = `chosen AS (
  SELECT sg.id, sg.stay_id, row_number() OVER () AS place FROM (
    SELECT sg.id, sg.stay_id ${from(joins)} ORDER BY ${order} LIMIT ${values.put(limit)} OFFSET ${values.put(offset)}
  ) sg
)`;
  const seesMoney = page !== undefined && scope.can("folio.view");
  const cards =
    page !== undefined && scope.can("cards.view")
      ? `(SELECT count(*)::int FROM card k WHERE k.hotel_id = $1 AND k.stay_id = s.id
        AND is_live_card(k.state, k.valid_to, ${values.put(scope.now())}::timestamptz))`
      : "NULL::int";
  const since = page?.undoableSince ?? null;
  const undoable =
    since === null
      ? "false"
      : `EXISTS (SELECT FROM stay x WHERE x.id = s.id AND CASE x.state
          WHEN 'checked_out' THEN x.checked_out_at >= ${values.put(since)}::timestamptz AND x.room_condition_before IS NOT NULL
          WHEN 'checked_in' THEN x.checked_in_at >= ${values.put(since)}::timestamptz AND coalesce(${nothingSinceCheckInSql}, false)
          ELSE false END)`;
  const text = `WITH ${[...ctes, chosen, ...(seesMoney ? [BALANCES] : [])].join(", ")}
SELECT sg.id AS "stayGuestId", s.id AS "stayId", r.id AS "roomId", r.name AS "roomName", g.name,
  g.gender::text AS gender, g.nationality, g.id AS "guestId", g.document_number_box AS "documentBox", g.mobile,
  iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt", ${stateSql(scope, values)} AS state, s.breakfast,
  s.other_information AS "otherInformation", sg."primary", ${undoable} AS undoable,
  ${page ? "" : `(SELECT x.no_show_reason FROM stay x WHERE x.id = s.id) AS "noShowReason",`}
  ${seesMoney ? "coalesce(b.owed_minor, 0)" : "NULL::float8"} AS "balanceMinor", ${cards} AS "cardCount"
FROM chosen
JOIN stay_guest sg ON sg.id = chosen.id
JOIN stay_now s ON s.id = sg.stay_id
JOIN guest g ON g.id = sg.guest_id
JOIN room r ON r.id = s.room_id
${seesMoney ? "LEFT JOIN balance b ON b.stay_id = s.id" : ""}
ORDER BY chosen.place`;
  return { text, values: values.all };
}

/** @throws no_permission, invalid_input for an order by balance of all stays ever */
function requireSort(scope: Scope, { sort, state }: Pick<ListInput, "sort" | "state">): void {
  if (sort !== "balance" && sort !== "-balance") return;
  scope.require("folio.view");
  if (!state || !OPEN_STATES.includes(state))
    throw new DomainError("invalid_input", {}, { sort: { key: "validation.choice" } });
}

/** Returns the statement of everything that the list contains, without balances and cards. */
export async function guestListQuery(scope: Scope, input: Omit<ListInput, "page" | "pageSize">): Promise<HotelQuery> {
  requireSort(scope, input);
  return listSql(scope, input, input.keyword ? await needleOf(scope, input.keyword) : null);
}

async function count(
  scope: Scope,
  input: Filters,
  states: readonly GuestState[] | undefined,
  needle: Needle | null,
): Promise<number> {
  const values = new Values();
  const { ctes, from } = matching(scope, input, states, needle, values);
  const [row] = await scope.sql.rows<{ total: number }>(
    `${ctes.length > 0 ? `WITH ${ctes.join(", ")} ` : ""}SELECT count(*)::int AS total FROM (
      SELECT ${from("")} LIMIT ${values.put(COUNTED_TO)}) listed`,
    ...values.all,
  );
  return row?.total ?? 0;
}

/**
 * Returns guests with their stay, newest arrival first unless `sort` says otherwise, counted up to COUNTED_TO. Guests
 * of cancelled stays are included only for callers who see every room. `state` "in" includes overdue guests. Balances
 * and cards are null for callers who may not see them.
 */
export async function list(scope: Scope, input: ListInput): Promise<z.infer<typeof schema.guestListOutput>> {
  scope.require("stays.view");
  requireSort(scope, input);
  const needle = input.keyword ? await needleOf(scope, input.keyword) : null;
  const showsUndoable = input.state === undefined || UNDOABLE.includes(input.state);
  const since = showsUndoable && scope.can("stays.manage") ? await undoableSince(scope) : null;
  const { text, values } = listSql(scope, input, needle, { ...input, undoableSince: since });
  const [rows, total] = await Promise.all([
    scope.sql.rows<Row>(text, ...values),
    count(scope, input, statesOf(input.state), needle),
  ]);
  return {
    rows: rows.map(({ guestId, documentBox, ...row }) => ({
      ...row,
      documentNumber: readDocumentNumber(scope, guestId, documentBox),
    })),
    total,
  };
}

/**
 * Counts the guests of each state that match the other filters, up to COUNTED_TO. Stays that are over are counted only
 * when something else is filtered, because their number only grows; otherwise they are null.
 */
export async function countByState(
  scope: Scope,
  input: z.infer<typeof schema.guestCountsInput>,
): Promise<z.infer<typeof schema.guestCountsOutput>> {
  scope.require("stays.view");
  const needle = input.keyword ? await needleOf(scope, input.keyword) : null;
  const isFiltered = input.keyword !== "" || input.from !== undefined || input.to !== undefined;
  const countOf = (state: GuestState) => count(scope, input, statesOf(state), needle);
  const [reserved, inHouse, expired, out, cancelled, noShow] = await Promise.all([
    countOf("reserved"),
    countOf("in"),
    countOf("expired"),
    isFiltered ? countOf("out") : null,
    isFiltered ? countOf("cancelled") : null,
    isFiltered ? countOf("no_show") : null,
  ]);
  return { reserved, in: inHouse, expired, out, cancelled, no_show: noShow };
}
