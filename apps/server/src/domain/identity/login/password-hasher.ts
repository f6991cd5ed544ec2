import { DomainError } from "@innkey/shared/errors";
import argon2 from "argon2";

/** Source: OWASP Password Storage Cheat Sheet, argon2id with 19 MiB. */
const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
/** More hashes at once would occupy the threads that file and DNS access need, and slow the whole server down. */
const AT_ONCE = 2;
/** About five seconds of work; beyond that, callers are asked to try again. */
const MAX_WAITING = 400;

/** Memory in KiB and passes of one hash. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
}

/** Steps of one verification that run while the slot of the queue is occupied. */
export interface Turn {
  /** The caller is no stranger: they go before all strangers, who could otherwise fill the queue for them. */
  isKnown: boolean;
  /** Runs when the slot is reached, and so sees failures counted while waiting. */
  before(): Promise<void>;
  /** Runs after a wrong password, before the slot is freed for the next verification. */
  wrong(): Promise<void>;
}

export interface PasswordHasher {
  /** Goes before the verifications of strangers, because only known callers set passwords. @throws as `verify` */
  hash(password: string): Promise<string>;
  /**
   * Verifies a password. A null `hash` means an unknown account: takes as long and returns false.
   * @throws unavailable if too many calls wait, and whatever `turn` throws
   */
  verify(hash: string | null, password: string, turn?: Partial<Turn>): Promise<boolean>;
}

export function createPasswordHasher({
  atOnce = AT_ONCE,
  maxWaiting = MAX_WAITING,
  cost = PASSWORD_COST,
} = {}): PasswordHasher {
  const parameters = { type: argon2.argon2id, parallelism: 1, ...cost };
  /** Hash that no password matches, so that an unknown account takes as long as a wrong password. */
  const nobody = argon2.hash("no account has this password", parameters);
  const known: (() => void)[] = [];
  const strangers: (() => void)[] = [];
  let busy = 0;

  async function inTurn<T>(isKnown: boolean, work: () => Promise<T>): Promise<T> {
    if (busy < atOnce) busy += 1;
    else {
      const waiting = isKnown ? known : strangers;
      if (waiting.length >= maxWaiting) throw new DomainError("unavailable");
      await new Promise<void>((turn) => waiting.push(turn));
    }
    try {
      return await work();
    } finally {
      const next = known.shift() ?? strangers.shift();
      if (next) next();
      else busy -= 1;
    }
  }

  return {
    hash: (password) => inTurn(true, () => argon2.hash(password, parameters)),
    verify: (hash, password, turn) =>
      inTurn(turn?.isKnown ?? false, async () => {
        await turn?.before?.();
        const right = (await argon2.verify(hash ?? (await nobody), password)) && hash !== null;
        if (!right) await turn?.wrong?.();
        return right;
      }),
  };
}
