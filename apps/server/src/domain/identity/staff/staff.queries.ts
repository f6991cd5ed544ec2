import { capabilitiesOf } from "@innkey/shared/capabilities";
import type { operatorRow, ownRooms } from "@innkey/shared/schemas/people";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { HAS_SECOND_FACTOR } from "../two-step/factors.ts";
import { GRANTS } from "./member.ts";

type OperatorRow = z.infer<typeof operatorRow>;

/** Returns the hotel's staff, owners first; "last seen" counts this hotel only. @throws no_permission */
export async function list(scope: Scope): Promise<OperatorRow[]> {
  scope.require("staff.view");
  const rows = await scope.sql.rows<Omit<OperatorRow, "roomIds">>(
    `SELECT o.id AS "operatorId", o.name, '/files/' || o.avatar_file_id AS "avatarUrl", o.gender, o.nationality,
        to_char(o.birth_date, 'YYYY-MM-DD') AS "birthDate",
        o.mobile, o.email, m.role, m.api_key_auth AS "apiKeyAuth", coalesce(m.capabilities, '{}') AS capabilities, m.frozen_at IS NOT NULL AS frozen,
        ${HAS_SECOND_FACTOR} AS "twoStep",
        ${GRANTS},
        (SELECT max(s.last_seen_at) FROM session s WHERE s.hotel_id = $1 AND s.operator_id = o.id) AS "lastSeenAt",
        m.created_at AS "registeredAt"
      FROM membership m JOIN operator o ON o.id = m.operator_id WHERE m.hotel_id = $1 ORDER BY m.role, o.name, o.id`,
  );
  return rows.map((row) => ({
    ...row,
    roomIds: row.grants.map(({ roomId }) => roomId),
    capabilities: [...capabilitiesOf(row.role, row.capabilities)],
  }));
}

/** Returns the caller's rooms with their periods, including future ones; null for callers who have all rooms. */
export async function own(scope: Scope): Promise<z.infer<typeof ownRooms>> {
  if (scope.actor.rooms === "all") return { rooms: null };
  const rooms = await scope.sql.rows<NonNullable<z.infer<typeof ownRooms>["rooms"]>[number]>(
    `SELECT g.room_id AS "roomId", r.name AS "roomName", iso(g.starts_at) AS "startsAt", iso(g.ends_at) AS "endsAt"
      FROM membership m JOIN room_grant g ON g.membership_id = m.id JOIN room r ON r.id = g.room_id
      WHERE m.hotel_id = $1 AND m.operator_id = $2::int AND r.archived_at IS NULL AND (g.ends_at IS NULL OR g.ends_at > $3)
      ORDER BY r.sort, r.name, r.id`,
    scope.operatorId,
    scope.now(),
  );
  return { rooms };
}
