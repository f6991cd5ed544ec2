import { networkOf, siteNetworksOf } from "../../../adapters/process/network-of.ts";
import type { RateLimiter, RateLimits } from "../../../adapters/redis/rate-limits.ts";
import type { Door } from "../../../kernel/scope.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import { tooManyAttempts } from "../../../kernel/too-many-attempts.ts";
import { bitsAfter } from "./proof-of-work.ts";
import type { Visitor } from "./visitor.ts";

/** After so many failures the graphic code is asked for, and in the console the browser's work. */
export const FAILURES_WITHOUT_CAPTCHA = 3;

/**
 * How much is allowed, and in how many seconds. A desk's address stands for several people, an account for one. What fails
 * is counted for an account and a network together, and shuts only those: nobody shuts an account for its own person. Of a
 * network alone it shuts the network, but for accounts that logged in from it. Of
 * an account alone it makes guessing dearer in the console; where there is nobody to pay, networks that the account never
 * logged in from are refused.
 */
const LIMITS = {
  accountHereFailures: { points: 10, duration: 15 * 60 },
  deviceFailures: { points: 10, duration: 15 * 60 },
  accountFailures: { points: 50, duration: 15 * 60 },
  addressFailures: { points: 50, duration: 15 * 60 },
  // Of IPv6, where one customer may choose among networks.
  smallSiteFailures: { points: 100, duration: 15 * 60 },
  largeSiteFailures: { points: 200, duration: 15 * 60 },
  /** of who is logged in already, with the password shown again */
  ownFailures: { points: 10, duration: 15 * 60 },
  /** each is a session and a line in the journal */
  logins: { points: 240, duration: 60 * 60 },
  /** lines in the journal of logins that were refused to an account */
  refusedLogins: { points: 200, duration: 24 * 60 * 60 },
  tasks: { points: 120, duration: 5 * 60 },
  captchas: { points: 120, duration: 5 * 60 },
  // Of an account from one network, so that a stranger uses up no one's but their own.
  recoveryPause: { points: 1, duration: 60 },
  recoveries: { points: 5, duration: 60 * 60 },
  recoveriesOfDay: { points: 10, duration: 24 * 60 * 60 },
  // Of an account from all networks where it didn't log in: it bounds guessing, and the mails that strangers cause.
  strangeRecoveriesOfDay: { points: 30, duration: 24 * 60 * 60 },
  deviceRecoveries: { points: 5, duration: 24 * 60 * 60 },
  addressRecoveries: { points: 30, duration: 60 * 60 },
  resets: { points: 20, duration: 15 * 60 },
  challenges: { points: 120, duration: 5 * 60 },
  // Three of a million codes count at any moment: who knows the password needs years.
  codes: { points: 20, duration: 24 * 60 * 60 },
} as const;

/** Somebody who tries a password. */
export interface Guess {
  account: string;
  /** whose account it is, under whichever of their names; null: nobody's */
  operatorId: number | null;
  visitor: Pick<Visitor, "address" | "door">;
  /** the known browser of the account's operator that they sit at */
  deviceId: string | null;
  /** whether the account's operator logged in from this network, in this channel, in the last weeks */
  isKnownNetwork(): Promise<boolean>;
}

export type RecoveryRequest = Pick<Guess, "account" | "deviceId" | "isKnownNetwork"> & { address: string };

export interface AttemptState {
  asksCaptcha: boolean;
  /** how hard the browser's task is; null: none */
  workBits: number | null;
}

/** Counters of failed and frequent attempts, shared by all servers. Accounts are kept hashed. */
export interface Attempts {
  /** What is asked beside the password. @throws too_many_attempts with retryAfterSeconds */
  standing(guess: Guess): Promise<AttemptState>;
  failed(guess: Guess): Promise<void>;
  /** What failed here before is forgiven; what failed elsewhere runs out by itself. */
  succeeded(guess: Guess): Promise<void>;
  /** Of who is logged in: a wrong password there counts as one at the login does. @throws too_many_attempts */
  ownStanding(operatorId: number): Promise<void>;
  ownFailed(operatorId: number): Promise<void>;
  ownSucceeded(operatorId: number): Promise<void>;
  /** One more login of an operator. @throws too_many_attempts */
  takeLogin(operatorId: number): Promise<void>;
  /** Whether one more refused login of an account is written down. */
  mayJournalRefusal(operatorId: number): Promise<boolean>;
  /** One more task for a browser. @throws too_many_attempts */
  takeTask(address: string): Promise<void>;
  /** @throws too_many_attempts */
  takeCaptcha(address: string): Promise<void>;
  /**
   * One code a minute, five an hour and ten a day for an account, known or not, from one network; thirty a day from all
   * networks together, but for those where the account logged in. A known browser has a few of its own. So nobody uses them
   * up for the account's person. @throws too_many_attempts
   */
  takeRecovery(request: RecoveryRequest): Promise<void>;
  /** @throws too_many_attempts */
  takeReset(address: string): Promise<void>;
  /** A step of a login that needs no password. @throws too_many_attempts */
  takeChallenge(address: string): Promise<void>;
  /**
   * A code of an authenticator app, from wherever, counted before it is judged: tries at the same moment can't be more.
   * @throws too_many_attempts
   */
  takeCode(operatorId: number): Promise<void>;
  /** The codes before this one are forgiven. */
  codeSucceeded(operatorId: number): Promise<void>;
  /** A wrong second factor counts for the address as a wrong password does. */
  factorFailed(address: string): Promise<void>;
}

export const RECOVERY_RESEND_SECONDS = LIMITS.recoveryPause.duration;

export function createAttempts(rateLimits: RateLimits, box: SecretBox): Attempts {
  const limiter = (name: keyof typeof LIMITS): RateLimiter => rateLimits(name, LIMITS[name]);
  const byAccountHere = limiter("accountHereFailures");
  const byDevice = limiter("deviceFailures");
  const byAccount = limiter("accountFailures");
  const byAddress = limiter("addressFailures");
  const bySmallSite = limiter("smallSiteFailures");
  const byLargeSite = limiter("largeSiteFailures");
  const own = limiter("ownFailures");
  const logins = limiter("logins");
  const refusedLogins = limiter("refusedLogins");
  const tasks = limiter("tasks");
  const captchas = limiter("captchas");
  const recoveryPause = limiter("recoveryPause");
  const recoveries = limiter("recoveries");
  const recoveriesOfDay = limiter("recoveriesOfDay");
  const strangeRecoveriesOfDay = limiter("strangeRecoveriesOfDay");
  const deviceRecoveries = limiter("deviceRecoveries");
  const addressRecoveries = limiter("addressRecoveries");
  const resets = limiter("resets");
  const challenges = limiter("challenges");
  const codes = limiter("codes");
  const keyOf = (account: string): string => box.fingerprint(`account:${account}`).toString("hex");

  async function take(from: RateLimiter, key: string): Promise<void> {
    const waitMs = await from.take(key);
    if (waitMs !== null) throw tooManyAttempts(waitMs);
  }

  /** The console's failures are its own: what programs and old clients fail at asks nothing of a desk. */
  const classOf = (door: Door): string => (door === "console" ? "console" : "program");
  /** Where failures of a network count, the widest last. */
  function networksOf(channel: string, address: string): [RateLimiter, string][] {
    const site = siteNetworksOf(address);
    const wider: [RateLimiter, string][] = site
      ? [
          [bySmallSite, `${channel}:${site.small}`],
          [byLargeSite, `${channel}:${site.large}`],
        ]
      : [];
    return [[byAddress, `${channel}:${networkOf(address)}`], ...wider];
  }
  const countNetworks = async (networks: [RateLimiter, string][]): Promise<void> => {
    await Promise.all(networks.map(([limit, key]) => limit.count(key)));
  };
  /** How many of the address's own failures this comes to, and until when it is shut; null: it isn't. */
  async function networkState(networks: [RateLimiter, string][]): Promise<{ failures: number; shutMs: number | null }> {
    const counted = await Promise.all(
      networks.map(async ([limit, key]) => {
        const { taken, forgottenInMs } = await limit.read(key);
        const failures = Math.floor((taken * byAddress.points) / limit.points);
        return { failures, shutMs: taken >= limit.points ? forgottenInMs : null };
      }),
    );
    const shut = counted.flatMap(({ shutMs }) => (shutMs === null ? [] : [shutMs]));
    return {
      failures: Math.max(...counted.map(({ failures }) => failures)),
      shutMs: shut.length > 0 ? Math.max(...shut) : null,
    };
  }

  /** A person has one counter under all their names. */
  const subjectOf = ({ account, operatorId }: Guess): string => (operatorId === null ? account : `#${operatorId}`);
  function keysOf(guess: Guess) {
    const { visitor, deviceId } = guess;
    const account = subjectOf(guess);
    const channel = classOf(visitor.door);
    const network = networkOf(visitor.address);
    return {
      device: deviceId && keyOf(`${deviceId}:${account}`),
      here: keyOf(`${channel}:${network}:${account}`),
      account: keyOf(`${channel}:${account}`),
      networks: networksOf(channel, visitor.address),
    };
  }
  async function within(limit: RateLimiter, key: string): Promise<number> {
    const { taken, forgottenInMs } = await limit.read(key);
    if (taken >= limit.points) throw tooManyAttempts(forgottenInMs);
    return taken;
  }

  return {
    async standing(guess) {
      const keys = keysOf(guess);
      if (keys.device) {
        const { taken } = await byDevice.read(keys.device);
        // A browser that used its own tries up is one like any other.
        if (taken < byDevice.points) return { asksCaptcha: taken >= FAILURES_WITHOUT_CAPTCHA, workBits: null };
      }
      const [here, network, account] = await Promise.all([
        within(byAccountHere, keys.here),
        networkState(keys.networks),
        byAccount.read(keys.account),
      ]);
      // Whoever logged in from there has the tries of `here`, whatever others fail at beside them.
      if (network.shutMs !== null && !(await guess.isKnownNetwork())) throw tooManyAttempts(network.shutMs);
      const failures = Math.max(here, network.failures, account.taken);
      const asksCaptcha = failures >= FAILURES_WITHOUT_CAPTCHA;
      if (guess.visitor.door === "console") {
        return { asksCaptcha, workBits: asksCaptcha ? bitsAfter(failures, FAILURES_WITHOUT_CAPTCHA) : null };
      }
      if (account.taken >= byAccount.points && !(await guess.isKnownNetwork())) {
        throw tooManyAttempts(account.forgottenInMs);
      }
      return { asksCaptcha, workBits: null };
    },
    async failed(guess) {
      const keys = keysOf(guess);
      if (keys.device && (await byDevice.take(keys.device)) === null) return;
      await Promise.all([byAccountHere.count(keys.here), countNetworks(keys.networks), byAccount.count(keys.account)]);
    },
    async succeeded(guess) {
      const keys = keysOf(guess);
      if (keys.device) await byDevice.forget(keys.device);
      const { taken } = await byAccountHere.read(keys.here);
      if (taken === 0) return;
      await byAccountHere.forget(keys.here);
      const { taken: ofAccount } = await byAccount.read(keys.account);
      if (ofAccount > 0) await byAccount.forgive(keys.account, Math.min(taken, ofAccount));
    },
    async ownStanding(operatorId) {
      await within(own, String(operatorId));
    },
    async ownFailed(operatorId) {
      await own.count(String(operatorId));
    },
    ownSucceeded: (operatorId) => own.forget(String(operatorId)),
    takeLogin: (operatorId) => take(logins, String(operatorId)),
    mayJournalRefusal: async (operatorId) => (await refusedLogins.take(String(operatorId))) === null,
    takeTask: (address) => take(tasks, networkOf(address)),
    takeCaptcha: (address) => take(captchas, networkOf(address)),
    async takeRecovery({ account, address, deviceId, isKnownNetwork }) {
      await take(addressRecoveries, networkOf(address));
      if (deviceId) return take(deviceRecoveries, keyOf(`${deviceId}:${account}`));
      // Of IPv6 all that one customer may choose among.
      const here = keyOf(`${siteNetworksOf(address)?.large ?? networkOf(address)}:${account}`);
      await take(recoveryPause, here);
      await take(recoveries, here);
      await take(recoveriesOfDay, here);
      if (!(await isKnownNetwork())) await take(strangeRecoveriesOfDay, keyOf(account));
    },
    takeReset: (address) => take(resets, networkOf(address)),
    takeChallenge: (address) => take(challenges, networkOf(address)),
    takeCode: (operatorId) => take(codes, String(operatorId)),
    async factorFailed(address) {
      await countNetworks(networksOf("console", address));
    },
    async codeSucceeded(operatorId) {
      await codes.forget(String(operatorId));
    },
  };
}
