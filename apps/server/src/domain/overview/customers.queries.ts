import { DomainError } from "@innkey/shared/errors";
import type {
  CustomerDetail,
  CustomerListInput,
  CustomerListOutput,
  customerStays,
} from "@innkey/shared/schemas/stays/customers";
import type { z } from "zod";
import { type HotelQuery, limits, type Paging } from "../../kernel/hotel-database.ts";
import type { Scope } from "../../kernel/scope.ts";
import { containsWords, searchQuery } from "../../kernel/search-needle.ts";
import { CARD_LOCK_CONTACT, cardStatus } from "../access/public.ts";

/**
 * SQL that checks whether the caller sees the room of stay `s`; `rooms` is the parameter with their rooms, null for
 * all.
 */
const inRooms = (rooms: string): string => `(${rooms}::int[] IS NULL OR s.room_id = ANY (${rooms}::int[]))`;

/** Columns of customer `c`, with the counts of stays from `s`. */
const ROW = `c.id, c.kind::text AS kind, c.name, c.mobile, c.email, c.company, c.address, c.tax_number AS "taxNumber", c.note, c.frozen_at IS NOT NULL AS frozen,
  iso(c.created_at) AS "createdAt", coalesce(s.stays, 0) AS "stayCount", coalesce(s.in_house, false) AS "inHouse"`;
const countsSql = (rooms: string): string => `SELECT count(*)::int AS stays, bool_or(state = 'checked_in') AS in_house,
    count(*) FILTER (WHERE state IN ('reserved', 'checked_in'))::int AS open
  FROM stay_now s WHERE s.hotel_id = $1 AND s.customer_id = c.id AND ${inRooms(rooms)}`;

/** Ids come last, so that customers with the same name keep their order across pages. */
const ORDERS: Record<CustomerListInput["sort"], string> = {
  name: "lower(c.name), c.id",
  "-name": "lower(c.name) DESC, c.id DESC",
  since: "c.created_at, c.id",
  "-since": "c.created_at DESC, c.id DESC",
  stays: "c.stays, lower(c.name), c.id",
  "-stays": "c.stays DESC, lower(c.name), c.id",
};

/**
 * Counts live cards as the list of cards does: those that open, may open, or are being written. $7: current time, $8:
 * the reader's rooms, $9: whether the reader may see cards.
 */
const LIVE_CARDS = `(SELECT CASE WHEN $9::boolean THEN count(*)::int END FROM stay_now s JOIN card k ON k.hotel_id = $1 AND k.stay_id = s.id
  WHERE s.hotel_id = $1 AND s.customer_id = c.id AND ${inRooms("$8")}
    AND is_live_card(k.state, k.valid_to, $7::timestamptz))`;

/** Filters first and counts stays only for the requested page, unless the list is sorted by them. */
export function listSql(sort: CustomerListInput["sort"]): string {
  const byStays = sort === "stays" || sort === "-stays";
  const stays = byStays
    ? `, (SELECT count(*)::int FROM stay_now s WHERE s.hotel_id = $1 AND s.customer_id = customer.id AND ${inRooms("$8")}) AS stays`
    : "";
  return `
  WITH found AS (
    SELECT *${stays} FROM customer
    WHERE hotel_id = $1 AND deleted_at IS NULL
      AND ${containsWords("$2", "search_key")}
      AND ($3::text IS NULL OR kind::text = $3) AND ($4::boolean IS NULL OR (frozen_at IS NOT NULL) = $4)
  ),
  page AS (SELECT c.*, row_number() OVER (ORDER BY ${ORDERS[sort]}) AS place FROM found c
    ORDER BY ${ORDERS[sort]} LIMIT $5::int OFFSET $6::int)
  SELECT (SELECT count(*)::int FROM found) AS total, coalesce((
    SELECT json_agg(to_jsonb(r) - 'place' ORDER BY r.place)
    FROM (SELECT ${ROW}, ${LIVE_CARDS} AS "cardCount", c.place FROM page c LEFT JOIN LATERAL (${countsSql("$8")}) s ON true) r
  ), '[]') AS rows`;
}

/** $2: customer, $3: the reader's rooms, null for all. */
export const DETAIL = `
SELECT ${ROW}, coalesce(s.open, 0) AS "openStays",
  coalesce((SELECT sum(a.owed_minor)::float8 FROM stay_now s JOIN stay_account a ON a.stay_id = s.id
    WHERE s.hotel_id = $1 AND s.customer_id = c.id AND ($3::int[] IS NULL OR s.room_id = ANY ($3))), 0) AS "balanceMinor"
FROM customer c LEFT JOIN LATERAL (${countsSql("$3")}) s ON true
WHERE c.hotel_id = $1 AND c.id = $2 AND c.deleted_at IS NULL`;

/** Live cards as in the list of cards: those that open, may open, or are being written. $4: current time. */
export const CARDS = `
SELECT c.id, shown_uid(c.uid, c.id_card) AS uid, c.note, c.state::text AS state, ${cardStatus("$4")} AS standing, ${CARD_LOCK_CONTACT},
  iso(c.used_at) AS "usedAt", iso(c.valid_to) AS "validTo",
  r.name AS "roomName", g.name AS "guestName", g.stay_guest_id AS "stayGuestId"
FROM stay_now s
JOIN card c ON c.hotel_id = $1 AND c.stay_id = s.id
JOIN room r ON r.id = s.room_id
LEFT JOIN primary_guest g ON g.stay_id = s.id
WHERE s.hotel_id = $1 AND s.customer_id = $2 AND ($3::int[] IS NULL OR s.room_id = ANY ($3))
  AND is_live_card(c.state, c.valid_to, $4::timestamptz)
ORDER BY c.id DESC LIMIT 100`;

/** $3: current time. */
export const READERS = `
SELECT id, name, device_no AS "deviceNo", is_reader_online(last_seen_at, $3::timestamptz) AS online
FROM card_reader e WHERE hotel_id = $1
  AND EXISTS (SELECT FROM card_reader_holder h WHERE h.card_reader_id = e.id AND h.customer_id = $2)
ORDER BY lower(name), id`;

/** $4: current time, $5: page size, $6: offset. Returns no row if the customer doesn't exist. */
export const STAYS = `
WITH found AS (
  SELECT s.id, s.state, s.starts_at, s.ends_at, s.room_id FROM stay_now s
  WHERE s.hotel_id = $1 AND s.customer_id = $2 AND ($3::int[] IS NULL OR s.room_id = ANY ($3))
)
SELECT (SELECT count(*)::int FROM found) AS total, coalesce((
  SELECT json_agg(json_build_object('stayId', s.id, 'stayGuestId', g.stay_guest_id, 'guestName', g.name, 'roomId', r.id,
    'roomName', r.name, 'startsAt', iso(s.starts_at), 'endsAt', iso(s.ends_at), 
    'owedMinor', (SELECT a.owed_minor FROM stay_account a WHERE a.stay_id = s.id),
    'state', guest_state(s.state, s.ends_at, $4::timestamptz))
    ORDER BY s.starts_at DESC, s.id DESC)
  FROM (SELECT * FROM found ORDER BY starts_at DESC, id DESC LIMIT $5::int OFFSET $6::int) s
  JOIN room r ON r.id = s.room_id
  JOIN primary_guest g ON g.stay_id = s.id
), '[]') AS rows
FROM customer c WHERE c.hotel_id = $1 AND c.id = $2 AND c.deleted_at IS NULL`;

/** Returns the statement of the list; without a page it selects everything that matches. */
export function customerListQuery(
  scope: Scope,
  input: Omit<CustomerListInput, "page" | "pageSize">,
  page?: Paging,
): HotelQuery {
  const { keyword, kind, frozen, sort } = input;
  return {
    text: listSql(sort),
    values: [
      searchQuery(keyword),
      kind ?? null,
      frozen ?? null,
      ...limits(page),
      scope.now(),
      scope.roomIds,
      scope.can("cards.view"),
    ],
  };
}

/**
 * Returns one page of the active customers whose name, company, phone or mail contain the words of the keyword.
 * @throws no_permission
 */
export async function list(scope: Scope, input: CustomerListInput): Promise<CustomerListOutput> {
  scope.require("customers.view");
  const { text, values } = customerListQuery(scope, input, input);
  const [row] = await scope.sql.rows<CustomerListOutput>(text, ...values);
  return row ?? { rows: [], total: 0 };
}

/**
 * Returns one customer with their cards and readers, and the amount owed. Includes only stays in the caller's rooms.
 * @throws no_permission, not_found
 */
export async function detail(scope: Scope, id: number): Promise<CustomerDetail> {
  scope.require("customers.view");
  const [customer] = await scope.sql.rows<Omit<CustomerDetail, "cards" | "readers">>(DETAIL, id, scope.roomIds);
  if (!customer) throw new DomainError("not_found");
  const now = scope.now();
  const stays = scope.can("stays.view");
  return {
    ...customer,
    balanceMinor: stays ? customer.balanceMinor : null,
    cards: stays && scope.can("cards.view") ? await scope.sql.rows(CARDS, id, scope.roomIds, now) : null,
    readers: scope.can("cardReaders.view") ? await scope.sql.rows(READERS, id, now) : null,
  };
}

type Stays = z.infer<typeof customerStays>;

/**
 * Returns a page of the customer's stays in the caller's rooms, latest arrival first. @throws no_permission, not_found
 */
export async function stays(
  scope: Scope,
  { customerId, page, pageSize }: { customerId: number; page: number; pageSize: number },
): Promise<Stays> {
  scope.require("customers.view");
  scope.require("stays.view");
  const [row] = await scope.sql.rows<Stays>(
    STAYS,
    customerId,
    scope.roomIds,
    scope.now(),
    pageSize,
    (page - 1) * pageSize,
  );
  if (!row) throw new DomainError("not_found");
  return row;
}
