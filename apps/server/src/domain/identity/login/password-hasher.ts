import { DomainError } from "@innkey/shared/errors";
import argon2 from "argon2";

/** Source: OWASP Password Storage Cheat Sheet, argon2id with 19 MiB. */
const PARAMETERS = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** More at once would take the threads that files and DNS need, and with them the desk. */
const AT_ONCE = 2;
/** About five seconds of work; who comes later is asked to come again. */
const MAX_WAITING = 400;
/** The hash of a password nobody has: an unknown account costs the same time as a wrong password. */
const NOBODY = argon2.hash("no account has this password", PARAMETERS);

/** What belongs to one judgement and is done while nobody else in the queue is judged. */
export interface Turn {
  /** when the turn has come; what was counted while waiting still counts */
  before(): Promise<void>;
  /** counts a wrong password before the next turn begins */
  wrong(): Promise<void>;
}

export interface PasswordHasher {
  /** @throws unavailable when too many wait */
  hash(password: string): Promise<string>;
  /**
   * `hash` null means an unknown account: takes as long, answers false.
   * @throws unavailable when too many wait, and what the turn's acts throw
   */
  verify(hash: string | null, password: string, turn?: Partial<Turn>): Promise<boolean>;
}

export function createPasswordHasher(atOnce = AT_ONCE, maxWaiting = MAX_WAITING): PasswordHasher {
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (busy < atOnce) busy += 1;
    else {
      if (waiting.length >= maxWaiting) throw new DomainError("unavailable");
      await new Promise<void>((turn) => waiting.push(turn));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  }

  return {
    hash: (password) => inTurn(() => argon2.hash(password, PARAMETERS)),
    verify: (hash, password, turn) =>
      inTurn(async () => {
        await turn?.before?.();
        const right = (await argon2.verify(hash ?? (await NOBODY), password)) && hash !== null;
        if (!right) await turn?.wrong?.();
        return right;
      }),
  };
}
