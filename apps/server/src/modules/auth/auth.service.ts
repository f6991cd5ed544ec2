import type { Clock } from "../../core/clock.ts";
import type { ScopeFactory } from "../../core/scope-factory.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../infra/database/client.ts";
import type { Notifier } from "../notifications/notifications.service.ts";
import { accountsOf } from "./accounts.ts";
import { createAttempts } from "./attempts.ts";
import { type Captchas, createCaptchas } from "./captchas.ts";
import { createLogin, type Login } from "./login.ts";
import { createOwnPassword, type OwnPassword } from "./own-password.ts";
import { createPasswordHasher, type PasswordHasher } from "./password-hasher.ts";
import { createRecovery, type Recovery } from "./recovery.ts";
import { createSessions, type SessionLimits, type Sessions } from "./sessions.ts";
import { createSetup, type Setup } from "./setup.ts";

/** Everything before and around a session: how one comes to be, what it resolves to, how it ends. */
export interface AuthService {
  readonly captchas: Captchas;
  readonly hasher: PasswordHasher;
  readonly login: Login;
  readonly ownPassword: OwnPassword;
  readonly recovery: Recovery;
  readonly sessions: Sessions;
  readonly setup: Setup;
  /** Waits for what was left to do after an answer. */
  settled(): Promise<void>;
}

export interface AuthNeeds {
  database: Database;
  clock: Clock;
  openScope: ScopeFactory;
  notifier: Notifier;
  /** keyed hashes of codes and accounts */
  box: SecretBox;
  captchaAlways: boolean;
  limits: SessionLimits;
  onError: (error: unknown) => void;
}

export function createAuthService(needs: AuthNeeds): AuthService {
  const accounts = accountsOf(needs.database);
  const hasher = createPasswordHasher();
  const attempts = createAttempts(needs.database, needs.box);
  const captchas = createCaptchas({ ...needs, attempts });
  const sessions = createSessions({ ...needs, accounts });
  const pending = new Set<Promise<void>>();
  const later = (work: Promise<void>): void => {
    const done = work.catch(needs.onError).finally(() => pending.delete(done));
    pending.add(done);
  };
  return {
    captchas,
    hasher,
    sessions,
    login: createLogin({ ...needs, accounts, attempts, captchas, hasher, later, sessions }),
    ownPassword: createOwnPassword({ accounts, attempts, hasher }),
    recovery: createRecovery({ ...needs, accounts, attempts, captchas, hasher }),
    setup: createSetup({ ...needs, accounts, hasher, sessions }),
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
