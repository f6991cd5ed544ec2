import type { Gender, Role } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { OperatorInput, RoomGrant } from "@innkey/shared/schemas/identity/staff";
import type { Database } from "../../../adapters/postgres/client.ts";
import { type Scope, type ScopeFactory, SYSTEM_ACTOR } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { maskedAccount } from "../login/accounts.ts";
import { type PasswordHasher, requireUnguessable } from "../login/passwords.ts";
import { resetTwoStep } from "../two-step/recovery-codes.ts";

/** Personal data of a staff member, without permissions. */
export type Person = Pick<OperatorInput, "account" | "name" | "gender" | "nationality" | "birthDate">;

type AccountKind = "mobile" | "email";
const OTHER_KIND: Record<AccountKind, AccountKind> = { mobile: "email", email: "mobile" };
const kindOf = (account: string): AccountKind => (account.includes("@") ? "email" : "mobile");

function accountTakenError(): DomainError {
  return new DomainError("account_taken", {}, { account: { key: "errors.account_taken" } });
}

/** Checks that no one has the account. The error doesn't reveal the hotel that has it. @throws account_taken */
async function requireFreeAccount(tx: Transaction, account: string): Promise<void> {
  const rows = await tx.sql.rows(
    `SELECT o.id FROM operator o, hotel h WHERE h.id = $1 AND o.${kindOf(account)} = $2`,
    account,
  );
  if (rows.length > 0) throw accountTakenError();
}

interface FormerOperator {
  id: number;
  /** The transaction's hotel is the only one that this person ever left. */
  ofThisHotel: boolean;
}

/** SQL: whether the person left the hotel. The hotel's audit, which no one can change, has an entry for it. */
const HAS_LEFT = (hotel: string): string => `EXISTS (SELECT FROM audit_entry a WHERE a.hotel_id = ${hotel}
  AND a.entity = 'operator' AND a.entity_id = o.id::text AND a.action = 'operator.remove')`;

/** Checks whether the person left another hotel, whose records show the name they had there. */
export async function hasLeftAnotherHotel(tx: Transaction, operatorId: number): Promise<boolean> {
  const rows = await tx.sql.rows(
    `SELECT o.id FROM operator o WHERE o.id = $2::int
      AND EXISTS (SELECT FROM hotel other WHERE other.id <> $1 AND ${HAS_LEFT("other.id")})`,
    operatorId,
  );
  return rows.length > 0;
}

/**
 * Returns the person who has the account and no job at present, locked until the transaction ends; null if the account
 * is free. @throws account_taken
 */
async function selectFormerOperatorForUpdate(tx: Transaction, account: string): Promise<FormerOperator | null> {
  const [row] = await tx.sql.rows<FormerOperator>(
    `SELECT o.id, ${HAS_LEFT("$1")} AND NOT EXISTS (SELECT FROM hotel other WHERE other.id <> $1 AND ${HAS_LEFT("other.id")}) AS "ofThisHotel"
       FROM operator o WHERE o.${kindOf(account)} = $2 AND EXISTS (SELECT FROM hotel WHERE id = $1) FOR UPDATE OF o`,
    account,
  );
  if (!row) return null;
  const employed = await tx.sql.rows(
    "SELECT m.id FROM membership m, hotel h WHERE h.id = $1 AND m.operator_id = $2::int LIMIT 1",
    row.id,
  );
  if (employed.length > 0) throw accountTakenError();
  return row;
}

/**
 * Creates a staff member. A person who left this hotel, has no job now and never left another hotel is reused. For a
 * person who left another hotel a new one is created, who takes over the account; the earlier person keeps their name
 * in that hotel's records. If a colleague set the password, it must be changed at the first login.
 * @throws account_taken
 */
export async function createOperator(
  tx: Transaction,
  input: Person,
  passwordHash: string,
  createdByColleague: boolean,
  now: Date,
): Promise<number> {
  const kind = kindOf(input.account);
  const former = await selectFormerOperatorForUpdate(tx, input.account);
  if (former && !former.ofThisHotel) {
    await tx.sql.rows(
      `UPDATE operator SET ${kind} = NULL WHERE id = $2::int AND EXISTS (SELECT FROM hotel WHERE id = $1) RETURNING id`,
      former.id,
    );
  }
  const values = [
    ...[input.account, input.name, input.gender, input.nationality, input.birthDate, passwordHash, now],
    createdByColleague,
  ];
  const rows = former?.ofThisHotel
    ? await tx.sql.rows<{ id: number }>(
        `UPDATE operator SET ${kind} = $2, ${OTHER_KIND[kind]} = NULL, language = NULL, avatar_file_id = NULL, name = $3,
            gender = $4::gender, nationality = $5, birth_date = $6::date, password_hash = $7, password_changed_at = $8,
            password_set_by_other = $9::boolean
          WHERE id = $10::int AND EXISTS (SELECT FROM hotel WHERE id = $1) RETURNING id`,
        ...values,
        former.id,
      )
    : await tx.sql.rows<{ id: number }>(
        `INSERT INTO operator (${kind}, name, gender, nationality, birth_date, password_hash, password_changed_at, created_at,
            password_set_by_other)
          SELECT $2, $3, $4::gender, $5, $6::date, $7, $8, $8, $9::boolean FROM hotel WHERE id = $1 RETURNING id`,
        ...values,
      );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("the operator was not created");
  return id;
}

/** Updates the personal data. A new account replaces the earlier one, whether phone or e-mail. @throws account_taken */
export async function updateOperator(
  tx: Transaction,
  operatorId: number,
  input: Person,
  keepAccount: boolean,
): Promise<void> {
  if (!keepAccount) await requireFreeAccount(tx, input.account);
  const [kind, other] = kindOf(input.account) === "email" ? ["email", "mobile"] : ["mobile", "email"];
  const account = keepAccount ? `${kind} = $7` : `${kind} = $7, ${other} = NULL`;
  await tx.sql.rows(
    `UPDATE operator SET name = $3, gender = $4::gender, nationality = $5, birth_date = $6::date, ${account}
      WHERE id = $2::int AND EXISTS (SELECT FROM membership m WHERE m.hotel_id = $1 AND m.operator_id = $2::int) RETURNING id`,
    operatorId,
    input.name,
    input.gender,
    input.nationality,
    input.birthDate,
    input.account,
  );
}

/** Clears the personal details of a person who left, unless another hotel employs them. Name and account stay. */
export async function clearPersonalData(tx: Transaction, operatorId: number): Promise<void> {
  await tx.sql.rows(
    `UPDATE operator o SET gender = NULL, nationality = NULL, birth_date = NULL, avatar_file_id = NULL
      FROM hotel h WHERE h.id = $1 AND o.id = $2::int
        AND NOT EXISTS (SELECT FROM membership m WHERE m.operator_id = o.id) RETURNING o.id`,
    operatorId,
  );
}

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
  apiKeyAuth: boolean;
  capabilities: string[];
  grants: RoomGrant[];
  allRooms: boolean;
  /** Works for another hotel too, so this hotel may not change their personal data. */
  elsewhere: boolean;
}

/** SQL: every grant of membership `m`, in force or not, by room. */
export const GRANTS = `(SELECT coalesce(json_agg(json_build_object('roomId', g.room_id, 'startsAt', iso(g.starts_at),
    'endsAt', iso(g.ends_at)) ORDER BY g.room_id), '[]') FROM room_grant g WHERE g.membership_id = m.id) AS grants`;

/** Returns the staff member and locks the row until the transaction ends. @throws not_found outside the hotel */
export async function selectMemberForUpdate(tx: Transaction, operatorId: number): Promise<Member> {
  // Locks the row before reading it: a statement that waited for the lock would still see the earlier grants.
  await tx.sql.rows("SELECT id FROM membership WHERE hotel_id = $1 AND operator_id = $2::int FOR UPDATE", operatorId);
  const rows = await tx.sql.rows<Member>(
    `SELECT m.id AS "membershipId", o.id AS "operatorId", m.role::text AS role, m.frozen_at IS NOT NULL AS frozen, o.name, o.mobile,
        o.email, o.language, o.gender::text AS gender, o.nationality, to_char(o.birth_date, 'YYYY-MM-DD') AS "birthDate",
        m.api_key_auth AS "apiKeyAuth", coalesce(m.capabilities, '{}') AS capabilities, m.all_rooms AS "allRooms",
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
