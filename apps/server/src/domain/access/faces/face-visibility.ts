import { DomainError } from "@innkey/shared/errors";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";

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
export async function requireVisibleFace(scope: Scope, faceId: number): Promise<void> {
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
