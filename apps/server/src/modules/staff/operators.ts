import { DomainError } from "@innkey/shared/errors";
import type { OperatorInput } from "@innkey/shared/schemas/people";
import type { Unit } from "../../core/unit.ts";

/** The rows behind a staff form: the person, and the rooms they may enter. */

/** Who someone is, apart from what they may do. */
export type Person = Pick<OperatorInput, "account" | "name" | "gender" | "nationality" | "birthDate">;

type Kind = "mobile" | "email";
const kindOf = (account: string): Kind => (account.includes("@") ? "email" : "mobile");

function accountTaken(): DomainError {
  return new DomainError("account_taken", {}, { account: { key: "errors.account_taken" } });
}

/** Someone has the account; in which hotel is not told. @throws account_taken */
async function requireFreeAccount(unit: Unit, account: string): Promise<void> {
  const rows = await unit.sql.rows(
    `SELECT o.id FROM operator o, hotel h WHERE h.id = $1 AND o.${kindOf(account)} = $2`,
    account,
  );
  if (rows.length > 0) throw accountTaken();
}

/** @throws account_taken */
export async function createOperator(unit: Unit, input: Person, passwordHash: string, now: Date): Promise<number> {
  await requireFreeAccount(unit, input.account);
  const rows = await unit.sql.rows<{ id: number }>(
    `INSERT INTO operator (${kindOf(input.account)}, name, gender, nationality, birth_date, password_hash, password_changed_at, created_at)
      SELECT $2, $3, $4::gender, $5, $6::date, $7, $8, $8 FROM hotel WHERE id = $1 RETURNING id`,
    input.account,
    input.name,
    input.gender,
    input.nationality,
    input.birthDate,
    passwordHash,
    now,
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("the operator was not created");
  return id;
}

/** A new account takes the place of what they logged in with before, phone or e-mail. @throws account_taken */
export async function updateOperator(
  unit: Unit,
  operatorId: number,
  input: Person,
  keepAccount: boolean,
): Promise<void> {
  if (!keepAccount) await requireFreeAccount(unit, input.account);
  const [kind, other] = kindOf(input.account) === "email" ? ["email", "mobile"] : ["mobile", "email"];
  const account = keepAccount ? `${kind} = $7` : `${kind} = $7, ${other} = NULL`;
  await unit.sql.rows(
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

/** Grants exactly these rooms; those that stay keep their period. @throws not_found for a room that isn't the hotel's */
export async function replaceGrants(
  unit: Unit,
  hotelId: number,
  membershipId: number,
  roomIds: readonly number[],
): Promise<void> {
  const wanted = [...roomIds];
  const known = await unit.db.room.count({ where: { id: { in: wanted } } });
  if (known !== wanted.length) throw new DomainError("not_found");
  await unit.db.roomGrant.deleteMany({ where: { membershipId, roomId: { notIn: wanted } } });
  const kept = await unit.db.roomGrant.findMany({ where: { membershipId }, select: { roomId: true } });
  const keptIds = new Set(kept.map(({ roomId }) => roomId));
  const added = wanted.filter((roomId) => !keptIds.has(roomId));
  await unit.db.roomGrant.createMany({ data: added.map((roomId) => ({ hotelId, membershipId, roomId })) });
}
