import { DomainError } from "@innkey/shared/errors";
import type { loginInput } from "@innkey/shared/schemas/auth";
import type { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { type Scope, SYSTEM_ACTOR } from "../../core/scope.ts";
import type { ScopeFactory } from "../../core/scope-factory.ts";
import type { Account, Accounts } from "./accounts.ts";
import { type Attempts, FAILURES_WITHOUT_CAPTCHA } from "./attempts.ts";
import type { Captchas } from "./captchas.ts";
import { maskedAccount } from "./masked-account.ts";
import { hotelOf } from "./operator-at-hotel.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import type { Sessions, SignedIn } from "./sessions.ts";
import type { Visitor } from "./visitor.ts";

export type LoginInput = z.infer<typeof loginInput>;

export interface Login {
  /**
   * Account and password, and the graphic code where failures ask for it. Says nothing about whether the account exists,
   * neither in words nor in time. @throws credentials_wrong, captcha_required, captcha_wrong, too_many_attempts,
   * unavailable; frozen only to who knows the password
   */
  logIn(visitor: Visitor, input: LoginInput): Promise<SignedIn>;
}

export function createLogin(held: {
  accounts: Accounts;
  attempts: Attempts;
  captchas: Captchas;
  captchaAlways: boolean;
  clock: Clock;
  hasher: PasswordHasher;
  openScope: ScopeFactory;
  sessions: Sessions;
  /** runs after the answer, so that its time tells nothing */
  later: (work: Promise<void>) => void;
}): Login {
  const { accounts, attempts, captchas, clock, hasher, openScope, sessions } = held;

  /** Programs can't read pictures: at their door the limits of failures stand alone. */
  async function needsCaptcha(input: LoginInput, visitor: Visitor): Promise<boolean> {
    const failures = await attempts.failures(input.account, visitor.address);
    return visitor.door !== "gateway" && (held.captchaAlways || failures >= FAILURES_WITHOUT_CAPTCHA);
  }

  /** The journal of the account's hotel, when nobody is logged in yet. */
  async function journalScope(account: Account, visitor: Visitor): Promise<Scope | null> {
    const hotelId = account.hotelId ?? account.anyHotelId;
    const row = hotelId === null ? null : await accounts.at(account.operatorId, hotelId, clock.now());
    return row && openScope({ ...visitor, actor: SYSTEM_ACTOR, hotel: hotelOf(row) });
  }

  async function journalRefusal(account: Account, input: LoginInput, visitor: Visitor, reason: string): Promise<void> {
    const scope = await journalScope(account, visitor);
    await scope?.write(async (unit) => {
      const after = { account: maskedAccount(input.account), reason };
      unit.journal({ action: "session.refuse", entity: "operator", entityId: account.operatorId, after });
    });
  }

  return {
    async logIn(visitor, input) {
      const asked = await needsCaptcha(input, visitor);
      if (asked) await captchas.check(input);
      const account = await accounts.find(input.account);
      const right = await hasher.verify(account?.passwordHash ?? null, input.password, {
        before: async () => {
          const needed = await needsCaptcha(input, visitor);
          if (needed && !asked) throw new DomainError("captcha_required");
        },
        wrong: () => attempts.failed(input.account, visitor.address),
      });
      if (!account || !right) {
        if (account) held.later(journalRefusal(account, input, visitor, "credentials_wrong"));
        throw new DomainError("credentials_wrong");
      }
      const { operatorId, hotelId } = account;
      const scope = hotelId === null ? null : await sessions.scopeAt(operatorId, hotelId, visitor);
      if (!scope) {
        await journalRefusal(account, input, visitor, "frozen");
        throw new DomainError("frozen");
      }
      await attempts.succeeded(input.account);
      return sessions.begin(scope, visitor, "login");
    },
  };
}
