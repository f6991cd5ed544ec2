import type { Gender, Role } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { RoomGrant } from "@innkey/shared/schemas/people";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

/** A staff member as the hotel's administrators see them. */
export interface Member {
  membershipId: number;
  operatorId: number;
  role: Role;
  frozen: boolean;
  name: string;
  mobile: string | null;
  email: string | null;
  language: string | null;
  gender: Gender | null;
  nationality: string | null;
  birthDate: string | null;
  capabilities: string[];
  grants: RoomGrant[];
  /** Works for another hotel too, so this hotel may not change their personal data. */
  elsewhere: boolean;
}

/** SQL: every grant of membership `m`, in force or not, by room. */
export const GRANTS = `(SELECT coalesce(json_agg(json_build_object('roomId', g.room_id, 'startsAt', iso(g.starts_at),
    'endsAt', iso(g.ends_at)) ORDER BY g.room_id), '[]') FROM room_grant g WHERE g.membership_id = m.id) AS grants`;

/** Returns the staff member and locks the row until the transaction ends. @throws not_found outside the hotel */
export async function lockedMember(tx: Transaction, operatorId: number): Promise<Member> {
  // We lock the row before reading it: a statement that waited for the lock would still see the earlier grants.
  await tx.sql.rows("SELECT id FROM membership WHERE hotel_id = $1 AND operator_id = $2::int FOR UPDATE", operatorId);
  const rows = await tx.sql.rows<Member>(
    `SELECT m.id AS "membershipId", o.id AS "operatorId", m.role::text AS role, m.frozen_at IS NOT NULL AS frozen, o.name, o.mobile,
        o.email, o.language, o.gender::text AS gender, o.nationality, to_char(o.birth_date, 'YYYY-MM-DD') AS "birthDate", coalesce(m.capabilities, '{}') AS capabilities,
        ${GRANTS},
        EXISTS (SELECT FROM membership e WHERE e.operator_id = o.id AND e.hotel_id <> $1) AS elsewhere
      FROM membership m JOIN operator o ON o.id = m.operator_id
      WHERE m.hotel_id = $1 AND o.id = $2::int`,
    operatorId,
  );
  const member = rows[0];
  if (!member) throw new DomainError("not_found");
  return member;
}

/** Administrators manage administrators and staff, but not owners. @throws no_permission */
export function requireReach(scope: Scope, member: Member): void {
  if (member.role === "owner" && scope.actor.role !== "owner") throw new DomainError("no_permission");
}
