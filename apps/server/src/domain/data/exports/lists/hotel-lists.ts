import type { Role } from "@innkey/shared/enums";
import { averageRateMinor, occupancyShare, revenuePerRoomMinor } from "@innkey/shared/occupancy";
import type { AlertRow } from "@innkey/shared/schemas/messaging";
import type { OccupancyRow } from "@innkey/shared/schemas/overview/occupancy";
import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { auditListQuery } from "../../../compliance/public.ts";
import { alertListQuery, alertText } from "../../../messaging/public.ts";
import { occupancyQuery } from "../../../overview/public.ts";
import { endOfDay, ROOM_NOW } from "../../../property/public.ts";
import type { ExportList } from "../columns.ts";

export const alertsList: ExportList<"alerts", AlertRow> = {
  query: (scope, filters) => alertListQuery(scope, filters),
  columns: {
    kind: ({ kind }, { t }) => t(`alert.kind.${kind}`),
    text: (row, { t, times }) => alertText(row, t, times),
    door: ({ roomName }) => roomName,
    state: ({ resolvedAt }, { t }) => t(resolvedAt ? "alert.settled" : "alert.open"),
    count: ({ count }) => count,
    last: ({ lastAt }) => lastAt,
    first: ({ firstAt }) => firstAt,
  },
};

interface AuditRow {
  seq: string;
  /** PLAIN_TYPES: a time as ISO text */
  at: string;
  actorName: string;
  address: string;
  action: string;
  entity: string;
  entityId: string;
  before: unknown;
  after: unknown;
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

export const auditList: ExportList<"audit", AuditRow> = {
  query: () => auditListQuery(),
  columns: {
    at: ({ at }) => at,
    actor: ({ actorName }, { t }) => actorName || t("audit.nobody"),
    action: ({ action }, { t }) => {
      const key = `audit.action.${action}`;
      const words = t(key);
      return words === key ? action : words;
    },
    entity: ({ entity, entityId }) => `${entity} #${entityId}`,
    before: ({ before }) => json(before),
    after: ({ after }) => json(after),
    address: ({ address }) => address,
    seq: ({ seq }) => seq,
  },
};

const PERCENT_DIGITS = 10;

export const occupancyList: ExportList<"occupancy", OccupancyRow> = {
  query: (scope, filters) => occupancyQuery(scope, filters),
  columns: {
    from: ({ from }) => from,
    to: ({ to }) => to,
    rooms: ({ rooms }) => rooms,
    sold: ({ sold }) => sold,
    share: (row) => {
      const share = occupancyShare(row);
      return share === null ? null : Math.round(share * 100 * PERCENT_DIGITS) / PERCENT_DIGITS;
    },
    rate: (row) => averageRateMinor(row),
    perRoom: (row) => revenuePerRoomMinor(row),
    revenue: ({ revenueMinor }) => revenueMinor,
    currency: (_row, { scope }) => scope.hotel.currency,
  },
};

interface StaffRow {
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
    (SELECT count(*)::int FROM room_grant g WHERE g.membership_id = m.id AND is_live_grant(g.ends_at, $3::timestamptz)) AS rooms,
    o.has_second_factor AS "twoStep",
    iso((SELECT max(s.last_seen_at) FROM session s WHERE s.hotel_id = $1 AND s.operator_id = o.id)) AS "lastSeenAt",
    iso(m.created_at) AS "registeredAt"
  FROM membership m JOIN operator_now o ON o.id = m.operator_id
  WHERE m.hotel_id = $1 AND ($2::int[] IS NULL OR o.id = ANY ($2::int[]))
  ORDER BY array_position($2::int[], o.id), m.role, o.name, o.id`;

export const staffList: ExportList<"staff", StaffRow> = {
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

type RoomRow = BoardRoom & { groupName: string | null };

/** The board's rooms in the order of $5, the ids that the browser shows, or all of them if it is null. */
const ROOMS = `WITH ${ROOM_NOW}
  SELECT n.*, g.name AS "groupName" FROM room_now n LEFT JOIN room_group g ON g.hotel_id = $1 AND g.id = n."groupId"
  WHERE $5::int[] IS NULL OR n.id = ANY ($5::int[])
  ORDER BY array_position($5::int[], n.id), g.sort NULLS LAST, g.name, n.sort, n.name, n.id`;

/** Returns the party in a room, else the next one. */
const party = ({ current, next }: RoomRow): BoardRoom["current"] => current ?? next;

export const roomsList: ExportList<"rooms", RoomRow> = {
  query(scope, { ids }) {
    const now = scope.now().toISOString();
    return { text: ROOMS, values: [now, endOfDay(now, scope.hotel.timeZone), scope.roomIds, ids ?? null] };
  },
  columns: {
    name: ({ name }) => name,
    remarkName: ({ remarkName }) => remarkName,
    group: ({ groupName }) => groupName,
    floor: ({ floor }) => floor,
    status: ({ status }, { t }) => t(`status.${status}`),
    guest: (row, { scope }) => (scope.can("stays.view") ? (party(row)?.guestName ?? null) : null),
    arrival: (row) => party(row)?.startsAt ?? null,
    departure: (row) => party(row)?.endsAt ?? null,
    price: ({ usualMinor }) => usualMinor,
    currency: (_row, { scope }) => scope.hotel.currency,
    lock: ({ lock }, { t }) =>
      t(
        lock === null
          ? "room.noLock"
          : !lock.setUp
            ? "room.notConnected"
            : lock.online
              ? "room.online"
              : "room.offline",
      ),
    power: ({ lock }) => lock?.power ?? null,
  },
};
