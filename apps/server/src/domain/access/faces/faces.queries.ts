import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/faces";
import type { z } from "zod";
import { type HotelQuery, type HotelSql, limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { containsWords, searchQuery } from "../../../kernel/search-needle.ts";
import { fileUrl } from "../../files/public.ts";
import { withDisplayStatus } from "../credentials/credential-content.ts";
import { CREDENTIAL_JOINS, credentialJson } from "../credentials/credentials.ts";
import { doorsOfLocks } from "../locks/locks.queries.ts";

/** What a face of a stay opens besides its room follows from the stay's zones, so the lists leave it out. */
const AT_ROOMS = "(c.room_id IS NOT NULL OR c.stay_id IS NULL)";

/**
 * Condition for the caller to see face `f`; `$2` is `scope.roomIds`, `$3` the caller's id. Staff see faces that they
 * enrolled, that open or may still open one of their doors, or whose person stays or stayed in one of their rooms.
 */
export const FACE_VISIBLE = `($2::int[] IS NULL OR f.created_by_id = $3::int
  OR EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.face_id = f.id AND c.state <> 'revoked'
    AND c.room_id = ANY ($2::int[]))
  OR EXISTS (SELECT FROM stay_guest sg JOIN occupancy o ON o.stay_id = sg.stay_id
    WHERE sg.hotel_id = $1 AND sg.guest_id = f.guest_id AND o.state <> 'cancelled' AND o.room_id = ANY ($2::int[])))`;

/**
 * Checks that the caller sees a live face, and locks its row until the transaction ends, so that it can't be erased or
 * granted a door meanwhile. @throws not_found, also for a removed face
 */
export async function requireFace(scope: Scope, sql: HotelSql, faceId: number): Promise<void> {
  const rows = await sql.rows(
    `SELECT f.id FROM face f WHERE f.hotel_id = $1 AND f.id = $4::int AND f.deleted_at IS NULL AND ${FACE_VISIBLE} FOR UPDATE OF f`,
    scope.roomIds,
    scope.operatorId,
    faceId,
  );
  if (rows.length === 0) throw new DomainError("not_found");
}

/** Checks the same without locking the row, for reading. @throws not_found */
async function requireVisibleFace(scope: Scope, faceId: number): Promise<void> {
  const rows = await scope.sql.rows(
    `SELECT f.id FROM face f WHERE f.hotel_id = $1 AND f.id = $4::int AND f.deleted_at IS NULL AND ${FACE_VISIBLE}`,
    scope.roomIds,
    scope.operatorId,
    faceId,
  );
  if (rows.length === 0) throw new DomainError("not_found");
}

/**
 * Checks that the caller may see a face picture. A picture that isn't enrolled yet is visible to its uploader and to
 * callers who see all rooms. @throws not_found
 */
export async function requireFacePicture(scope: Scope, fileId: string): Promise<void> {
  const rows = await scope.sql.rows(
    `SELECT s.id FROM stored_file s LEFT JOIN face f ON f.hotel_id = $1 AND f.file_id = s.id
      WHERE s.hotel_id = $1 AND s.id = $4::uuid
        AND CASE WHEN f.id IS NULL THEN $2::int[] IS NULL OR s.created_by_id = $3::int ELSE ${FACE_VISIBLE} END`,
    scope.roomIds,
    scope.operatorId,
    fileId,
  );
  if (rows.length === 0) throw new DomainError("not_found");
}

type Input<S extends z.ZodType> = z.infer<S>;
type Row = Omit<Input<typeof schema.faceRow>, "imageUrl"> & { fileId: string | null; total: number };
type Grant = Input<typeof schema.faceGrants>[number];

const LIST = `
WITH cut AS (
  SELECT f.*, g.name AS guest_name, count(*) OVER ()::int AS total
    FROM face f LEFT JOIN guest g ON g.id = f.guest_id
   WHERE f.hotel_id = $1 AND f.deleted_at IS NULL AND ${FACE_VISIBLE}
     AND ${containsWords("$4", "search_text(f.note)", "CASE WHEN $7::boolean THEN g.search_key END")}
   ORDER BY f.created_at DESC, f.id DESC LIMIT $5 OFFSET $6
)
SELECT f.id, f.note, f.guest_id AS "guestId", f.guest_name AS "guestName", f.file_id AS "fileId",
  iso(f.consent_at) AS "consentAt", iso(f.created_at) AS "createdAt",
  (SELECT name FROM operator WHERE id = f.created_by_id) AS "operatorName", d.grants, f.total
FROM cut f
CROSS JOIN LATERAL (
  SELECT coalesce(json_agg(${credentialJson("f.note")} ORDER BY c.id), '[]') AS grants
    FROM credential c ${CREDENTIAL_JOINS}
   WHERE c.hotel_id = $1 AND c.face_id = f.id AND c.state <> 'revoked' AND ${AT_ROOMS} AND ($2::int[] IS NULL OR c.room_id = ANY ($2::int[]))
) d
ORDER BY f.created_at DESC, f.id DESC`;

const GRANTS = `
SELECT ${credentialJson("f.note")} AS "grant", c.note, f.file_id AS "fileId"
  FROM credential c ${CREDENTIAL_JOINS}
  JOIN face f ON f.id = c.face_id
 WHERE c.hotel_id = $1 AND c.kind = 'face' AND c.state <> 'revoked' AND ${AT_ROOMS}
   AND ($2::int[] IS NULL OR c.room_id = ANY ($2::int[]))
   AND ($3::int IS NULL OR c.room_id = $3) AND ($4::int IS NULL OR c.stay_id = $4)
   AND ($5::int IS NULL OR c.lock_id = $5) AND ($6::int IS NULL OR c.face_id = $6)
 ORDER BY c.id DESC`;

const urlOf = (fileId: string | null): string | null => fileId && fileUrl(fileId);

/**
 * Returns the statement of the list, whose keyword matches guests' names only for callers who see them; without `page`
 * it selects everything that matches. */
export function faceListQuery(scope: Scope, query: string, page?: Paging): HotelQuery {
  return {
    text: LIST,
    values: [scope.roomIds, scope.operatorId, searchQuery(query), ...limits(page), scope.can("stays.view")],
  };
}

/**
 * Returns enrolled faces with the doors that they open, newest first. `lockCount` is the number of locks that have the
 * face or are to have it. @throws no_permission
 */
export async function list(
  scope: Scope,
  input: Input<typeof schema.facesInput>,
): Promise<{ rows: (schema.FaceRow & { lockCount: number })[]; total: number }> {
  scope.require("faces.view");
  const { text, values } = faceListQuery(scope, input.query, input);
  const rows = await scope.sql.rows<Row>(text, ...values);
  // A page beyond the last one has no row, so the total is read with the first page.
  if (rows.length === 0 && input.page > 1) return { ...(await list(scope, { ...input, page: 1 })), rows: [] };
  return {
    rows: rows.map(({ total: _total, fileId, guestName, ...row }) => ({
      ...row,
      guestName: scope.can("stays.view") ? guestName : null,
      imageUrl: urlOf(fileId),
      lockCount: row.grants.filter(({ state }) => state !== "revoking").length,
    })),
    total: rows[0]?.total ?? 0,
  };
}

/**
 * Returns the permissions at one door, of one stay or of one face. Those of removed faces are included until their
 * locks have confirmed. @throws no_permission
 */
export async function grants(scope: Scope, { roomId, stayId, lockId, faceId }: Input<typeof schema.faceGrantsInput>) {
  scope.require("faces.view");
  const rows = await scope.sql.rows<{ grant: Omit<Grant, "imageUrl" | "note">; note: string; fileId: string | null }>(
    GRANTS,
    scope.roomIds,
    roomId ?? null,
    stayId ?? null,
    lockId ?? null,
    faceId ?? null,
  );
  return rows.map(({ grant, note, fileId }) => withDisplayStatus(scope, { ...grant, note, imageUrl: urlOf(fileId) }));
}

/**
 * Returns the permissions at one lock, or of one face, as `grants` does. @throws not_found for a lock or face that the
 * caller can't see, whatever their permissions; otherwise as `grants`
 */
export async function grantsOfLockOrFace(
  scope: Scope,
  { lockId, faceId }: Input<typeof schema.grantsOfLockOrFaceInput>,
) {
  if (lockId !== undefined) await doorsOfLocks(scope, scope.reads, [lockId]);
  if (faceId !== undefined) await requireVisibleFace(scope, faceId);
  return grants(scope, { lockId, faceId });
}
