import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";
import type { PasskeyLoginInput, PasskeyProof } from "@innkey/shared/schemas/identity/two-step";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { Accounts } from "../login/accounts.ts";
import type { Attempts } from "../login/attempts.ts";
import type { PasswordHasher } from "../login/passwords.ts";
import type { Sessions } from "../login/sessions.ts";
import { type Challenges, spendChallenge } from "./challenges.ts";
import { factorsOf, isOf, passkeysAt, type Site } from "./factors.ts";
import { passkeyRequestOf, recordUse, verifyAssertion } from "./passkeys.ts";

/**
 * Proves that the caller is still the account's holder. For some minutes they may then change its protection. Every
 * proof is audited.
 */
export interface OwnProof {
  /** Checks the password again. A wrong one counts like a failed login. @throws credentials_wrong, too_many_attempts */
  byPassword(scope: Scope, sessionId: string, password: string): Promise<void>;
  /** Asks for one of the caller's passkeys; null if none works on this site. @throws too_many_attempts */
  askPasskey(scope: Scope, sessionId: string, site: Site | null): Promise<PasskeyProof | null>;
  /**
   * Checks the passkey's answer, once and only in the session that asked. @throws passkey_wrong, challenge_gone,
   * too_many_attempts
   */
  byPasskey(scope: Scope, sessionId: string, site: Site | null, input: PasskeyLoginInput): Promise<void>;
}

export function createOwnProof(deps: {
  accounts: Accounts;
  attempts: Attempts;
  challenges: Challenges;
  database: Database;
  hasher: PasswordHasher;
  sessions: Sessions;
}): OwnProof {
  const { accounts, attempts, challenges, database, hasher, sessions } = deps;

  async function record(
    tx: Transaction,
    scope: Scope,
    sessionId: string,
    factor: "password" | "passkey",
  ): Promise<void> {
    await sessions.recordProof(tx, scope, sessionId);
    tx.audit({ action: "session.prove", entity: "session", entityId: sessionId, after: { factor } });
  }

  return {
    async byPassword(scope, sessionId, password) {
      const operatorId = callerOf(scope);
      const isRight = await hasher.verify(await accounts.passwordHash(operatorId), password, {
        isKnown: true,
        before: async () => {
          await attempts.checkOwn(operatorId);
        },
        wrong: () => attempts.ownFailed(operatorId),
      });
      if (!isRight) throw new DomainError("credentials_wrong", {}, { password: { key: v.oldPassword } });
      await scope.write((tx) => record(tx, scope, sessionId, "password"));
      await attempts.ownSucceeded(operatorId);
    },

    async askPasskey(scope, sessionId, site) {
      const operatorId = callerOf(scope);
      await attempts.takeChallenge(scope.address);
      const passkeysHere = passkeysAt(await factorsOf(database, operatorId), site);
      if (!site || passkeysHere.length === 0) return null;
      const { id, nonce } = await challenges.issue("passkey_proof", { operatorId, sessionId });
      return { challenge: id, passkey: passkeyRequestOf(site, nonce, passkeysHere) };
    },

    async byPasskey(scope, sessionId, site, { challenge: id, assertion }) {
      const operatorId = callerOf(scope);
      await attempts.takeChallenge(scope.address);
      const challenge = await challenges.attempt("passkey_proof", id, operatorId, sessionId);
      if (!challenge) throw new DomainError("challenge_gone");
      const passkeysHere = passkeysAt(await factorsOf(database, operatorId), site);
      const passkey = passkeysHere.find(({ credentialId }) => isOf(credentialId, assertion.id));
      const signed = site && passkey && (await verifyAssertion(passkey, site, challenge.nonce, assertion));
      if (!signed) throw new DomainError("passkey_wrong");
      await scope.write(async (tx) => {
        if (!(await spendChallenge(tx, id, scope.now()))) throw new DomainError("challenge_gone");
        if (!(await recordUse(tx, passkey.id, signed, scope.now()))) throw new DomainError("passkey_wrong");
        await record(tx, scope, sessionId, "passkey");
      });
    },
  };
}

/** Returns the operator who makes the request. @throws no_permission for a program */
export function callerOf({ operatorId }: Scope): number {
  if (operatorId === null) throw new DomainError("no_permission");
  return operatorId;
}
