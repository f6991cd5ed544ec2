import { capabilitiesOf } from "@innkey/shared/capabilities";
import type { operatorRow } from "@innkey/shared/schemas/people";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";

type OperatorRow = z.infer<typeof operatorRow>;

/** Everyone who works for the hotel, owners first; last seen here, not in other hotels. @throws no_permission */
export async function list(scope: Scope): Promise<OperatorRow[]> {
  scope.require("staff.view");
  const rows = await scope.sql.rows<OperatorRow>(
    `SELECT o.id AS "operatorId", o.name, o.gender, o.nationality, to_char(o.birth_date, 'YYYY-MM-DD') AS "birthDate",
        o.mobile, o.email, m.role, m.api_key_auth AS "apiKeyAuth", m.capabilities, m.frozen_at IS NOT NULL AS frozen,
        ARRAY(SELECT g.room_id FROM room_grant g WHERE g.membership_id = m.id ORDER BY g.room_id) AS "roomIds",
        (SELECT max(s.last_seen_at) FROM session s WHERE s.hotel_id = $1 AND s.operator_id = o.id) AS "lastSeenAt",
        m.created_at AS "registeredAt"
      FROM membership m JOIN operator o ON o.id = m.operator_id WHERE m.hotel_id = $1 ORDER BY m.role, o.name, o.id`,
  );
  return rows.map((row) => ({ ...row, capabilities: [...capabilitiesOf(row.role, row.capabilities)] }));
}
