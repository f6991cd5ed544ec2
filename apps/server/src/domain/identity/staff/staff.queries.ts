import { capabilitiesOf } from "@innkey/shared/capabilities";
import type { Gender, Role } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { operatorRow, ownRooms, staffPageInput } from "@innkey/shared/schemas/identity/staff";
import type { z } from "zod";
import { limits, type Paging } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { containsWords, searchQuery } from "../../../kernel/search-needle.ts";
import { GRANTS } from "./members.ts";

type OperatorRow = z.infer<typeof operatorRow>;

/** Returns the hotel's staff, owners first; "last seen" counts this hotel only. @throws no_permission */
export async function list(scope: Scope): Promise<OperatorRow[]> {
  scope.require("staff.view");
  const rows = await scope.sql.rows<Omit<OperatorRow, "roomIds">>(
    `SELECT o.id AS "operatorId", o.name, '/files/' || o.avatar_file_id AS "avatarUrl", o.gender, o.nationality,
        to_char(o.birth_date, 'YYYY-MM-DD') AS "birthDate",
        o.mobile, o.email, m.role, m.api_key_auth AS "apiKeyAuth", coalesce(m.capabilities, '{}') AS capabilities, m.frozen_at IS NOT NULL AS frozen,
        o.has_second_factor AS "twoStep",
        ${GRANTS}, m.all_rooms AS "allRooms",
        (SELECT max(s.last_seen_at) FROM session s WHERE s.hotel_id = $1 AND s.operator_id = o.id) AS "lastSeenAt",
        m.created_at AS "registeredAt"
      FROM membership m JOIN operator_now o ON o.id = m.operator_id WHERE m.hotel_id = $1 ORDER BY m.role, o.name, o.id`,
  );
  return rows.map((row) => ({
    ...row,
    roomIds: row.grants.map(({ roomId }) => roomId),
    capabilities: [...capabilitiesOf(row.role, row.capabilities)],
  }));
}

/** Returns the caller's rooms with their periods, including future ones; null for callers who have all rooms. */
export async function listOwnRooms(scope: Scope): Promise<z.infer<typeof ownRooms>> {
  if (scope.actor.rooms === "all") return { rooms: null };
  const rooms = await scope.sql.rows<NonNullable<z.infer<typeof ownRooms>["rooms"]>[number]>(
    `SELECT g.room_id AS "roomId", r.name AS "roomName", iso(g.starts_at) AS "startsAt", iso(g.ends_at) AS "endsAt"
      FROM membership m JOIN room_grant g ON g.membership_id = m.id JOIN room r ON r.id = g.room_id
      WHERE m.hotel_id = $1 AND m.operator_id = $2::int AND r.deleted_at IS NULL AND is_live_grant(g.ends_at, $3)
      ORDER BY r.sort, r.name, r.id`,
    scope.operatorId,
    scope.now(),
  );
  return { rooms };
}

/** A staff member, with the number of rooms they may manage. */
export interface StaffRow {
  operatorId: number;
  name: string;
  gender: Gender | null;
  nationality: string | null;
  birthDate: string | null;
  mobile: string | null;
  email: string | null;
  role: Role;
  frozen: boolean;
  /** For the role staff, rooms with a current or future grant; for other roles, all rooms of the hotel. */
  roomCount: number;
  registeredAt: string;
}

/** SQL, with $2 as the current time: the grant `g` is in force, or will be. */
const LIVE_GRANT = "is_live_grant(g.ends_at, $2)";

const STAFF = `
  SELECT o.id AS "operatorId", o.name, o.gender::text AS gender, o.nationality,
    to_char(o.birth_date, 'YYYY-MM-DD') AS "birthDate", o.mobile, o.email, m.role::text AS role,
    m.frozen_at IS NOT NULL AS frozen, iso(m.created_at) AS "registeredAt", count(*) OVER ()::int AS total,
    (SELECT count(*)::int FROM room r LEFT JOIN room_grant g ON g.membership_id = m.id AND g.room_id = r.id AND ${LIVE_GRANT}
      WHERE r.hotel_id = $1 AND r.deleted_at IS NULL AND (m.role <> 'staff' OR g.room_id IS NOT NULL)) AS "roomCount"
  FROM membership m JOIN operator o ON o.id = m.operator_id
  WHERE m.hotel_id = $1 AND ${containsWords("$3", "search_text(o.name)", "search_text(o.mobile)", "search_text(o.email)")}
  ORDER BY m.role, o.name, o.id LIMIT $4::int OFFSET $5::int`;

/**
 * Returns one page of the hotel's staff, owners first; the keyword is matched with name, phone and e-mail. @throws
 * no_permission
 */
export async function page(
  scope: Scope,
  input: z.output<typeof staffPageInput>,
): Promise<{ rows: StaffRow[]; total: number }> {
  scope.require("staff.view");
  const { keyword } = input;
  const rows = await scope.sql.rows<StaffRow & { total: number }>(
    STAFF,
    scope.now(),
    searchQuery(keyword),
    ...limits(input),
  );
  // A page past the last has no row to carry the total.
  if (rows.length === 0 && input.page > 1) return { ...(await page(scope, { ...input, page: 1 })), rows: [] };
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/** A room with the period of its grant; null means no start or no end. */
export interface StaffRoom {
  roomId: number;
  roomName: string;
  groupId: number | null;
  groupName: string | null;
  startsAt: string | null;
  endsAt: string | null;
}

const ROOMS = `
  SELECT r.id AS "roomId", r.name AS "roomName", r.group_id AS "groupId", c.name AS "groupName",
    iso(g.starts_at) AS "startsAt", iso(g.ends_at) AS "endsAt", count(*) OVER ()::int AS total
  FROM membership m
  JOIN room r ON r.hotel_id = m.hotel_id AND r.deleted_at IS NULL
  LEFT JOIN room_group c ON c.hotel_id = m.hotel_id AND c.id = r.group_id
  LEFT JOIN room_grant g ON g.membership_id = m.id AND g.room_id = r.id AND m.role = 'staff' AND ${LIVE_GRANT}
  WHERE m.hotel_id = $1 AND m.operator_id = $3::int AND (m.role <> 'staff' OR g.room_id IS NOT NULL) = $4
  ORDER BY r.sort, r.name, r.id LIMIT $5::int OFFSET $6::int`;

/**
 * Returns the rooms with a current or future grant for this person, or with `granted` false the other rooms. Roles
 * other than staff have all rooms.
 * @throws no_permission, not_found
 */
export async function listRoomsOfMember(
  scope: Scope,
  operatorId: number,
  granted: boolean,
  paging: Paging,
): Promise<{ rows: StaffRoom[]; total: number }> {
  scope.require("staff.view");
  const member = await scope.reads.membership.findFirst({ where: { operatorId }, select: { id: true } });
  if (!member) throw new DomainError("not_found");
  const rows = await scope.sql.rows<StaffRoom & { total: number }>(
    ROOMS,
    scope.now(),
    operatorId,
    granted,
    ...limits(paging),
  );
  if (rows.length === 0 && paging.page > 1) {
    return { ...(await listRoomsOfMember(scope, operatorId, granted, { ...paging, page: 1 })), rows: [] };
  }
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}
