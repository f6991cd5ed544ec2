import { DomainError } from "@innkey/shared/errors";
import type {
  PasskeyLoginInput,
  SecondFactorInput,
  SecondFactorProof,
  SecondStep,
} from "@innkey/shared/schemas/identity/two-step";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { type Account, type Accounts, maskedAccount } from "../login/accounts.ts";
import { type Attempts, loginsFailed } from "../login/attempts.ts";
import type { Refusals } from "../login/refusals.ts";
import type { Sessions, SignedIn } from "../login/sessions.ts";
import type { Visitor } from "../login/visitor.ts";
import { type Challenge, type Challenges, MAX_TRIES, spendChallenge } from "./challenges.ts";
import {
  type Factors,
  factorsOf,
  hasSecondFactor,
  isOf,
  MEMBER,
  methodsOf,
  type Passkey,
  passkeyBy,
  passkeysAt,
  type Site,
  stepOfCode,
  totpContext,
} from "./factors.ts";
import { passkeyRequestOf, recordUse, type Signed, verifyAssertion } from "./passkeys.ts";
import { spendRecoveryCode } from "./recovery-codes.ts";

/** Uses the proof up in the transaction that begins the session. Returns false if another request has just used it. */
type SpendProof = (tx: Transaction) => Promise<boolean>;

export interface SecondFactor {
  /** Returns whether the operator has a second factor. */
  isRequired(operatorId: number): Promise<boolean>;
  /** Returns the step to ask for after a right password; null if the operator has no second factor. */
  ask(operatorId: number, site: Site | null): Promise<SecondStep | null>;
  /**
   * Completes a login that `ask` began. Five wrong tries end only this login. @throws code_wrong, passkey_wrong,
   * challenge_gone, too_many_attempts, frozen
   */
  answer(visitor: Visitor, site: Site | null, input: SecondFactorInput): Promise<SignedIn>;
  /** Asks for any person's passkey. @throws not_found if browsers offer none on this site, too_many_attempts */
  askPasskey(
    visitor: Visitor,
    site: Site | null,
  ): Promise<{ challenge: string; passkey: SecondStep["passkey"] & object }>;
  /**
   * Logs in with a passkey alone: possessing it and unlocking it are two factors.
   * @throws passkey_wrong, challenge_gone, too_many_attempts, frozen
   */
  logIn(visitor: Visitor, site: Site | null, input: PasskeyLoginInput): Promise<SignedIn>;
}

export function createSecondFactor(deps: {
  accounts: Accounts;
  attempts: Attempts;
  challenges: Challenges;
  clock: Clock;
  database: Database;
  refusals: Refusals;
  sessions: Sessions;
  totpBox: SecretBox;
}): SecondFactor {
  const { accounts, attempts, challenges, clock, database, refusals, sessions, totpBox } = deps;

  async function refuse(account: Account, visitor: Visitor, reason: string): Promise<void> {
    loginsFailed.inc({ channel: visitor.channel });
    await refusals.audit(account, visitor, maskedAccount(account.mobile ?? account.email ?? ""), reason);
  }

  /** Opens the session and uses up the challenge and the proof, all or nothing. */
  async function beginSession(
    visitor: Visitor,
    account: Account,
    challenge: Challenge,
    factor: string,
    spendProof: SpendProof,
  ): Promise<SignedIn> {
    const { operatorId, hotelId } = account;
    const scope = hotelId === null ? null : await sessions.scopeAt(operatorId, hotelId, visitor);
    if (!scope) {
      await refuse(account, visitor, "frozen");
      throw new DomainError("frozen");
    }
    return sessions.begin(scope, visitor, {
      how: "login",
      factors: 2,
      async spendProof(tx) {
        if (!(await spendChallenge(tx, challenge.id, scope.now()))) throw new DomainError("challenge_gone");
        if (!(await spendProof(tx))) throw new DomainError("code_wrong");
        return { factor };
      },
    });
  }

  /** Checks the proof and returns how to use it up; null if it is wrong. */
  async function checkProof(
    { operatorId, nonce }: Challenge & { operatorId: number },
    factors: Factors,
    site: Site | null,
    proof: SecondFactorProof,
  ): Promise<SpendProof | null> {
    const now = clock.now();
    if (proof.method === "recovery_code") {
      return (tx) => spendRecoveryCode(tx, operatorId, proof.code, now);
    }
    if (proof.method === "totp") {
      const secret = factors.totp && totpBox.open(factors.totp.secretBox, totpContext(operatorId));
      const step = secret ? stepOfCode(secret, proof.code, now) : null;
      return step === null ? null : (tx) => spendStep(tx, operatorId, step);
    }
    const passkey = passkeysAt(factors, site).find(({ credentialId }) => isOf(credentialId, proof.assertion.id));
    const signed = passkey && site && (await verifyAssertion(passkey, site, nonce, proof.assertion));
    return signed ? spendPasskey(passkey, signed, now) : null;
  }

  return {
    isRequired: async (operatorId) => hasSecondFactor(await factorsOf(database, operatorId)),

    async ask(operatorId, site) {
      const factors = await factorsOf(database, operatorId);
      if (!hasSecondFactor(factors)) return null;
      const { id, nonce } = await challenges.issue("second_factor", { operatorId });
      const passkeysHere = passkeysAt(factors, site);
      return {
        challenge: id,
        methods: methodsOf(factors, site),
        passkey: site && passkeysHere.length > 0 ? passkeyRequestOf(site, nonce, passkeysHere) : null,
      };
    },

    async answer(visitor, site, { challenge: id, proof }) {
      await attempts.takeChallenge(visitor.address);
      const challenge = await challenges.attempt("second_factor", id);
      const account = challenge?.operatorId ? await accounts.byId(challenge.operatorId) : null;
      if (!challenge || !account) throw new DomainError("challenge_gone");
      const { operatorId } = account;
      // Only the app's six digits can be guessed: recovery codes are too long, and passkeys can't be.
      const isGuessable = proof.method === "totp";
      if (isGuessable) await attempts.takeCode(operatorId);
      const factors = await factorsOf(database, operatorId);
      const spendProof = await checkProof({ ...challenge, operatorId }, factors, site, proof);
      try {
        if (!spendProof) throw new DomainError(proof.method === "passkey" ? "passkey_wrong" : "code_wrong");
        const signedIn = await beginSession(visitor, account, challenge, proof.method, spendProof);
        if (isGuessable) await attempts.codeSucceeded(operatorId);
        return signedIn;
      } catch (error) {
        if (!(error instanceof DomainError) || !["code_wrong", "passkey_wrong"].includes(error.code)) throw error;
        await attempts.factorFailed(visitor.address);
        await refuse(account, visitor, `${proof.method}_wrong`);
        throw challenge.tries >= MAX_TRIES ? new DomainError("challenge_gone") : error;
      }
    },

    async askPasskey(visitor, site) {
      if (!site) throw new DomainError("not_found");
      await attempts.takeChallenge(visitor.address);
      const { id, nonce } = await challenges.issue("passkey_login", { operatorId: null });
      return { challenge: id, passkey: passkeyRequestOf(site, nonce, null) };
    },

    async logIn(visitor, site, { challenge: id, assertion }) {
      await attempts.takeChallenge(visitor.address);
      const challenge = await challenges.attempt("passkey_login", id);
      if (!challenge) throw new DomainError("challenge_gone");
      const passkey = await passkeyBy(database, Buffer.from(assertion.id, "base64url"));
      const account = passkey && (await accounts.byId(passkey.operatorId));
      const signed = site && passkey && (await verifyAssertion(passkey, site, challenge.nonce, assertion));
      if (!account || !signed) {
        await attempts.factorFailed(visitor.address);
        if (account) await refuse(account, visitor, "passkey_wrong");
        throw new DomainError("passkey_wrong");
      }
      await attempts.takeLogin(account.operatorId);
      return beginSession(visitor, account, challenge, "passkey_alone", spendPasskey(passkey, signed, clock.now()));
    },
  };
}

const spendPasskey =
  (passkey: Passkey, signed: Signed, now: Date): SpendProof =>
  (tx) =>
    recordUse(tx, passkey.id, signed, now);

/**
 * Uses up the time step of a code. Returns false if this or a later step was used, so that a code seen by someone else
 * is worthless.
 */
async function spendStep(tx: Transaction, operatorId: number, step: number): Promise<boolean> {
  const rows = await tx.sql.rows(
    `UPDATE operator_totp SET last_used_step = $3::int WHERE operator_id = $2::int AND last_used_step < $3::int
      AND ${MEMBER} RETURNING operator_id`,
    operatorId,
    step,
  );
  return rows.length === 1;
}
