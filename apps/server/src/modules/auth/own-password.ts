import { DomainError } from "@innkey/shared/errors";
import type { changePasswordInput } from "@innkey/shared/schemas/auth";
import { v } from "@innkey/shared/schemas/fields";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import { type Accounts, endSessions, setPassword } from "./accounts.ts";
import type { Attempts } from "./attempts.ts";
import type { PasswordHasher } from "./password-hasher.ts";

export interface OwnPassword {
  /**
   * Sets the caller's password and ends all their sessions but this one. A wrong old password counts like a failed login.
   * @throws credentials_wrong at the field, too_many_attempts
   */
  change(scope: Scope, sessionId: string, input: z.infer<typeof changePasswordInput>): Promise<void>;
}

export function createOwnPassword(held: {
  accounts: Accounts;
  attempts: Attempts;
  hasher: PasswordHasher;
}): OwnPassword {
  const { accounts, attempts, hasher } = held;
  return {
    async change(scope, sessionId, input) {
      const operatorId = scope.actor.id;
      if (operatorId === null) throw new DomainError("no_permission");
      const counted = `operator:${operatorId}`;
      const hash = await accounts.passwordHash(operatorId);
      const right = await hasher.verify(hash, input.oldPassword, {
        before: async () => {
          await attempts.failures(counted, scope.address);
        },
        wrong: () => attempts.failed(counted, scope.address),
      });
      if (!right) {
        throw new DomainError("credentials_wrong", {}, { oldPassword: { key: v.oldPassword } });
      }
      const passwordHash = await hasher.hash(input.password);
      await scope.write(async (unit) => {
        await setPassword(unit, operatorId, passwordHash, scope.now());
        const ended = await endSessions(unit, operatorId, "password_changed", scope.now(), sessionId);
        unit.journal({
          action: "password.change",
          entity: "operator",
          entityId: operatorId,
          after: { sessionsEnded: ended },
        });
      });
      await attempts.succeeded(counted);
    },
  };
}
