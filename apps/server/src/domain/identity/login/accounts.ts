import type { Database } from "../../../adapters/postgres/client.ts";
import { networkOf } from "../../../adapters/process/network-of.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { voidLoginChallenges } from "../two-step/challenges.ts";
import { type OperatorAtHotel, operatorAtHotelColumns, type SessionEnd } from "./sessions.ts";
import type { Visitor } from "./visitor.ts";

export interface Account {
  operatorId: number;
  mobile: string | null;
  email: string | null;
  name: string;
  passwordHash: string;
  passwordSetByOther: boolean;
  language: string | null;
  /** Hotel of the person's last session, otherwise their first hotel; null if they are frozen in every hotel. */
  hotelId: number | null;
  /** First hotel they belong to, frozen or not; its audit records what concerns the account. */
  anyHotelId: number | null;
  /** True if they belong to exactly one hotel and aren't its owner. */
  colleagueOnly: boolean;
}

/**
 * Reads operators, who may belong to several hotels. Only this file reads them across hotels. Writes go through a
 * transaction of one hotel, so that its audit records them, and check the person's membership in that hotel.
 */
export interface Accounts {
  find(account: string): Promise<Account | null>;
  byId(operatorId: number): Promise<Account | null>;
  at(operatorId: number, hotelId: number, now: Date): Promise<OperatorAtHotel | null>;
  passwordHash(operatorId: number): Promise<string | null>;
  /** Checks whether the operator logged in from the visitor's network, over the same channel, in the last 30 days. */
  knowsNetwork(operatorId: number, visitor: Pick<Visitor, "address" | "channel">, now: Date): Promise<boolean>;
  anyHotel(): Promise<boolean>;
}

const AT_HOTEL = `SELECT ${operatorAtHotelColumns("$3")}
  FROM membership m JOIN operator_now o ON o.id = m.operator_id JOIN hotel h ON h.id = m.hotel_id
  JOIN hotel_state hs ON hs.hotel_id = h.id WHERE m.operator_id = $1 AND m.hotel_id = $2`;

const ACCOUNT = `SELECT o.id AS "operatorId", o.mobile, o.email, o.name, o.password_hash AS "passwordHash",
    o.password_set_by_other AS "passwordSetByOther", o.language,
    (SELECT m.hotel_id FROM membership m WHERE m.operator_id = o.id AND m.frozen_at IS NULL
      ORDER BY (SELECT max(s.created_at) FROM session s WHERE s.operator_id = o.id AND s.hotel_id = m.hotel_id)
        DESC NULLS LAST, m.id LIMIT 1) AS "hotelId",
    (SELECT m.hotel_id FROM membership m WHERE m.operator_id = o.id ORDER BY m.id LIMIT 1) AS "anyHotelId",
    o.colleague_only AS "colleagueOnly"
  FROM operator_now o`;
const FIND = `${ACCOUNT} WHERE o.mobile = $1 OR o.email = $1`;
const BY_ID = `${ACCOUNT} WHERE o.id = $1`;

export function accountsOf({ pool }: Database): Accounts {
  return {
    async find(account) {
      const { rows } = await pool.query<Account>({ name: "account-find", text: FIND, values: [account] });
      return rows[0] ?? null;
    },
    async byId(operatorId) {
      const { rows } = await pool.query<Account>(BY_ID, [operatorId]);
      return rows[0] ?? null;
    },
    async at(operatorId, hotelId, now) {
      const { rows } = await pool.query<OperatorAtHotel>(AT_HOTEL, [operatorId, hotelId, now]);
      return rows[0] ?? null;
    },
    async passwordHash(operatorId) {
      const text = `SELECT password_hash AS "passwordHash" FROM operator WHERE id = $1`;
      const { rows } = await pool.query<{ passwordHash: string }>(text, [operatorId]);
      return rows[0]?.passwordHash ?? null;
    },
    async knowsNetwork(operatorId, { address, channel }, now) {
      const { rows } = await pool.query<{ address: string }>(
        "SELECT DISTINCT address FROM session WHERE operator_id = $1 AND door = $2 AND created_at > $3 LIMIT 1000",
        [operatorId, channel, new Date(now.getTime() - NETWORK_MEMORY_MS)],
      );
      return rows.some((row) => networkOf(row.address) === networkOf(address));
    },
    async anyHotel() {
      const { rows } = await pool.query<{ exists: boolean }>("SELECT EXISTS (SELECT FROM hotel) AS exists");
      return rows[0]?.exists === true;
    },
  };
}

const NETWORK_MEMORY_MS = 30 * 86_400_000;
const MEMBER = "EXISTS (SELECT FROM membership m WHERE m.hotel_id = $1 AND m.operator_id = $2)";

/**
 * For the command line only: sets whether an operator who owns a hotel sees the state of the installation. Returns false
 * for an unknown account.
 */
export async function setRunsInstallation(
  { prisma }: Pick<Database, "prisma">,
  account: string,
  runsInstallation: boolean,
): Promise<boolean> {
  const where = { OR: [{ mobile: account }, { email: account }] };
  const { count } = await prisma.operator.updateMany({ where, data: { runsInstallation } });
  return count > 0;
}

/** Who sets a password: a colleague, or the account's holder, whose proof of identity belongs to `currentHash`. */
type PasswordSetter = "colleague" | { currentHash: string };

/**
 * Sets the password of a member of the transaction's hotel and voids logins begun with the old one. After a colleague
 * sets a password, its holder must choose another.
 * Returns false if there is no such member, or if the password is no longer the one of `currentHash`.
 */
export async function setPassword(
  tx: Transaction,
  operatorId: number,
  passwordHash: string,
  by: PasswordSetter,
  now: Date,
): Promise<boolean> {
  const rows = await tx.sql.rows<{ id: number }>(
    `UPDATE operator SET password_hash = $3, password_changed_at = $4, password_set_by_other = $5::boolean
      WHERE id = $2::int AND ($6::text IS NULL OR password_hash = $6) AND ${MEMBER} RETURNING id`,
    operatorId,
    passwordHash,
    now,
    by === "colleague",
    by === "colleague" ? null : by.currentHash,
  );
  await voidLoginChallenges(tx, operatorId, now);
  return rows.length === 1;
}

/**
 * Ends all live sessions of a member of the transaction's hotel except `keepSessionId`, and forgets the browsers they
 * logged in with, except that session's browser. Returns how many sessions ended.
 */
export async function endSessions(
  tx: Transaction,
  operatorId: number,
  reason: SessionEnd,
  now: Date,
  keepSessionId: string | null = null,
): Promise<number> {
  const rows = await tx.sql.rows<{ id: string }>(
    `UPDATE session SET ended_at = $3, end_reason = $4::session_end
      WHERE operator_id = $2::int AND ended_at IS NULL AND ($5::text IS NULL OR id <> $5::uuid) AND ${MEMBER} RETURNING id::text`,
    operatorId,
    now,
    reason,
    keepSessionId,
  );
  await tx.sql.rows(
    `DELETE FROM known_device d WHERE d.operator_id = $2::int AND ${MEMBER}
      AND NOT EXISTS (SELECT FROM session s WHERE s.id = $3::uuid AND s.device_id = d.id) RETURNING d.id::text`,
    operatorId,
    keepSessionId,
  );
  return rows.length;
}

/**
 * Ends the member's live sessions in the transaction's hotel; sessions in other hotels continue. Forgets their browsers
 * only if the person has no active membership in another hotel. Returns how many sessions ended.
 */
export async function endSessionsInHotel(
  tx: Transaction,
  operatorId: number,
  reason: SessionEnd,
  now: Date,
): Promise<number> {
  const rows = await tx.sql.rows<{ id: string }>(
    `UPDATE session SET ended_at = $3, end_reason = $4::session_end
      WHERE hotel_id = $1 AND operator_id = $2::int AND ended_at IS NULL AND ${MEMBER} RETURNING id::text`,
    operatorId,
    now,
    reason,
  );
  await tx.sql.rows(
    `DELETE FROM known_device d WHERE d.operator_id = $2::int AND ${MEMBER}
      AND NOT EXISTS (SELECT FROM membership other WHERE other.operator_id = $2::int AND other.hotel_id <> $1
        AND other.frozen_at IS NULL) RETURNING d.id::text`,
    operatorId,
  );
  return rows.length;
}

/** Masks an account for the audit: "138****0001", "a***@example.com". */
export function maskedAccount(account: string): string {
  const at = account.indexOf("@");
  if (at >= 0) return `${account.slice(0, 1)}***${account.slice(at)}`;
  return `${account.slice(0, 3)}****${account.slice(-4)}`;
}

/** The last digits would reveal too much of a shorter number. */
const MIN_DIGITS_SHOWN_OF = 7;

/**
 * Masks a phone number or mail address for the audit, which is kept for good: "***67", "a***@example.com". An empty
 * text stays empty.
 */
export function maskedContact(contact: string): string {
  if (contact === "") return "";
  if (contact.includes("@")) return maskedAccount(contact);
  return contact.length < MIN_DIGITS_SHOWN_OF ? "***" : `***${contact.slice(-2)}`;
}
