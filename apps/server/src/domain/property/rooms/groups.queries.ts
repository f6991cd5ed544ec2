import type { GroupOutput } from "@innkey/shared/schemas/rooms";
import type { Scope } from "../../../kernel/scope.ts";

const GROUPS = `
  SELECT g.id, g.name, g.sort, count(r.id)::int AS "roomCount"
  FROM room_group g
  LEFT JOIN room r ON r.hotel_id = $1 AND r.group_id = g.id AND r.archived_at IS NULL
    AND ($2::int[] IS NULL OR r.id = ANY ($2::int[]))
  WHERE g.hotel_id = $1
  GROUP BY g.id ORDER BY g.sort, g.name`;

/**
 * Returns the hotel's groups in their order; `roomCount` counts the rooms that the caller can see. @throws
 * no_permission
 */
export async function list(scope: Scope): Promise<GroupOutput[]> {
  scope.require("rooms.view");
  return scope.sql.rows<GroupOutput>(GROUPS, scope.roomIds);
}
