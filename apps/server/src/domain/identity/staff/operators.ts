import { DomainError } from "@innkey/shared/errors";
import type { OperatorInput } from "@innkey/shared/schemas/identity/staff";
import type { Transaction } from "../../../kernel/transaction.ts";

/** Personal data of a staff member, without permissions. */
export type Person = Pick<OperatorInput, "account" | "name" | "gender" | "nationality" | "birthDate">;

type Kind = "mobile" | "email";
const OTHER: Record<Kind, Kind> = { mobile: "email", email: "mobile" };
const kindOf = (account: string): Kind => (account.includes("@") ? "email" : "mobile");

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
const LEFT = (hotel: string): string => `EXISTS (SELECT FROM audit_entry a WHERE a.hotel_id = ${hotel}
  AND a.entity = 'operator' AND a.entity_id = o.id::text AND a.action = 'operator.remove')`;

/** Checks whether the person left another hotel, whose records show the name they had there. */
export async function wasLetGoElsewhere(tx: Transaction, operatorId: number): Promise<boolean> {
  const rows = await tx.sql.rows(
    `SELECT o.id FROM operator o WHERE o.id = $2::int
      AND EXISTS (SELECT FROM hotel other WHERE other.id <> $1 AND ${LEFT("other.id")})`,
    operatorId,
  );
  return rows.length > 0;
}

/**
 * Returns the person who has the account and no job at present, locked until the transaction ends; null if the account
 * is free. @throws account_taken
 */
async function formerOperator(tx: Transaction, account: string): Promise<FormerOperator | null> {
  const [row] = await tx.sql.rows<FormerOperator>(
    `SELECT o.id, ${LEFT("$1")} AND NOT EXISTS (SELECT FROM hotel other WHERE other.id <> $1 AND ${LEFT("other.id")}) AS "ofThisHotel"
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
 * person who left another hotel we create a new one, who takes over the account; the earlier person keeps their name in
 * that hotel's records. If a colleague set the password, it must be changed at the first login.
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
  const former = await formerOperator(tx, input.account);
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
        `UPDATE operator SET ${kind} = $2, ${OTHER[kind]} = NULL, language = NULL, avatar_file_id = NULL, name = $3,
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

/** Clears the personal details of somebody who left, unless another hotel employs them. Name and account stay. */
export async function clearPersonalData(tx: Transaction, operatorId: number): Promise<void> {
  await tx.sql.rows(
    `UPDATE operator o SET gender = NULL, nationality = NULL, birth_date = NULL, avatar_file_id = NULL
      FROM hotel h WHERE h.id = $1 AND o.id = $2::int
        AND NOT EXISTS (SELECT FROM membership m WHERE m.operator_id = o.id) RETURNING o.id`,
    operatorId,
  );
}
