import type { Role } from "@innkey/shared/enums";
import { HAS_SECOND_FACTOR } from "../../../identity/public.ts";
import type { ExportList } from "../columns.ts";

interface Row {
  name: string;
  role: Role;
  frozen: boolean;
  mobile: string | null;
  email: string | null;
  rooms: number;
  twoStep: boolean;
  lastSeenAt: string | null;
  registeredAt: string;
}

/** Staff in the order of $2, the ids that the browser shows, or all of them if it is null. $3 is the current time. */
const STAFF = `SELECT o.name, m.role::text AS role, m.frozen_at IS NOT NULL AS frozen, o.mobile, o.email,
    (SELECT count(*)::int FROM room_grant g WHERE g.membership_id = m.id AND (g.ends_at IS NULL OR g.ends_at > $3::timestamptz)) AS rooms,
    ${HAS_SECOND_FACTOR} AS "twoStep",
    iso((SELECT max(s.last_seen_at) FROM session s WHERE s.hotel_id = $1 AND s.operator_id = o.id)) AS "lastSeenAt",
    iso(m.created_at) AS "registeredAt"
  FROM membership m JOIN operator o ON o.id = m.operator_id
  WHERE m.hotel_id = $1 AND ($2::int[] IS NULL OR o.id = ANY ($2::int[]))
  ORDER BY array_position($2::int[], o.id), m.role, o.name, o.id`;

export const staffList: ExportList<"staff", Row> = {
  query: (scope, { ids }) => ({ text: STAFF, values: [ids ?? null, scope.now().toISOString()] }),
  columns: {
    name: ({ name }) => name,
    state: ({ frozen }, { t }) => t(frozen ? "staff.frozen" : "staff.active"),
    role: ({ role }, { t }) => t(`shell.role.${role}`),
    mobile: ({ mobile }) => mobile,
    email: ({ email }) => email,
    rooms: ({ role, rooms }, { t }) => (role === "staff" ? String(rooms) : t("staff.allRooms")),
    twoStep: ({ twoStep }, { t }) => t(twoStep ? "twoStep.on" : "twoStep.off"),
    lastSeen: ({ lastSeenAt }) => lastSeenAt,
    registered: ({ registeredAt }) => registeredAt,
  },
};
