import { DomainError } from "@innkey/shared/errors";
import type { OperatorInput } from "@innkey/shared/schemas/people";
import type { Unit } from "../../core/unit.ts";

/** The person behind a staff form. */

/** Who someone is, apart from what they may do. */
export type Person = Pick<OperatorInput, "account" | "name" | "gender" | "nationality" | "birthDate">;

type Kind = "mobile" | "email";
const OTHER: Record<Kind, Kind> = { mobile: "email", email: "mobile" };
const kindOf = (account: string): Kind => (account.includes("@") ? "email" : "mobile");

function accountTakenError(): DomainError {
  return new DomainError("account_taken", {}, { account: { key: "errors.account_taken" } });
}

/** Someone has the account; in which hotel is not told. @throws account_taken */
async function requireFreeAccount(unit: Unit, account: string): Promise<void> {
  const rows = await unit.sql.rows(
    `SELECT o.id FROM operator o, hotel h WHERE h.id = $1 AND o.${kindOf(account)} = $2`,
    account,
  );
  if (rows.length > 0) throw accountTakenError();
}

interface FormerOperator {
  id: number;
  /** the unit's hotel is the only one they ever left */
  ofThisHotel: boolean;
}

/** Every hotel that somebody left has it in its journal, which nobody can change. */
const LEFT = (hotel: string): string => `EXISTS (SELECT FROM audit_entry a WHERE a.hotel_id = ${hotel}
  AND a.entity = 'operator' AND a.entity_id = o.id::text AND a.action = 'operator.remove')`;

/** Another hotel let them go, and its books show the name that it knew. */
export async function wasLetGoElsewhere(unit: Unit, operatorId: number): Promise<boolean> {
  const rows = await unit.sql.rows(
    `SELECT o.id FROM operator o WHERE o.id = $2::int
      AND EXISTS (SELECT FROM hotel other WHERE other.id <> $1 AND ${LEFT("other.id")})`,
    operatorId,
  );
  return rows.length > 0;
}

/** Who has the account and works nowhere any more, held until the unit ends; null if nobody has it. @throws account_taken */
async function formerOperator(unit: Unit, account: string): Promise<FormerOperator | null> {
  const [held] = await unit.sql.rows<FormerOperator>(
    `SELECT o.id, ${LEFT("$1")} AND NOT EXISTS (SELECT FROM hotel other WHERE other.id <> $1 AND ${LEFT("other.id")}) AS "ofThisHotel"
       FROM operator o WHERE o.${kindOf(account)} = $2 AND EXISTS (SELECT FROM hotel WHERE id = $1) FOR UPDATE OF o`,
    account,
  );
  if (!held) return null;
  const employed = await unit.sql.rows(
    "SELECT m.id FROM membership m, hotel h WHERE h.id = $1 AND m.operator_id = $2::int LIMIT 1",
    held.id,
  );
  if (employed.length > 0) throw accountTakenError();
  return held;
}

/**
 * Someone who worked here before, and works nowhere now, comes back as themselves. Someone who worked for another hotel is
 * a new operator: theirs stays in that hotel's records under the name it knew, and only the account comes along. Whom a
 * colleague gives the password chooses another at the first login. @throws account_taken
 */
export async function createOperator(
  unit: Unit,
  input: Person,
  passwordHash: string,
  givenByColleague: boolean,
  now: Date,
): Promise<number> {
  const kind = kindOf(input.account);
  const former = await formerOperator(unit, input.account);
  if (former && !former.ofThisHotel) {
    await unit.sql.rows(
      `UPDATE operator SET ${kind} = NULL WHERE id = $2::int AND EXISTS (SELECT FROM hotel WHERE id = $1) RETURNING id`,
      former.id,
    );
  }
  const values = [
    ...[input.account, input.name, input.gender, input.nationality, input.birthDate, passwordHash, now],
    givenByColleague,
  ];
  const rows = former?.ofThisHotel
    ? await unit.sql.rows<{ id: number }>(
        `UPDATE operator SET ${kind} = $2, ${OTHER[kind]} = NULL, language = NULL, avatar_file_id = NULL, name = $3,
            gender = $4::gender, nationality = $5, birth_date = $6::date, password_hash = $7, password_changed_at = $8,
            password_set_by_other = $9::boolean
          WHERE id = $10::int AND EXISTS (SELECT FROM hotel WHERE id = $1) RETURNING id`,
        ...values,
        former.id,
      )
    : await unit.sql.rows<{ id: number }>(
        `INSERT INTO operator (${kind}, name, gender, nationality, birth_date, password_hash, password_changed_at, created_at,
            password_set_by_other)
          SELECT $2, $3, $4::gender, $5, $6::date, $7, $8, $8, $9::boolean FROM hotel WHERE id = $1 RETURNING id`,
        ...values,
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
