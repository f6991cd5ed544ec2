import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { ChallengePurpose } from "../../../adapters/postgres/generated/enums.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { MEMBER } from "./factors.ts";

/** How long each step may take, in seconds. Installing an app takes longer than typing a code. */
export const VALID_SECONDS: Readonly<Record<ChallengePurpose, number>> = {
  second_factor: 5 * 60,
  passkey_login: 5 * 60,
  passkey_setup: 5 * 60,
  passkey_proof: 5 * 60,
  totp_setup: 15 * 60,
};
export const MAX_TRIES = 5;
const NONCE_BYTES = 32;

export interface Challenge {
  id: string;
  /** null for a passkey login, because the passkey identifies the operator later */
  operatorId: number | null;
  /** Random value that the passkey signs. */
  nonce: Buffer<ArrayBuffer>;
  secretBox: Buffer | null;
  userHandle: Buffer | null;
  /** Number of tries, including this one. */
  tries: number;
}

interface ChallengeInput {
  operatorId: number | null;
  /** Session that a passkey_proof belongs to. */
  sessionId?: string;
  /** Seals a secret to store in the challenge's row. */
  sealSecret?(challengeId: string): Uint8Array;
  userHandle?: Uint8Array;
}

/** Login steps in progress. Each has one purpose and one operator, expires soon and is used once. */
export interface Challenges {
  issue(purpose: ChallengePurpose, input: ChallengeInput): Promise<Pick<Challenge, "id" | "nonce">>;
  /**
   * Counts a try before it is checked, so that concurrent tries can't exceed five. Returns null if there is no
   * challenge with this purpose (and operator and session, where given), or if it expired, was used or had too many
   * tries.
   */
  attempt(purpose: ChallengePurpose, id: string, operatorId?: number, sessionId?: string): Promise<Challenge | null>;
}

const RETURNED = `id, operator_id AS "operatorId", nonce, secret_box AS "secretBox", user_handle AS "userHandle", tries`;
const ATTEMPT = `UPDATE login_challenge SET tries = tries + 1
  WHERE id = $1 AND purpose = $2::challenge_purpose AND used_at IS NULL AND expires_at > $3 AND tries < ${MAX_TRIES}
    AND ($4::int IS NULL OR operator_id = $4) AND ($5::uuid IS NULL OR session_id = $5) RETURNING ${RETURNED}`;

export function createChallenges({ database, clock }: { database: Database; clock: Clock }): Challenges {
  const { pool } = database;
  return {
    async issue(purpose, { operatorId, sessionId = null, sealSecret, userHandle = null }) {
      const [id, nonce, now] = [randomUUID(), randomBytes(NONCE_BYTES), clock.now()];
      const secretBox = sealSecret?.(id) ?? null;
      await pool.query("DELETE FROM login_challenge WHERE expires_at < $1", [now]);
      await pool.query(
        `INSERT INTO login_challenge (id, purpose, operator_id, session_id, nonce, secret_box, user_handle, created_at,
            expires_at)
          VALUES ($1, $2::challenge_purpose, $3, $4, $5, $6, $7, $8, $9)`,
        [
          ...[id, purpose, operatorId, sessionId, nonce, secretBox, userHandle, now],
          new Date(now.getTime() + VALID_SECONDS[purpose] * 1000),
        ],
      );
      return { id, nonce };
    },
    async attempt(purpose, id, operatorId, sessionId) {
      const values = [id, purpose, clock.now(), operatorId ?? null, sessionId ?? null];
      const { rows } = await pool.query<Challenge>(ATTEMPT, values);
      return rows[0] ?? null;
    },
  };
}

/** Uses the challenge up. Returns false if another request has just used it. */
export async function spendChallenge(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const rows = await tx.sql.rows(
    `UPDATE login_challenge SET used_at = $3 WHERE id = $2::uuid AND used_at IS NULL
      AND EXISTS (SELECT FROM hotel WHERE id = $1) RETURNING id::text`,
    id,
    now,
  );
  return rows.length === 1;
}

/** Voids logins that were begun with the password that was replaced. */
export async function voidLoginChallenges(tx: Transaction, operatorId: number, now: Date): Promise<void> {
  await tx.sql.rows(
    `UPDATE login_challenge SET used_at = $3 WHERE operator_id = $2::int AND purpose = 'second_factor' AND used_at IS NULL
      AND ${MEMBER} RETURNING id::text`,
    operatorId,
    now,
  );
}
