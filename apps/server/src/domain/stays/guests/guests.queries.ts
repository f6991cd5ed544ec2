import { DomainError } from "@innkey/shared/errors";
import { COUNTED_TO } from "@innkey/shared/lists";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import { limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { containsWords, needleOf, searchQuery } from "../../../kernel/search-needle.ts";
import { requireVisibleRoom } from "../../property/public.ts";
import { STORED_STATE } from "./guest-list.queries.ts";
import { documentHashes, readDocumentNumber, visibleGuestSql } from "./identity.ts";

/** Guest row with the encrypted document number and the guest id that it is bound to. */
type Row = Omit<z.infer<typeof schema.guestRow>, "documentNumber"> & { guestId: number; documentBox: Buffer | null };

const STATE = "guest_state(s.state, s.ends_at, $2::timestamptz)";

/**
 * Stay guests that match the filters. `listSql` joins guest and room only to the chosen page, so that counting and
 * paging stay cheap.
 */
const MATCHING_GUESTS = `FROM stay_guest sg JOIN stay_now s ON s.id = sg.stay_id
WHERE sg.hotel_id = $1 AND s.hotel_id = $1
  AND ($3::int[] IS NULL OR (NOT never_came(s.state) AND s.room_id = ANY ($3)))
  AND ($4 = '' OR (s.other_information <> '' AND ${containsWords("$4", "search_text(s.other_information)")})
       OR EXISTS (SELECT FROM guest g WHERE g.id = sg.guest_id
            AND (${containsWords("$4", "g.search_key")} OR g.document_number_hash = ANY ($5::bytea[])))
       OR EXISTS (SELECT FROM room r WHERE r.id = s.room_id AND ${containsWords("$4", "r.search_key")}))
  AND ($6::text[] IS NULL OR ${STATE} = ANY ($6)) AND ($14::stay_state[] IS NULL OR s.state = ANY ($14))
  AND ($7::int IS NULL OR EXISTS (SELECT 1 FROM occupancy x WHERE x.stay_id = s.id AND x.room_id = $7))
  AND ($8::int IS NULL OR s.customer_id = $8)
  AND ($9::timestamptz IS NULL OR s.ends_at >= $9) AND ($10::timestamptz IS NULL OR s.starts_at < $10)
  AND ($13::int IS NULL OR sg.id = $13)`;

/** Counts live cards as in the list of cards: those that open, may open, or are being written. */
const WITH_CARDS = `WITH chosen AS (
  SELECT sg.id, sg.guest_id, sg."primary", sg.stay_id, s.starts_at ${MATCHING_GUESTS}
  ORDER BY s.starts_at DESC, s.id DESC, sg."primary" DESC, sg.id LIMIT $11 OFFSET $12
)
SELECT sg.id AS "stayGuestId", s.id AS "stayId", r.id AS "roomId", r.name AS "roomName", g.name,
  g.gender::text AS gender, g.nationality, g.id AS "guestId", g.document_number_box AS "documentBox", g.mobile,
  iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt", ${STATE} AS state, s.breakfast,
  s.other_information AS "otherInformation", sg."primary",
  to_char(g.birth_date, 'YYYY-MM-DD') AS "birthDate",
  (SELECT count(*)::int FROM card k WHERE k.hotel_id = $1 AND k.stay_id = s.id
    AND is_live_card(k.state, k.valid_to, $2::timestamptz)) AS "cardCount"
FROM chosen sg
JOIN stay_now s ON s.id = sg.stay_id
JOIN guest g ON g.id = sg.guest_id
JOIN room r ON r.id = s.room_id
ORDER BY sg.starts_at DESC, s.id DESC, sg."primary" DESC, sg.id`;

const COUNT = `SELECT count(*)::int AS total FROM (SELECT ${MATCHING_GUESTS} LIMIT $11 OFFSET $12) found`;

type Filters = Omit<z.infer<typeof schema.guestListInput>, "page" | "pageSize" | "state" | "sort" | "by">;

/** Filters of the list; `states` are matched exactly, `stayGuestId` selects one guest. */
export interface GuestFilters extends Filters {
  states?: readonly schema.GuestState[] | undefined;
  stayGuestId?: number | undefined;
}

function valuesOf(scope: Scope, input: GuestFilters, page: Paging | undefined): unknown[] {
  return [
    scope.now(),
    scope.roomIds,
    searchQuery(input.keyword),
    documentHashes(scope, input.keyword),
    input.states ?? null,
    input.roomId ?? null,
    input.customerId ?? null,
    input.from ?? null,
    input.to ?? null,
    ...limits(page),
    input.stayGuestId ?? null,
    input.states?.map((state) => STORED_STATE[state]) ?? null,
  ];
}

async function countMatching(scope: Scope, filters: GuestFilters): Promise<number> {
  const [row] = await scope.sql.rows<{ total: number }>(
    COUNT,
    ...valuesOf(scope, filters, { page: 1, pageSize: COUNTED_TO }),
  );
  return row?.total ?? 0;
}

type MatchingGuest = z.infer<typeof schema.matchingGuest>;

/**
 * Finds people whom the caller may see, for a form that fills itself: by the words of a name in any order, phone, or
 * (with guests.documents) the whole document number.
 */
export async function search(scope: Scope, query: string): Promise<MatchingGuest[]> {
  scope.require("stays.manage");
  const needle = await needleOf(scope, query);
  if (!needle) return [];
  const rows = await scope.sql.rows<Omit<MatchingGuest, "documentNumber"> & { documentBox: Buffer | null }>(
    `SELECT g.id AS "guestId", g.name, g.gender::text AS gender, g.nationality, to_char(g.birth_date, 'YYYY-MM-DD') AS "birthDate",
            g.document_type::text AS "documentType", g.document_number_box AS "documentBox", g.mobile, g.email,
            iso(max(s.starts_at)) AS "lastStayAt"
       FROM guest g
       LEFT JOIN stay_guest sg ON sg.guest_id = g.id
       LEFT JOIN stay s ON s.id = sg.stay_id
      WHERE g.hotel_id = $1 AND g.erased_at IS NULL
        AND g.id IN (SELECT f.id FROM guest f WHERE f.hotel_id = $1 AND search_grams(f.search_key) @> search_needles($2::text)
               AND f.search_key LIKE ALL ($5::text[])
             UNION SELECT f.id FROM guest f WHERE f.hotel_id = $1 AND f.document_number_hash = ANY ($3::bytea[]))
        AND ${visibleGuestSql("g", "$4")}
      GROUP BY g.id ORDER BY max(s.starts_at) DESC NULLS LAST LIMIT 8`,
    needle.key,
    documentHashes(scope, query),
    scope.roomIds,
    needle.patterns,
  );
  return rows.map(({ documentBox, ...guest }) => ({
    ...guest,
    documentNumber: readDocumentNumber(scope, guest.guestId, documentBox),
  }));
}

interface PartyRow extends z.infer<typeof schema.guestRow> {
  birthDate: string | null;
  /** null for callers who may not see cards */
  cardCount: number | null;
  remainingSeconds: number;
}

/** Returns the remaining seconds of a stay: the whole stay before it begins, zero after it ended. */
function remainingSeconds(scope: Scope, { state, startsAt, endsAt }: Row): number {
  if (state !== "reserved" && state !== "in") return 0;
  const now = scope.now().getTime();
  const from = state === "reserved" ? Math.max(now, Date.parse(startsAt)) : now;
  return Math.max(0, Math.floor((Date.parse(endsAt) - from) / 1000));
}

/**
 * Returns guests with their stay for old clients, newest arrival first and counted up to COUNTED_TO, with the number of
 * each party's cards, which is null for callers who may not see cards. The keyword is matched as those clients have
 * always known it: as it was typed. `states` are used as given.
 */
export async function withCards(
  scope: Scope,
  filters: GuestFilters,
  page: Paging,
): Promise<{ rows: PartyRow[]; total: number }> {
  scope.require("stays.view");
  if (filters.roomId !== undefined) await requireVisibleRoom(scope, filters.roomId);
  const [rows, total] = await Promise.all([
    scope.sql.rows<Row & Pick<PartyRow, "birthDate" | "cardCount">>(WITH_CARDS, ...valuesOf(scope, filters, page)),
    countMatching(scope, filters),
  ]);
  return {
    rows: rows.map((row) => {
      const { guestId, documentBox, ...visible } = row;
      return {
        ...visible,
        cardCount: scope.can("cards.view") ? row.cardCount : null,
        documentNumber: readDocumentNumber(scope, guestId, documentBox),
        remainingSeconds: remainingSeconds(scope, row),
      };
    }),
    total,
  };
}

/** Returns one guest as `withCards` does. @throws no_permission, not_found */
export async function guestWithCards(scope: Scope, stayGuestId: number): Promise<PartyRow> {
  const { rows } = await withCards(scope, { keyword: "", stayGuestId }, { page: 1, pageSize: 1 });
  const [guest] = rows;
  if (!guest) throw new DomainError("not_found");
  return guest;
}
