import type { Database } from "../../../adapters/postgres/client.ts";
import type { RateLimits } from "../../../adapters/redis/rate-limits.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Secrets } from "../../../kernel/scope.ts";
import type { ScopeFactory } from "../../../kernel/scope-factory.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import type { Notifier } from "../../messaging/public.ts";
import { createChallenges } from "../two-step/challenges.ts";
import { createOwnProof, type OwnProof } from "../two-step/own-proof.ts";
import { createOwnTwoStep, type OwnTwoStep } from "../two-step/own-two-step.ts";
import { createSecondFactor, type SecondFactor } from "../two-step/second-factor.ts";
import { accountsOf } from "./accounts.ts";
import { createAttempts } from "./attempts.ts";
import { type Captchas, createCaptchas } from "./captchas.ts";
import { createLogin, type Login } from "./login.ts";
import { createOwnPassword, type OwnPassword } from "./own-password.ts";
import { createPasswordHasher, type PasswordHasher } from "./password-hasher.ts";
import { createProofOfWork } from "./proof-of-work.ts";
import { createRecovery, type Recovery } from "./recovery.ts";
import { createRefusals } from "./refusals.ts";
import { createSessions, type SessionLimits, type Sessions } from "./sessions.ts";
import { createSetup, type Setup } from "./setup.ts";

/** Login, sessions, password recovery and the second factor. */
export interface AuthService {
  readonly captchas: Captchas;
  readonly hasher: PasswordHasher;
  readonly login: Login;
  readonly ownPassword: OwnPassword;
  readonly ownProof: OwnProof;
  readonly ownTwoStep: OwnTwoStep;
  readonly recovery: Recovery;
  readonly secondFactor: SecondFactor;
  readonly sessions: Sessions;
  readonly setup: Setup;
  /** Waits for the work that continues after an answer was sent. */
  settled(): Promise<void>;
}

export interface AuthDeps {
  database: Database;
  clock: Clock;
  openScope: ScopeFactory;
  notifier: Notifier;
  /** Computes keyed hashes of codes and accounts. */
  box: SecretBox;
  secrets: Pick<Secrets, "totp">;
  rateLimits: RateLimits;
  captchaAlways: boolean;
  limits: SessionLimits;
  onError: (error: unknown) => void;
}

export function createAuthService(deps: AuthDeps): AuthService {
  const accounts = accountsOf(deps.database);
  const hasher = createPasswordHasher();
  const attempts = createAttempts(deps.rateLimits, deps.box);
  const captchas = createCaptchas({ ...deps, attempts });
  const sessions = createSessions({ ...deps, accounts });
  const refusals = createRefusals({ ...deps, accounts, attempts });
  const work = createProofOfWork(deps);
  const challenges = createChallenges(deps);
  const totpBox = deps.secrets.totp;
  const secondFactor = createSecondFactor({ ...deps, accounts, attempts, challenges, refusals, sessions, totpBox });
  const pending = new Set<Promise<void>>();
  const later = (work: Promise<void>): void => {
    const done = work.catch(deps.onError).finally(() => pending.delete(done));
    pending.add(done);
  };
  return {
    captchas,
    hasher,
    sessions,
    login: createLogin({
      ...deps,
      accounts,
      attempts,
      captchas,
      hasher,
      later,
      refusals,
      secondFactor,
      sessions,
      work,
    }),
    ownPassword: createOwnPassword({ ...deps, accounts, attempts, hasher }),
    ownProof: createOwnProof({ ...deps, accounts, attempts, challenges, hasher, sessions }),
    ownTwoStep: createOwnTwoStep({ ...deps, accounts, challenges, sessions }),
    secondFactor,
    recovery: createRecovery({ ...deps, accounts, attempts, captchas, hasher }),
    setup: createSetup({ ...deps, accounts, hasher, sessions }),
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
