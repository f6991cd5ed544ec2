import { DomainError } from "@innkey/shared/errors";
import type { changePasswordInput } from "@innkey/shared/schemas/auth";
import { v } from "@innkey/shared/schemas/fields";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { type Notifier, notifyAccountHolder } from "../../messaging/public.ts";
import { type Accounts, endSessions, setPassword } from "./accounts.ts";
import type { Attempts } from "./attempts.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { requireUnguessable } from "./weak-passwords.ts";

export interface OwnPassword {
  /**
   * Sets the caller's password, ends all their other sessions and notifies them. A wrong old password counts like a
   * failed login; an old password that a colleague has replaced is wrong too.
   * @throws credentials_wrong at the field, too_many_attempts; invalid_input for a weak password, or for the one that a
   * colleague set
   */
  change(scope: Scope, sessionId: string, input: z.infer<typeof changePasswordInput>): Promise<void>;
}

export function createOwnPassword(deps: {
  accounts: Accounts;
  attempts: Attempts;
  hasher: PasswordHasher;
  notifier: Notifier;
}): OwnPassword {
  const { accounts, attempts, hasher, notifier } = deps;
  return {
    async change(scope, sessionId, input) {
      const operatorId = scope.actor.id;
      if (operatorId === null) throw new DomainError("no_permission");
      const account = await accounts.byId(operatorId);
      const right = await hasher.verify(account?.passwordHash ?? null, input.oldPassword, {
        before: async () => {
          await attempts.checkOwn(operatorId);
        },
        wrong: () => attempts.ownFailed(operatorId),
      });
      if (!account || !right) throw oldPasswordWrong();
      const { mobile, email, name } = account;
      if (account.passwordSetByOther && input.password === input.oldPassword) {
        throw new DomainError("invalid_input", {}, { password: { key: v.passwordSame } });
      }
      await requireUnguessable(input.password, [mobile, email, name, scope.hotel.name]);
      const passwordHash = await hasher.hash(input.password);
      await scope.write(async (tx) => {
        const set = await setPassword(tx, operatorId, passwordHash, { was: account.passwordHash }, scope.now());
        // A colleague has set another password in the meantime.
        if (!set) throw oldPasswordWrong();
        const ended = await endSessions(tx, operatorId, "password_changed", scope.now(), sessionId);
        tx.audit({
          action: "password.change",
          entity: "operator",
          entityId: operatorId,
          after: { sessionsEnded: ended },
        });
        const params = { hotel: scope.hotel.name };
        await notifyAccountHolder(scope, tx, notifier, account, { template: "passwordChanged", params });
      });
      await attempts.ownSucceeded(operatorId);
    },
  };
}

function oldPasswordWrong(): DomainError {
  return new DomainError("credentials_wrong", {}, { oldPassword: { key: v.oldPassword } });
}
