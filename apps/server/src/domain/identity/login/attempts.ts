import { networkOf, siteNetworksOf } from "../../../adapters/process/network-of.ts";
import type { RateLimiter, RateLimits } from "../../../adapters/redis/rate-limits.ts";
import { counter } from "../../../adapters/telemetry/metrics.ts";
import { tooManyAttempts } from "../../../kernel/errors.ts";
import type { Channel } from "../../../kernel/scope.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import { bitsAfter } from "./proof-of-work.ts";
import type { Visitor } from "./visitor.ts";

/** Counts refused logins (password, second factor, frozen account), by channel. */
export const loginsFailed = counter({
  name: "logins_failed_total",
  help: "Logins that were refused",
  labels: ["channel"],
});

/** After this many failures the captcha is required, and in the console a proof of work by the browser. */
export const FAILURES_WITHOUT_CAPTCHA = 3;

/**
 * Number of attempts allowed, and the period in seconds. Several people share the network address of a hotel's desk; an
 * account belongs to one person. Failures are counted in these ways:
 * - per account and network: blocks only that account from that network, so a stranger can't lock out the account's
 *   holder;
 * - per network: blocks the network, except for accounts that logged in from it before;
 * - per known device: its own tries, before the other limits apply;
 * - per account: makes guessing in the console more expensive. Other channels, where a client can't do the work, refuse
 *   networks from which the account never logged in.
 */
const LIMITS = {
  accountHereFailures: { points: 10, duration: 15 * 60 },
  deviceFailures: { points: 10, duration: 15 * 60 },
  accountFailures: { points: 50, duration: 15 * 60 },
  addressFailures: { points: 50, duration: 15 * 60 },
  // Limits for the wider IPv6 networks, because one customer may choose among many networks.
  smallSiteFailures: { points: 100, duration: 15 * 60 },
  largeSiteFailures: { points: 200, duration: 15 * 60 },
  /** Wrong passwords of a logged-in person who has to enter the password again. */
  ownFailures: { points: 10, duration: 15 * 60 },
  /** Logins per operator; each one creates a session and an audit entry. */
  logins: { points: 240, duration: 60 * 60 },
  /** Refused logins per account that the audit records. */
  refusedLogins: { points: 200, duration: 24 * 60 * 60 },
  tasks: { points: 120, duration: 5 * 60 },
  captchas: { points: 120, duration: 5 * 60 },
  // Higher for the wider IPv6 networks, because providers of mobile networks put many customers into one.
  smallSiteCaptchas: { points: 1_200, duration: 5 * 60 },
  largeSiteCaptchas: { points: 2_400, duration: 5 * 60 },
  // Limits per account and network, so that a stranger uses up only the codes for their own network.
  recoveryPause: { points: 1, duration: 60 },
  recoveries: { points: 5, duration: 60 * 60 },
  recoveriesOfDay: { points: 10, duration: 24 * 60 * 60 },
  // Limit per account over all networks from which it never logged in. It bounds guessing and the mail strangers can
  // cause.
  strangeRecoveriesOfDay: { points: 30, duration: 24 * 60 * 60 },
  deviceRecoveries: { points: 5, duration: 24 * 60 * 60 },
  addressRecoveries: { points: 30, duration: 60 * 60 },
  resets: { points: 20, duration: 15 * 60 },
  challenges: { points: 120, duration: 5 * 60 },
  smallSiteChallenges: { points: 1_200, duration: 5 * 60 },
  largeSiteChallenges: { points: 2_400, duration: 5 * 60 },
  // Three of a million codes are valid at any moment, so guessing takes years even for someone who knows the password.
  codes: { points: 20, duration: 24 * 60 * 60 },
} as const;

/** One attempt to log in with a password. */
export interface Guess {
  account: string;
  /** Operator who has the account, whichever of their accounts was typed; null if no one has it. */
  operatorId: number | null;
  visitor: Pick<Visitor, "address" | "channel">;
  /** Id of this browser if the account's operator logged in with it before. */
  deviceId: string | null;
  /** Checks whether the account's operator logged in from this network and channel recently. */
  isKnownNetwork(): Promise<boolean>;
}

export type RecoveryRequest = Pick<Guess, "account" | "deviceId" | "isKnownNetwork"> & { address: string };

export interface AttemptState {
  asksCaptcha: boolean;
  /** Difficulty of the browser's task in bits; null means that no task is required. */
  workBits: number | null;
}

/** Counts failed and frequent attempts; all servers share the counters. Accounts are stored hashed. */
export interface Attempts {
  /** Returns what is required besides the password. @throws too_many_attempts with retryAfterSeconds */
  readState(guess: Guess): Promise<AttemptState>;
  failed(guess: Guess): Promise<void>;
  /** Resets the failures from this browser and network. Failures from elsewhere expire on their own. */
  succeeded(guess: Guess): Promise<void>;
  /** Checks the wrong passwords of a logged-in person, which have a separate limit. @throws too_many_attempts */
  checkOwn(operatorId: number): Promise<void>;
  ownFailed(operatorId: number): Promise<void>;
  ownSucceeded(operatorId: number): Promise<void>;
  /** Counts a login of the operator. @throws too_many_attempts */
  takeLogin(operatorId: number): Promise<void>;
  /** Counts a refused login and returns whether the audit may record it. */
  mayAuditRefusal(operatorId: number): Promise<boolean>;
  /** Counts a task issued to a browser. @throws too_many_attempts */
  takeTask(address: string): Promise<void>;
  /** @throws too_many_attempts */
  takeCaptcha(address: string): Promise<void>;
  /**
   * Counts a request for a recovery code. Per network, an account gets one a minute, five an hour and ten a day,
   * whether or not it exists. All networks from which it never logged in share thirty a day. A known browser has a
   * limit that is separate, so strangers can't use up the codes of the account's holder. @throws too_many_attempts
   */
  takeRecovery(request: RecoveryRequest): Promise<void>;
  /** @throws too_many_attempts */
  takeReset(address: string): Promise<void>;
  /** Counts a login step that needs no password. @throws too_many_attempts */
  takeChallenge(address: string): Promise<void>;
  /**
   * Counts an authenticator code, from any network, before it is checked, so that concurrent tries can't exceed the
   * limit.
   * @throws too_many_attempts
   */
  takeCode(operatorId: number): Promise<void>;
  /** Resets the count of codes. */
  codeSucceeded(operatorId: number): Promise<void>;
  /** Counts a wrong second factor for the network, as a wrong password is counted. */
  factorFailed(address: string): Promise<void>;
}

/** Limits per network of an address, and for IPv6 also per site (`siteNetworksOf`). */
type NetworkLimiters = Readonly<Record<"network" | "smallSite" | "largeSite", RateLimiter>>;

export const RECOVERY_RESEND_SECONDS = LIMITS.recoveryPause.duration;

export function createAttempts(rateLimits: RateLimits, box: SecretBox, firstWorkBits?: number): Attempts {
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
  const captchas: NetworkLimiters = {
    network: limiter("captchas"),
    smallSite: limiter("smallSiteCaptchas"),
    largeSite: limiter("largeSiteCaptchas"),
  };
  const recoveryPause = limiter("recoveryPause");
  const recoveries = limiter("recoveries");
  const recoveriesOfDay = limiter("recoveriesOfDay");
  const strangeRecoveriesOfDay = limiter("strangeRecoveriesOfDay");
  const deviceRecoveries = limiter("deviceRecoveries");
  const addressRecoveries = limiter("addressRecoveries");
  const resets = limiter("resets");
  const challenges: NetworkLimiters = {
    network: limiter("challenges"),
    smallSite: limiter("smallSiteChallenges"),
    largeSite: limiter("largeSiteChallenges"),
  };
  const codes = limiter("codes");
  const keyOf = (account: string): string => box.fingerprint(`account:${account}`).toString("hex");

  async function take(from: RateLimiter, key: string): Promise<void> {
    const waitMs = await from.take(key);
    if (waitMs !== null) throw tooManyAttempts(waitMs);
  }
  async function takeFromNetworks({ network, smallSite, largeSite }: NetworkLimiters, address: string): Promise<void> {
    const site = siteNetworksOf(address);
    // The widest first, so that a visitor who chooses among many networks leaves no counter for each.
    if (site) {
      await take(largeSite, site.large);
      await take(smallSite, site.small);
    }
    await take(network, networkOf(address));
  }

  /** The console counts separately, so that failures of programs and old clients never hinder a login at the console. */
  const channelClassOf = (channel: Channel): string => (channel === "console" ? "console" : "program");
  /** Counters of the address's networks, narrowest first. */
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
  /**
   * Returns the failures of the networks, scaled to the limit of the narrowest one, and for how many milliseconds they
   * are blocked (null: not blocked).
   */
  async function networkState(
    networks: [RateLimiter, string][],
  ): Promise<{ failures: number; blockedMs: number | null }> {
    const states = await Promise.all(
      networks.map(async ([limit, key]) => {
        const { count: used, resetInMs } = await limit.read(key);
        const failures = Math.floor((used * byAddress.points) / limit.points);
        return { failures, blockedMs: used >= limit.points ? resetInMs : null };
      }),
    );
    const blocks = states.flatMap(({ blockedMs }) => blockedMs ?? []);
    return {
      failures: Math.max(...states.map(({ failures }) => failures)),
      blockedMs: blocks.length > 0 ? Math.max(...blocks) : null,
    };
  }

  /** A person has one counter, whichever of their accounts is used. */
  const subjectOf = ({ account, operatorId }: Guess): string => (operatorId === null ? account : `#${operatorId}`);
  function keysOf(guess: Guess) {
    const { visitor, deviceId } = guess;
    const account = subjectOf(guess);
    const channel = channelClassOf(visitor.channel);
    const network = networkOf(visitor.address);
    return {
      device: deviceId && keyOf(`${deviceId}:${account}`),
      here: keyOf(`${channel}:${network}:${account}`),
      account: keyOf(`${channel}:${account}`),
      networks: networksOf(channel, visitor.address),
    };
  }
  /** Returns the count. @throws too_many_attempts at the limit */
  async function readBelowLimit(limit: RateLimiter, key: string): Promise<number> {
    const { count: used, resetInMs } = await limit.read(key);
    if (used >= limit.points) throw tooManyAttempts(resetInMs);
    return used;
  }

  return {
    async readState(guess) {
      const keys = keysOf(guess);
      if (keys.device) {
        const { count: used } = await byDevice.read(keys.device);
        // A browser that has used up its tries is treated like an unknown one.
        if (used < byDevice.points) return { asksCaptcha: used >= FAILURES_WITHOUT_CAPTCHA, workBits: null };
      }
      const [here, network, account] = await Promise.all([
        readBelowLimit(byAccountHere, keys.here),
        networkState(keys.networks),
        byAccount.read(keys.account),
      ]);
      // A network from which the account logged in before stays open to it, whatever the failures of others there.
      if (network.blockedMs !== null && !(await guess.isKnownNetwork())) throw tooManyAttempts(network.blockedMs);
      const failures = Math.max(here, network.failures, account.count);
      const asksCaptcha = failures >= FAILURES_WITHOUT_CAPTCHA;
      if (guess.visitor.channel === "console") {
        return {
          asksCaptcha,
          workBits: asksCaptcha ? bitsAfter(failures, FAILURES_WITHOUT_CAPTCHA, firstWorkBits) : null,
        };
      }
      if (account.count >= byAccount.points && !(await guess.isKnownNetwork())) {
        throw tooManyAttempts(account.resetInMs);
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
      if (keys.device) await byDevice.reset(keys.device);
      const { count: used } = await byAccountHere.read(keys.here);
      if (used === 0) return;
      await byAccountHere.reset(keys.here);
      const { count: usedByAccount } = await byAccount.read(keys.account);
      if (usedByAccount > 0) await byAccount.reduce(keys.account, Math.min(used, usedByAccount));
    },
    async checkOwn(operatorId) {
      await readBelowLimit(own, String(operatorId));
    },
    async ownFailed(operatorId) {
      await own.count(String(operatorId));
    },
    ownSucceeded: (operatorId) => own.reset(String(operatorId)),
    takeLogin: (operatorId) => take(logins, String(operatorId)),
    mayAuditRefusal: async (operatorId) => (await refusedLogins.take(String(operatorId))) === null,
    takeTask: (address) => take(tasks, networkOf(address)),
    takeCaptcha: (address) => takeFromNetworks(captchas, address),
    async takeRecovery({ account, address, deviceId, isKnownNetwork }) {
      await take(addressRecoveries, networkOf(address));
      if (deviceId) return take(deviceRecoveries, keyOf(`${deviceId}:${account}`));
      // For IPv6, counts per site, because one customer may choose among its networks.
      const here = keyOf(`${siteNetworksOf(address)?.large ?? networkOf(address)}:${account}`);
      await take(recoveryPause, here);
      await take(recoveries, here);
      await take(recoveriesOfDay, here);
      if (!(await isKnownNetwork())) await take(strangeRecoveriesOfDay, keyOf(account));
    },
    takeReset: (address) => take(resets, networkOf(address)),
    takeChallenge: (address) => takeFromNetworks(challenges, address),
    takeCode: (operatorId) => take(codes, String(operatorId)),
    async factorFailed(address) {
      await countNetworks(networksOf("console", address));
    },
    async codeSucceeded(operatorId) {
      await codes.reset(String(operatorId));
    },
  };
}
