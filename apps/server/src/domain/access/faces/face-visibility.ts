import { DomainError } from "@innkey/shared/errors";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";

/**
 * Whether the caller sees face `f`; `$2` is `scope.roomIds`, `$3` the caller's id. Staff see whom they enrolled, who may or
 * might still open a door of theirs, and who stays or stayed there.
 */
export const FACE_VISIBLE = `($2::int[] IS NULL OR f.created_by_id = $3::int
  OR EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.face_id = f.id AND c.state <> 'revoked'
    AND c.room_id = ANY ($2::int[]))
  OR EXISTS (SELECT FROM stay_guest sg JOIN occupancy o ON o.stay_id = sg.stay_id
    WHERE sg.hotel_id = $1 AND sg.guest_id = f.guest_id AND o.state <> 'cancelled' AND o.room_id = ANY ($2::int[])))`;

/** Held until the unit ends, against whoever erases it or gives it a door. @throws not_found for a face that isn't there, was removed, or that the caller doesn't see */
export async function requireFace(scope: Scope, sql: HotelSql, faceId: number): Promise<void> {
  const rows = await sql.rows(
    `SELECT f.id FROM face f WHERE f.hotel_id = $1 AND f.id = $4::int AND f.deleted_at IS NULL AND ${FACE_VISIBLE} FOR UPDATE OF f`,
    scope.roomIds,
    scope.operatorId,
    faceId,
  );
  if (rows.length === 0) throw new DomainError("not_found");
}

/** The same of a face that is only looked at. @throws not_found */
export async function requireVisibleFace(scope: Scope, faceId: number): Promise<void> {
  const rows = await scope.sql.rows(
    `SELECT f.id FROM face f WHERE f.hotel_id = $1 AND f.id = $4::int AND f.deleted_at IS NULL AND ${FACE_VISIBLE}`,
    scope.roomIds,
    scope.operatorId,
    faceId,
  );
  if (rows.length === 0) throw new DomainError("not_found");
}

/** A face's picture; one that is not enrolled yet is seen by whoever brought it in. @throws not_found */
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
