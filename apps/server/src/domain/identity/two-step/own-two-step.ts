import { randomBytes } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import type { AddPasskeyInput, PasskeyCreation, TwoStepState } from "@innkey/shared/schemas/identity/two-step";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import {
  type AccountHolder,
  notifyAccountHolder,
  type OutgoingMessages,
  type TwoStepChange,
} from "../../messaging/public.ts";
import { type Account, type Accounts, endSessions } from "../login/accounts.ts";
import type { Sessions } from "../login/sessions.ts";
import { type Challenges, MAX_TRIES, spendChallenge } from "./challenges.ts";
import {
  factorsOf,
  hasSecondFactor,
  MEMBER,
  newTotpSecret,
  type Site,
  stepOfCode,
  totpContext,
  totpUri,
} from "./factors.ts";
import { callerOf } from "./own-proof.ts";
import { passkeyCreationOf, verifyAttestation } from "./passkeys.ts";
import { removeRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes.ts";

const HANDLE_BYTES = 32;
const MAX_PASSKEYS = 20;

/** New codes, shown only once; null if the earlier codes remain valid. */
interface FactorAdded {
  recoveryCodes: string[] | null;
}

/** Result of a change: the notice to the holder, and the answer to the caller. */
interface ChangeResult<Answer> {
  notice: TwoStepChange;
  answer: Answer;
}

/**
 * The caller's own second factor. Every change requires the password or a passkey shown in the last minutes
 * (proof_needed) and is audited. Every change except renaming is notified by mail or SMS. Adding or removing a factor
 * ends all the caller's other sessions.
 */
export interface OwnTwoStep {
  state(scope: Scope, site: Site | null): Promise<TwoStepState>;
  /** Creates a secret for an app. It replaces an earlier one once the caller has typed a code. */
  beginTotp(scope: Scope, sessionId: string): Promise<{ challenge: string; secret: string; uri: string }>;
  /** @throws code_wrong, challenge_gone */
  confirmTotp(scope: Scope, sessionId: string, input: { challenge: string; code: string }): Promise<FactorAdded>;
  /** @throws not_found without an app; last_factor */
  removeTotp(scope: Scope, sessionId: string): Promise<void>;
  /** @throws not_found if browsers offer no passkeys on this site; state_conflict if there are too many */
  beginPasskey(
    scope: Scope,
    sessionId: string,
    site: Site | null,
  ): Promise<{ challenge: string; passkey: PasskeyCreation }>;
  /** @throws passkey_wrong, challenge_gone */
  addPasskey(scope: Scope, sessionId: string, site: Site | null, input: AddPasskeyInput): Promise<FactorAdded>;
  /** @throws not_found */
  renamePasskey(scope: Scope, sessionId: string, input: { id: string; name: string }): Promise<void>;
  /** @throws not_found, last_factor */
  removePasskey(scope: Scope, sessionId: string, id: string): Promise<void>;
  /** Creates ten new codes that replace the earlier ones. @throws not_found without a second factor */
  newRecoveryCodes(scope: Scope, sessionId: string): Promise<string[]>;
}

/** Context in which the secret of an app is sealed during set-up. */
export const setUpContext = (row: string): SealContext => ({
  column: "login_challenge.secret_box",
  hotelId: null,
  row,
});

export function createOwnTwoStep(deps: {
  accounts: Accounts;
  challenges: Challenges;
  database: Database;
  outgoingMessages: OutgoingMessages;
  sessions: Sessions;
}): OwnTwoStep {
  const { accounts, challenges, database, outgoingMessages, sessions } = deps;

  async function accountOf(operatorId: number): Promise<Account> {
    const account = await accounts.byId(operatorId);
    if (!account) throw new DomainError("session_revoked");
    return account;
  }

  async function isRequired(sql: HotelSql, operatorId: number): Promise<boolean> {
    const [row] = await sql.rows<{ required: boolean }>(
      `SELECT asks_second_factor(h.two_step, m.role) AS required FROM membership m JOIN hotel h ON h.id = m.hotel_id
        WHERE m.hotel_id = $1 AND m.operator_id = $2::int`,
      operatorId,
    );
    return row?.required === true;
  }

  /**
   * Creates recovery codes along with the first second factor, in the same transaction; null if the person has codes.
   */
  async function createFirstRecoveryCodes(tx: Transaction, operatorId: number): Promise<string[] | null> {
    const hasCodes = await tx.sql.rows(
      `SELECT 1 FROM second_factor_code WHERE operator_id = $2::int AND ${MEMBER} LIMIT 1`,
      operatorId,
    );
    return hasCodes.length > 0 ? null : replaceRecoveryCodes(tx, operatorId);
  }

  /**
   * Deletes the recovery codes if no factor is left. Returns whether they were deleted. @throws last_factor where the
   * hotel requires one
   */
  async function removeCodesIfLastFactor(tx: Transaction, operatorId: number): Promise<boolean> {
    const [row] = await tx.sql.rows<{ none: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM operator_totp WHERE operator_id = $2::int)
        AND NOT EXISTS (SELECT FROM operator_passkey WHERE operator_id = $2::int) AS none FROM hotel WHERE id = $1`,
      operatorId,
    );
    if (!row?.none) return false;
    if (await isRequired(tx.sql, operatorId)) throw new DomainError("last_factor");
    await removeRecoveryCodes(tx, operatorId);
    return true;
  }

  /**
   * Locks the operator, so that two requests can't remove the last two factors at once, and notifies the account's
   * holder.
   */
  async function change<Answer>(
    scope: Scope,
    operatorId: number,
    work: (tx: Transaction) => Promise<ChangeResult<Answer>>,
  ): Promise<Answer> {
    return scope.write(async (tx) => {
      const [holder] = await tx.sql.rows<AccountHolder>(
        `SELECT mobile, email, language FROM operator WHERE id = $2::int AND ${MEMBER} FOR UPDATE`,
        operatorId,
      );
      if (!holder) throw new DomainError("session_revoked");
      const { notice, answer } = await work(tx);
      const params = { hotel: scope.hotel.name, change: notice };
      await notifyAccountHolder(scope, tx, outgoingMessages, holder, { template: "twoStepChanged", params });
      return answer;
    });
  }

  /** Like `change`, for adding or removing a factor: ends all sessions except the caller's. */
  function changeFactor<Answer>(
    scope: Scope,
    sessionId: string,
    operatorId: number,
    work: (tx: Transaction, auditData: { sessionsEnded: number }) => Promise<ChangeResult<Answer>>,
  ): Promise<Answer> {
    return change(scope, operatorId, async (tx) => {
      const sessionsEnded = await endSessions(tx, operatorId, "two_step_changed", scope.now(), sessionId);
      await sessions.recordSecondFactor(tx, scope, sessionId);
      return work(tx, { sessionsEnded });
    });
  }

  return {
    async state(scope, site) {
      const operatorId = callerOf(scope);
      const factors = await factorsOf(database, operatorId);
      return {
        on: hasSecondFactor(factors),
        required: await isRequired(scope.sql, operatorId),
        totpSince: factors.totp?.confirmedAt.toISOString() ?? null,
        passkeys: factors.passkeys.map(({ id, name, rpId, backedUp, createdAt, lastUsedAt }) => ({
          ...{ id, name, host: rpId, here: rpId === site?.rpId, backedUp },
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
        })),
        recoveryCodesLeft: factors.recoveryCodesLeft,
      };
    },

    async beginTotp(scope, sessionId) {
      await sessions.requireProof(scope, sessionId);
      const { operatorId, mobile, email } = await accountOf(callerOf(scope));
      const secret = newTotpSecret();
      const sealSecret = (challengeId: string) => scope.secrets.totp.seal(secret, setUpContext(challengeId));
      const { id } = await challenges.issue("totp_setup", { operatorId, sealSecret });
      return { challenge: id, secret, uri: totpUri(secret, mobile ?? email ?? "") };
    },

    async confirmTotp(scope, sessionId, { challenge: id, code }) {
      await sessions.requireProof(scope, sessionId);
      const operatorId = callerOf(scope);
      const challenge = await challenges.attempt("totp_setup", id, operatorId);
      const secret = challenge?.secretBox && scope.secrets.totp.open(challenge.secretBox, setUpContext(id));
      if (!challenge || !secret) throw new DomainError("challenge_gone");
      const step = stepOfCode(secret, code, scope.now());
      if (step === null) throw new DomainError(challenge.tries >= MAX_TRIES ? "challenge_gone" : "code_wrong");
      return changeFactor(scope, sessionId, operatorId, async (tx, auditData) => {
        if (!(await spendChallenge(tx, id, scope.now()))) throw new DomainError("challenge_gone");
        const deleted = await tx.sql.rows(
          `DELETE FROM operator_totp WHERE operator_id = $2::int AND ${MEMBER} RETURNING operator_id`,
          operatorId,
        );
        await tx.sql.rows(
          `INSERT INTO operator_totp (operator_id, secret_box, confirmed_at, last_used_step)
            SELECT $2::int, $3, $4, $5::int WHERE ${MEMBER} RETURNING operator_id`,
          operatorId,
          scope.secrets.totp.seal(secret, totpContext(operatorId)),
          scope.now(),
          step,
        );
        const isReplaced = deleted.length > 0;
        const after = { app: isReplaced ? "replaced" : "added", ...auditData };
        tx.audit({ action: "twoStep.app", entity: "operator", entityId: operatorId, after });
        const answer = { recoveryCodes: await createFirstRecoveryCodes(tx, operatorId) };
        return { notice: isReplaced ? "appReplaced" : "appAdded", answer };
      });
    },

    async removeTotp(scope, sessionId) {
      await sessions.requireProof(scope, sessionId);
      const operatorId = callerOf(scope);
      await changeFactor(scope, sessionId, operatorId, async (tx, auditData) => {
        const removed = await tx.sql.rows(
          `DELETE FROM operator_totp WHERE operator_id = $2::int AND ${MEMBER} RETURNING operator_id`,
          operatorId,
        );
        if (removed.length === 0) throw new DomainError("not_found");
        const wasLast = await removeCodesIfLastFactor(tx, operatorId);
        const after = { app: "removed", ...auditData };
        tx.audit({ action: "twoStep.app", entity: "operator", entityId: operatorId, after });
        return { notice: wasLast ? "off" : "appRemoved", answer: undefined };
      });
    },

    async beginPasskey(scope, sessionId, site) {
      await sessions.requireProof(scope, sessionId);
      if (!site) throw new DomainError("not_found");
      const { operatorId, mobile, email, name } = await accountOf(callerOf(scope));
      const { passkeys } = await factorsOf(database, operatorId);
      if (passkeys.length >= MAX_PASSKEYS) throw new DomainError("state_conflict");
      const handle = passkeys[0]?.userHandle ?? randomBytes(HANDLE_BYTES);
      const { id, nonce } = await challenges.issue("passkey_setup", { operatorId, userHandle: handle });
      const user = { handle, account: mobile ?? email ?? "", name };
      const passkeysHere = passkeys.filter(({ rpId }) => rpId === site.rpId);
      return { challenge: id, passkey: passkeyCreationOf(site, nonce, user, passkeysHere) };
    },

    async addPasskey(scope, sessionId, site, { challenge: id, name, attestation }) {
      await sessions.requireProof(scope, sessionId);
      const operatorId = callerOf(scope);
      const challenge = await challenges.attempt("passkey_setup", id, operatorId);
      if (!challenge?.userHandle) throw new DomainError("challenge_gone");
      const { userHandle } = challenge;
      const newPasskey = site && (await verifyAttestation(site, challenge.nonce, attestation));
      if (!newPasskey) throw new DomainError("passkey_wrong");
      return changeFactor(scope, sessionId, operatorId, async (tx, auditData) => {
        if (!(await spendChallenge(tx, id, scope.now()))) throw new DomainError("challenge_gone");
        const inserted = await tx.sql.rows<{ id: string }>(
          `INSERT INTO operator_passkey (id, operator_id, credential_id, public_key, counter, transports, user_handle, rp_id,
              name, backed_up, created_at)
            SELECT gen_random_uuid(), $2::int, $3, $4, $5::bigint, $6::text[], $7, $8, $9, $10::boolean, $11
              WHERE ${MEMBER} ON CONFLICT (credential_id) DO NOTHING RETURNING id::text`,
          ...[operatorId, newPasskey.credentialId, newPasskey.publicKey, newPasskey.counter, newPasskey.transports],
          ...[userHandle, site.rpId, name, newPasskey.backedUp, scope.now()],
        );
        // The credential is already registered: the attestation was replayed.
        if (inserted.length === 0) throw new DomainError("passkey_wrong");
        const after = { name, host: site.rpId, ...auditData };
        tx.audit({ action: "twoStep.addPasskey", entity: "operator", entityId: operatorId, after });
        return { notice: "passkeyAdded", answer: { recoveryCodes: await createFirstRecoveryCodes(tx, operatorId) } };
      });
    },

    async renamePasskey(scope, sessionId, { id, name }) {
      await sessions.requireProof(scope, sessionId);
      const operatorId = callerOf(scope);
      await scope.write(async (tx) => {
        const renamed = await tx.sql.rows(
          `UPDATE operator_passkey SET name = $4 WHERE id = $3::uuid AND operator_id = $2::int AND ${MEMBER} RETURNING id::text`,
          ...[operatorId, id, name],
        );
        if (renamed.length === 0) throw new DomainError("not_found");
        tx.audit({ action: "twoStep.renamePasskey", entity: "operator", entityId: operatorId, after: { name } });
      });
    },

    async removePasskey(scope, sessionId, id) {
      await sessions.requireProof(scope, sessionId);
      const operatorId = callerOf(scope);
      await changeFactor(scope, sessionId, operatorId, async (tx, auditData) => {
        const [removed] = await tx.sql.rows<{ name: string }>(
          `DELETE FROM operator_passkey WHERE id = $3::uuid AND operator_id = $2::int AND ${MEMBER} RETURNING name`,
          ...[operatorId, id],
        );
        if (!removed) throw new DomainError("not_found");
        const wasLast = await removeCodesIfLastFactor(tx, operatorId);
        tx.audit({
          ...{ action: "twoStep.removePasskey", entity: "operator", entityId: operatorId },
          before: removed,
          after: auditData,
        });
        return { notice: wasLast ? "off" : "passkeyRemoved", answer: undefined };
      });
    },

    async newRecoveryCodes(scope, sessionId) {
      await sessions.requireProof(scope, sessionId);
      const operatorId = callerOf(scope);
      if (!hasSecondFactor(await factorsOf(database, operatorId))) throw new DomainError("not_found");
      return change(scope, operatorId, async (tx) => {
        tx.audit({ action: "twoStep.recoveryCodes", entity: "operator", entityId: operatorId });
        return { notice: "recoveryCodes", answer: await replaceRecoveryCodes(tx, operatorId) };
      });
    },
  };
}
