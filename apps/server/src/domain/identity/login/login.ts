import { DomainError } from "@innkey/shared/errors";
import type { Due, loginInput } from "@innkey/shared/schemas/identity/auth";
import type { SecondStep } from "@innkey/shared/schemas/identity/two-step";
import type { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Site } from "../two-step/factors.ts";
import type { SecondFactor } from "../two-step/second-factor.ts";
import { type Account, type Accounts, maskedAccount } from "./accounts.ts";
import { type AttemptState, type Attempts, type Guess, loginsFailed } from "./attempts.ts";
import type { Captchas } from "./captchas.ts";
import { findKnownDevice } from "./known-devices.ts";
import type { PasswordHasher } from "./passwords.ts";
import type { ProofOfWork } from "./proof-of-work.ts";
import type { Refusals } from "./refusals.ts";
import { dueOf, type Sessions, type SignedIn } from "./sessions.ts";
import type { Visitor } from "./visitor.ts";

export type LoginInput = z.infer<typeof loginInput>;

export type FirstStep =
  | { next: "second_factor"; step: SecondStep }
  | { next: "enter"; signedIn: SignedIn; due: Due | null };

export interface Login {
  /**
   * Checks account and password, and after failures the captcha and the browser's proof of work. Neither the answer nor
   * its timing reveals whether the account exists. If the account has a second factor, the answer asks for it.
   * @throws credentials_wrong, captcha_required, captcha_wrong, work_required with a task, too_many_attempts,
   * unavailable; frozen if the password is right
   */
  begin(visitor: Visitor, site: Site | null, input: LoginInput): Promise<FirstStep>;
  /**
   * The same for programs and old clients, which log in in one step. Refuses accounts that have, or must have, a second
   * factor. A password that a colleague set is accepted, because these clients have no page to choose another one.
   * `expiresInSeconds` is how long the session lasts without use.
   * @throws as `begin`, and two_step_needed if the password is right
   */
  logIn(visitor: Visitor, input: LoginInput): Promise<SignedIn & { expiresInSeconds: number }>;
}

export function createLogin(deps: {
  accounts: Accounts;
  attempts: Attempts;
  captchas: Captchas;
  captchaAlways: boolean;
  clock: Clock;
  database: Pick<Database, "pool">;
  hasher: PasswordHasher;
  refusals: Refusals;
  secondFactor: SecondFactor;
  sessions: Sessions;
  work: ProofOfWork;
  /** Runs work after the answer was sent, so that the response time reveals nothing. */
  runLater: (work: Promise<void>) => void;
}): Login {
  const { accounts, attempts, captchas, clock, hasher, refusals, secondFactor, sessions, work } = deps;

  const refuse = (account: Account, input: LoginInput, visitor: Visitor, reason: string): Promise<void> =>
    refusals.audit(account, visitor, maskedAccount(input.account), reason);

  async function guessOf(visitor: Visitor, input: LoginInput, account: Account | null): Promise<Guess> {
    const { deviceToken } = visitor;
    const device =
      account && deviceToken ? findKnownDevice(deps.database, clock, account.operatorId, deviceToken) : null;
    return {
      account: input.account,
      operatorId: account?.operatorId ?? null,
      visitor,
      deviceId: await device,
      isKnownNetwork: async () => account !== null && accounts.knowsNetwork(account.operatorId, visitor, clock.now()),
    };
  }

  /** Clients of the gateway can't show captchas, so there only the limits on failures apply. */
  async function readRequiredProofs(guess: Guess): Promise<AttemptState> {
    const { asksCaptcha, workBits } = await attempts.readState(guess);
    return { asksCaptcha: guess.visitor.channel !== "gateway" && (deps.captchaAlways || asksCaptcha), workBits };
  }

  /** @throws captcha_required, work_required with the task, captcha_wrong, too_many_attempts for tasks */
  async function checkProofs(
    { asksCaptcha, workBits }: AttemptState,
    input: LoginInput,
    address: string,
  ): Promise<void> {
    if (asksCaptcha && !(input.captchaId && input.code)) throw new DomainError("captcha_required");
    // The work is checked before the captcha, so that missing work doesn't use up a captcha that was solved.
    if (workBits !== null && !(await work.spend(input.account, input.work, workBits))) {
      await attempts.takeTask(address);
      throw new DomainError("work_required", work.task(input.account, workBits));
    }
    if (asksCaptcha) await captchas.check(input);
  }

  /** Returns the account and its scope if the password is right. @throws like `begin` */
  async function checkPassword(visitor: Visitor, input: LoginInput): Promise<{ account: Account; scope: Scope }> {
    const account = await accounts.find(input.account);
    const guess = await guessOf(visitor, input, account);
    const required = await readRequiredProofs(guess);
    await checkProofs(required, input, visitor.address);
    const isRight = await hasher.verify(account?.passwordHash ?? null, input.password, {
      isKnown: guess.deviceId !== null,
      before: async () => {
        const now = await readRequiredProofs(guess);
        const needsMore =
          (now.asksCaptcha && !required.asksCaptcha) || (now.workBits !== null && required.workBits === null);
        if (needsMore) throw new DomainError("captcha_required");
      },
      wrong: () => attempts.failed(guess),
    });
    if (!account || !isRight) {
      loginsFailed.inc({ channel: visitor.channel });
      if (account) deps.runLater(refuse(account, input, visitor, "credentials_wrong"));
      throw new DomainError("credentials_wrong");
    }
    const { operatorId, hotelId } = account;
    const scope = hotelId === null ? null : await sessions.scopeAt(operatorId, hotelId, visitor);
    if (!scope) {
      await refuse(account, input, visitor, "frozen");
      throw new DomainError("frozen");
    }
    await attempts.succeeded(guess);
    await attempts.takeLogin(operatorId);
    return { account, scope };
  }

  async function readDue({ operatorId }: Account, { hotelId, channel }: Scope): Promise<Due | null> {
    const row = await accounts.at(operatorId, hotelId, clock.now());
    return row && dueOf(row, channel);
  }

  return {
    async begin(visitor, site, input) {
      const { account, scope } = await checkPassword(visitor, input);
      const step = await secondFactor.ask(account.operatorId, site);
      if (step) return { next: "second_factor", step };
      const due = await readDue(account, scope);
      return { next: "enter", signedIn: await sessions.begin(scope, visitor, { how: "login", factors: 1 }), due };
    },

    async logIn(visitor, input) {
      const { account, scope } = await checkPassword(visitor, input);
      if ((await secondFactor.isRequired(account.operatorId)) || (await readDue(account, scope)) !== null) {
        await refuse(account, input, visitor, "two_step_needed");
        throw new DomainError("two_step_needed");
      }
      const { idleSeconds, maxSeconds } = sessions.limits;
      const signedIn = await sessions.begin(scope, visitor, { how: "login", factors: 1 });
      return { ...signedIn, expiresInSeconds: Math.min(idleSeconds, maxSeconds) };
    },
  };
}
