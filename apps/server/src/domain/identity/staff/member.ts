import type { Gender, Role } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { RoomGrant } from "@innkey/shared/schemas/identity/staff";
import type { Database } from "../../../adapters/postgres/client.ts";
import { type Scope, SYSTEM_ACTOR } from "../../../kernel/scope.ts";
import type { ScopeFactory } from "../../../kernel/system-scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { maskedAccount } from "../login/masked.ts";
import type { PasswordHasher } from "../login/password-hasher.ts";
import { requireUnguessable } from "../login/weak-passwords.ts";
import { resetTwoStep } from "../two-step/reset.ts";
import { createOperator } from "./operators.ts";

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

/**
 * Adds an owner. For the command line only, where the administrator of the server runs it.
 * @throws account_taken, not_found, invalid_input for a weak password
 */
export async function addOwner(
  { database, hasher, openScope }: { database: Database; hasher: PasswordHasher; openScope: ScopeFactory },
  hotelId: number,
  { account, name, password }: { account: string; name: string; password: string },
): Promise<number> {
  const hotel = await database.prisma.hotel.findUnique({ where: { id: hotelId } });
  if (!hotel) throw new DomainError("not_found");
  await requireUnguessable(password, [account, name, hotel.name]);
  const passwordHash = await hasher.hash(password);
  const scope = openScope({
    actor: SYSTEM_ACTOR,
    hotel,
    language: "en",
    channel: "system",
    address: "",
    requestId: "create-owner",
  });
  return scope.write(async (tx) => {
    const person = { account, name, gender: null, nationality: null, birthDate: null };
    const operatorId = await createOperator(tx, person, passwordHash, false, scope.now());
    await tx.db.membership.create({
      data: { hotelId, operatorId, role: "owner", apiKeyAuth: true, createdAt: scope.now() },
    });
    // The account's earlier holder may still have a passkey or an app.
    await resetTwoStep(tx, operatorId, scope.now());
    const after = { name, account: maskedAccount(account), role: "owner" };
    tx.audit({ action: "operator.create", entity: "operator", entityId: operatorId, after });
    return operatorId;
  });
}
