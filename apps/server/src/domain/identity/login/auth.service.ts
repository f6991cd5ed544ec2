import { DomainError } from "@innkey/shared/errors";
import { type AuthStatus, due, type LoginOutput, type Me, type StartPage } from "@innkey/shared/schemas/identity/auth";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { RateLimits } from "../../../adapters/redis/rate-limits.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope, ScopeFactory, Secrets } from "../../../kernel/scope.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import type { OutgoingMessages } from "../../messaging/public.ts";
import { createChallenges } from "../two-step/challenges.ts";
import { createOwnProof, type OwnProof } from "../two-step/own-proof.ts";
import { createOwnTwoStep, type OwnTwoStep } from "../two-step/own-two-step.ts";
import { createSecondFactor, type SecondFactor } from "../two-step/second-factor.ts";
import { accountsOf } from "./accounts.ts";
import { createAttempts } from "./attempts.ts";
import { type Captchas, createCaptchas } from "./captchas.ts";
import { createLogin, type Login } from "./login.ts";
import { createOwnPassword, type OwnPassword } from "./own-account.ts";
import { createPasswordHasher, type PasswordCost, type PasswordHasher } from "./passwords.ts";
import { createProofOfWork } from "./proof-of-work.ts";
import { createRecovery, type Recovery } from "./recovery.ts";
import { createRefusals } from "./refusals.ts";
import { createSessions, type Resolution, type SessionLimits, type Sessions, type SignedIn } from "./sessions.ts";
import { createSetup, type Setup } from "./setup.ts";

interface OwnRow {
  mobile: string | null;
  email: string | null;
  avatarFileId: string | null;
  startPage: StartPage;
  registeredAt: string;
  hotels: { id: number; name: string }[];
  gettingReady: boolean;
}

/** Returns who is logged in, in which hotel and with which permissions; `hotels` are those they can switch to. */
export async function me(scope: Scope): Promise<Me> {
  const { actor, hotel } = scope;
  const rows = await scope.sql.rows<OwnRow>(
    `SELECT o.mobile, o.email, o.avatar_file_id AS "avatarFileId", o.start_page::text AS "startPage", o.created_at AS "registeredAt",
        (SELECT coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name) ORDER BY h.name, h.id), '[]')
          FROM membership m JOIN hotel h ON h.id = m.hotel_id WHERE m.operator_id = o.id AND m.frozen_at IS NULL) AS hotels,
        (SELECT h.getting_ready FROM hotel h WHERE h.id = $1) AS "gettingReady"
      FROM operator o WHERE o.id = $2 AND EXISTS (SELECT FROM membership m WHERE m.hotel_id = $1 AND m.operator_id = o.id)`,
    actor.id,
  );
  const [own] = rows;
  if (!own || actor.id === null) throw new DomainError("session_revoked");
  const { id, name, timeZone, currency, language, checkInTime, checkOutTime, dayStartTime, weekendNights } = hotel;
  return {
    operatorId: actor.id,
    name: actor.name,
    mobile: own.mobile,
    email: own.email,
    avatarUrl: own.avatarFileId ? `/files/${own.avatarFileId}` : null,
    startPage: own.startPage,
    registeredAt: own.registeredAt,
    role: actor.role,
    apiKeyAuth: actor.apiKeyAuth,
    capabilities: [...actor.capabilities],
    hotel: {
      id,
      name,
      timeZone,
      currency,
      language,
      hourFormat: hotel.hourFormat,
      checkInTime,
      checkOutTime,
      dayStartTime,
      weekendNights: [...weekendNights],
    },
    hotels: own.hotels,
    gettingReady: own.gettingReady,
  };
}

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
  /**
   * Returns what decides the console's first page: whether the set-up is still to be done, who is logged in, and which
   * step is due first (a new password or a second factor).
   */
  status(caller: Pick<Resolution, "scope" | "sessionEnd">): Promise<AuthStatus>;
  /**
   * Begins a login at the console as `login.begin` does. Returns the console's next step, and the session unless a
   * second factor is needed first.
   */
  beginLogin(...args: Parameters<Login["begin"]>): Promise<{ step: LoginOutput; signedIn: SignedIn | null }>;
  /** Waits for the work that continues after an answer was sent. */
  settled(): Promise<void>;
}

/** Cost of a login for the server and for a guesser's browser. Only tests set it. */
export interface LoginCosts {
  password?: PasswordCost;
  /** difficulty of a browser's first task */
  firstWorkBits?: number;
}

export interface AuthDeps {
  database: Database;
  clock: Clock;
  openScope: ScopeFactory;
  outgoingMessages: OutgoingMessages;
  /** Computes keyed hashes of codes and accounts. */
  box: SecretBox;
  secrets: Pick<Secrets, "totp">;
  rateLimits: RateLimits;
  captchaAlways: boolean;
  limits: SessionLimits;
  costs?: LoginCosts;
  onError: (error: unknown) => void;
}

export function createAuthService(deps: AuthDeps): AuthService {
  const accounts = accountsOf(deps.database);
  const hasher = createPasswordHasher({ cost: deps.costs?.password });
  const attempts = createAttempts(deps.rateLimits, deps.box, deps.costs?.firstWorkBits);
  const captchas = createCaptchas({ ...deps, attempts });
  const sessions = createSessions({ ...deps, accounts });
  const refusals = createRefusals({ ...deps, accounts, attempts });
  const work = createProofOfWork(deps);
  const challenges = createChallenges(deps);
  const totpBox = deps.secrets.totp;
  const secondFactor = createSecondFactor({ ...deps, accounts, attempts, challenges, refusals, sessions, totpBox });
  const pending = new Set<Promise<void>>();
  const runLater = (work: Promise<void>): void => {
    const done = work.catch(deps.onError).finally(() => pending.delete(done));
    pending.add(done);
  };
  const login = createLogin({
    ...deps,
    accounts,
    attempts,
    captchas,
    hasher,
    runLater,
    refusals,
    secondFactor,
    sessions,
    work,
  });
  const setup = createSetup({ ...deps, accounts, hasher, sessions });
  return {
    captchas,
    hasher,
    sessions,
    login,
    ownPassword: createOwnPassword({ ...deps, accounts, attempts, hasher }),
    ownProof: createOwnProof({ ...deps, accounts, attempts, challenges, hasher, sessions }),
    ownTwoStep: createOwnTwoStep({ ...deps, accounts, challenges, sessions }),
    secondFactor,
    recovery: createRecovery({ ...deps, accounts, attempts, captchas, hasher }),
    setup,
    async status({ scope, sessionEnd }) {
      return {
        setupNeeded: await setup.isNeeded(),
        session: scope && (await me(scope)),
        due: due.options.find((option) => sessionEnd === `${option}_due`) ?? null,
      };
    },
    async beginLogin(...args) {
      const first = await login.begin(...args);
      if (first.next === "second_factor") return { step: { next: first.next, ...first.step }, signedIn: null };
      const { signedIn } = first;
      if (first.due) return { step: { next: "duty", due: first.due }, signedIn };
      return { step: { next: first.next, ...(await me(signedIn.scope)) }, signedIn };
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
