import type * as schema from "@innkey/shared/schemas/stays";
import type { z } from "zod";
import { type HotelQuery, limits, type Paging } from "../../core/hotel-database.ts";
import type { Scope } from "../../core/scope.ts";
import { normalDocumentNumber, readDocumentNumber } from "./identity.ts";

type Input<S extends z.ZodType> = z.infer<S>;
type Row = z.infer<typeof schema.guestRow> & { documentBox: Buffer | null; total: number };

/** A keyword as a LIKE pattern that means itself. */
function contains(keyword: string): string {
  return `%${keyword.replace(/[\\%_]/g, "\\$&")}%`;
}

/** `more` columns beside those of a row. */
const listSql = (more = ""): string => `
SELECT sg.id AS "manageId", s.id AS "stayId", o.room_id AS "roomId", r.name AS "roomName", g.name,
  g.gender::text AS gender, g.nationality, g.document_number_box AS "documentBox", g.mobile,
  iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt", st.state, s.breakfast,
  s.other_information AS "otherInformation", sg."primary"${more}, count(*) OVER ()::int AS total
FROM stay_guest sg
JOIN stay s ON s.id = sg.stay_id
JOIN guest g ON g.id = sg.guest_id
JOIN LATERAL (SELECT room_id FROM occupancy o WHERE o.stay_id = s.id ORDER BY o.id DESC LIMIT 1) o ON true
JOIN room r ON r.id = o.room_id
CROSS JOIN LATERAL (SELECT CASE s.state WHEN 'reserved' THEN 'reserved' WHEN 'checked_out' THEN 'out'
  WHEN 'cancelled' THEN 'cancelled' ELSE CASE WHEN s.ends_at <= $2::timestamptz THEN 'expired' ELSE 'in' END END AS state) st
WHERE sg.hotel_id = $1
  AND ($3::int[] IS NULL OR o.room_id = ANY ($3))
  AND ($4 = '' OR g.name ILIKE $5 OR g.mobile LIKE $5 OR r.name ILIKE $5 OR s.other_information ILIKE $5
       OR g.document_number_hash = $6::bytea)
  AND ($7::text[] IS NULL OR st.state = ANY ($7))
  AND ($8::int IS NULL OR EXISTS (SELECT 1 FROM occupancy x WHERE x.stay_id = s.id AND x.room_id = $8))
  AND ($9::int IS NULL OR s.customer_id = $9)
  AND ($10::timestamptz IS NULL OR s.ends_at >= $10) AND ($11::timestamptz IS NULL OR s.starts_at < $11)
  AND ($14::int IS NULL OR sg.id = $14)
ORDER BY s.starts_at DESC, s.id DESC, sg."primary" DESC, sg.id
LIMIT $12 OFFSET $13`;

const LIST = listSql();

type ListInput = Input<typeof schema.guestListInput>;
type Filters = Omit<ListInput, "page" | "pageSize" | "state">;

/** Which guests: of these states exactly, or one person alone. */
export interface GuestFilters extends Filters {
  states?: readonly schema.GuestState[] | undefined;
  manageId?: number | undefined;
}

function valuesOf(scope: Scope, input: GuestFilters, page: Paging | undefined): unknown[] {
  return [
    scope.now(),
    scope.roomIds,
    input.keyword,
    contains(input.keyword),
    input.keyword === "" ? null : scope.secrets.document.fingerprint(normalDocumentNumber(input.keyword)),
    input.states ?? null,
    input.roomId ?? null,
    input.customerId ?? null,
    input.from ?? null,
    input.to ?? null,
    ...limits(page),
    input.manageId ?? null,
  ];
}

/** The list's statement; without a page everything that matches. */
export function listQuery(
  scope: Scope,
  { state, ...filters }: Omit<ListInput, "page" | "pageSize">,
  page?: Paging,
): HotelQuery {
  const states = state === "in" ? (["in", "expired"] as const) : state && [state];
  return { text: LIST, values: valuesOf(scope, { ...filters, states }, page) };
}

/** Guests with their stay, newest arrival first. `state` "in" includes those who are overdue. */
export async function list(scope: Scope, input: ListInput): Promise<Input<typeof schema.guestListOutput>> {
  scope.require("stays.view");
  const { text, values } = listQuery(scope, input, input);
  const rows = await scope.sql.rows<Row>(text, ...values);
  // A page past the last has no row to carry the total.
  if (rows.length === 0 && input.page > 1) return { ...(await list(scope, { ...input, page: 1 })), rows: [] };
  return {
    rows: rows.map(({ documentBox, total: _total, ...row }) => ({
      ...row,
      documentNumber: readDocumentNumber(scope, documentBox),
    })),
    total: rows[0]?.total ?? 0,
  };
}

type KnownGuest = z.infer<typeof schema.knownGuest>;

/** People the hotel knows, for a form that fills itself: by name, phone, or the whole document number. */
export async function search(scope: Scope, query: string): Promise<KnownGuest[]> {
  scope.require("stays.manage");
  const rows = await scope.sql.rows<Omit<KnownGuest, "documentNumber"> & { documentBox: Buffer | null }>(
    `SELECT g.id AS "guestId", g.name, g.gender::text AS gender, g.nationality, to_char(g.birth_date, 'YYYY-MM-DD') AS "birthDate",
            g.document_type::text AS "documentType", g.document_number_box AS "documentBox", g.mobile, g.email,
            iso(max(s.starts_at)) AS "lastStayAt"
       FROM guest g
       LEFT JOIN stay_guest sg ON sg.guest_id = g.id
       LEFT JOIN stay s ON s.id = sg.stay_id
      WHERE g.hotel_id = $1 AND g.erased_at IS NULL
        AND (g.name ILIKE $2 OR (g.mobile <> '' AND g.mobile LIKE $2) OR g.document_number_hash = $3::bytea)
        AND ($4::int[] IS NULL OR EXISTS (SELECT 1 FROM stay_guest mine JOIN occupancy o ON o.stay_id = mine.stay_id
                                           WHERE mine.guest_id = g.id AND o.room_id = ANY ($4)))
      GROUP BY g.id ORDER BY max(s.starts_at) DESC NULLS LAST LIMIT 8`,
    contains(query),
    scope.secrets.document.fingerprint(normalDocumentNumber(query)),
    scope.roomIds,
  );
  return rows.map(({ documentBox, ...guest }) => ({
    ...guest,
    documentNumber: readDocumentNumber(scope, documentBox),
  }));
}

/** Live as in the list of cards: those that open, may open, or are being written. */
const WITH_CARDS = listSql(`, to_char(g.birth_date, 'YYYY-MM-DD') AS "birthDate",
  (SELECT count(*)::int FROM card k WHERE k.hotel_id = $1 AND k.stay_id = s.id AND k.state <> 'revoked'
    AND (k.valid_to IS NULL OR k.valid_to > $2::timestamptz)) AS "cardCount"`);

type PartyRow = z.infer<typeof schema.guestRow> & { birthDate: string | null; cardCount: number };

/** The same list with the cards that each party holds; `states` are taken as they are said. */
export async function withCards(
  scope: Scope,
  filters: GuestFilters,
  page: Paging,
): Promise<{ rows: PartyRow[]; total: number }> {
  scope.require("stays.view");
  const values = valuesOf(scope, filters, page);
  const rows = await scope.sql.rows<PartyRow & Pick<Row, "documentBox" | "total">>(WITH_CARDS, ...values);
  // A page past the last has no row to carry the total.
  if (rows.length === 0 && page.page > 1)
    return { ...(await withCards(scope, filters, { ...page, page: 1 })), rows: [] };
  return {
    rows: rows.map(({ documentBox, total: _total, ...row }) => ({
      ...row,
      documentNumber: readDocumentNumber(scope, documentBox),
    })),
    total: rows[0]?.total ?? 0,
  };
}
