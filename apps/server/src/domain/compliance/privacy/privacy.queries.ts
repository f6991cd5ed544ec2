import { DomainError } from "@innkey/shared/errors";
import type { PersonRecords, PersonRow } from "@innkey/shared/schemas/compliance/privacy";
import type { Scope } from "../../../kernel/scope.ts";
import { documentHashes } from "../../stays/public.ts";

const MAX_RESULTS = 20;

/** Returns a LIKE pattern that matches the keyword literally. */
const contains = (keyword: string): string => `%${keyword.replace(/[\\%_]/g, "\\$&")}%`;

const PERSON = `g.id AS "guestId", g.name, g.mobile, g.email, iso(g.erased_at) AS "erasedAt",
  CASE WHEN coalesce(bool_or(s.state = 'checked_in'), false) THEN 'here'
    WHEN coalesce(bool_or(s.state = 'reserved'), false) THEN 'expected' ELSE 'gone' END AS standing,
  count(s.id)::int AS "stayCount", iso(max(s.starts_at)) AS "lastStayAt"`;
const STAYS = "LEFT JOIN stay_guest sg ON sg.guest_id = g.id LEFT JOIN stay s ON s.id = sg.stay_id";

/** Finds people by name, phone, e-mail or the whole document number, latest stay first. */
export async function find(scope: Scope, query: string): Promise<PersonRow[]> {
  scope.require("privacy.manage");
  return scope.sql.rows<PersonRow>(
    `SELECT ${PERSON} FROM guest g ${STAYS}
      WHERE g.hotel_id = $1 AND g.erased_at IS NULL
        AND (g.name ILIKE $2 OR g.mobile LIKE $2 OR g.email ILIKE $2 OR g.document_number_hash = ANY ($3::bytea[]))
      GROUP BY g.id ORDER BY max(s.starts_at) DESC NULLS LAST, g.id DESC LIMIT $4::int`,
    contains(query),
    documentHashes(scope, query),
    MAX_RESULTS,
  );
}

const PERSON_RECORDS = `SELECT ${PERSON}, g.document_number_box IS NOT NULL AS "hasDocument",
    iso(g.documents_erased_at) AS "documentsErasedAt",
    (SELECT count(*) FROM face f WHERE f.hotel_id = $1 AND f.guest_id = g.id AND f.deleted_at IS NULL)::int AS faces,
    (SELECT count(*) FROM card c WHERE c.hotel_id = $1 AND c.stay_id IN (SELECT stay_id FROM theirs))::int AS cards,
    (SELECT count(*) FROM passcode p WHERE p.hotel_id = $1 AND p.stay_id IN (SELECT stay_id FROM theirs))::int AS codes,
    (SELECT count(*) FROM folio_entry o WHERE o.hotel_id = $1 AND o.stay_id IN (SELECT stay_id FROM theirs))::int AS entries,
    (SELECT count(*) FROM unlock_record u WHERE u.hotel_id = $1 AND u.stay_guest_id IN (SELECT id FROM theirs))::int
      AS "doorRecords"
  FROM guest g ${STAYS} WHERE g.hotel_id = $1 AND g.id = $2::int GROUP BY g.id`;

/** Returns what the hotel stores about one person: their stays, and the number of other records. @throws not_found */
export async function readPersonRecords(scope: Scope, guestId: number): Promise<PersonRecords> {
  scope.require("privacy.manage");
  const theirs = "WITH theirs AS (SELECT id, stay_id FROM stay_guest WHERE hotel_id = $1 AND guest_id = $2::int)";
  const [person] = await scope.sql.rows<Omit<PersonRecords, "stays">>(`${theirs} ${PERSON_RECORDS}`, guestId);
  if (!person) throw new DomainError("not_found");
  const stays = await scope.sql.rows<PersonRecords["stays"][number]>(
    `SELECT s.id AS "stayId", sg.id AS "stayGuestId", coalesce(r.name, '') AS "roomName", iso(s.starts_at) AS "startsAt",
        iso(coalesce(s.checked_out_at, s.cancelled_at, s.ends_at)) AS "endsAt", s.state::text AS state,
        (SELECT count(*) FROM stay_guest o WHERE o.stay_id = s.id)::int AS guests
      FROM stay_guest sg JOIN stay_now s ON s.id = sg.stay_id
      LEFT JOIN room r ON r.id = s.room_id
      WHERE sg.hotel_id = $1 AND sg.guest_id = $2::int ORDER BY s.starts_at DESC, s.id DESC`,
    guestId,
  );
  return { ...person, stays };
}
