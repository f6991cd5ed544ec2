import { createHash, randomBytes } from "node:crypto";
import type { LoginWork } from "@innkey/shared/schemas/identity/auth";
import type { RateLimits } from "../../../adapters/redis/rate-limits.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";

/** A phone computes some hundred thousand hashes a second, so the first task takes it about half a second. */
const FIRST_BITS = 16;
const MAX_BITS = 22;
const VALID_SECONDS = 5 * 60;
const NONCE_BYTES = 16;

/** Returns the difficulty in bits: each doubling of the failures doubles the work. */
export const bitsAfter = (failures: number, first: number, firstBits = FIRST_BITS): number =>
  Math.min(MAX_BITS, firstBits + Math.floor(Math.log2(Math.max(1, failures / first))));

/**
 * Small tasks that a browser computes before its login is checked. Each is bound to one account, usable once, and
 * expires after minutes.
 */
export interface ProofOfWork {
  task(account: string, bits: number): { challenge: string; bits: number };
  /** Uses up a task; returns true if it was solved and is at least as hard as required now. */
  spend(account: string, work: LoginWork | undefined, requiredBits: number): Promise<boolean>;
}

export function createProofOfWork(deps: { box: SecretBox; clock: Clock; rateLimits: RateLimits }): ProofOfWork {
  const { box, clock } = deps;
  const spentTasks = deps.rateLimits("spentWork", { points: 1, duration: 2 * VALID_SECONDS });
  const signatureInput = (account: string, task: string): string => `work:${account}:${task}`;
  return {
    task(account, bits) {
      const expiresAt = clock.now().getTime() + VALID_SECONDS * 1000;
      const task = `${expiresAt}.${bits}.${randomBytes(NONCE_BYTES).toString("base64url")}`;
      return { challenge: `${task}.${box.fingerprint(signatureInput(account, task)).toString("base64url")}`, bits };
    },
    async spend(account, work, requiredBits) {
      if (!work) return false;
      const [expiresAt, bits, nonce = "", signature = ""] = work.challenge.split(".");
      const task = `${expiresAt}.${bits}.${nonce}`;
      if (!box.isFingerprint(signatureInput(account, task), Buffer.from(signature, "base64url"))) return false;
      if (!(Number(expiresAt) > clock.now().getTime())) return false;
      if (Number(bits) < requiredBits) return false;
      const hash = createHash("sha256").update(`${work.challenge}:${work.answer}`).digest();
      if (leadingZeros(hash) < Number(bits)) return false;
      return (await spentTasks.take(nonce)) === null;
    },
  };
}

function leadingZeros(hash: Uint8Array): number {
  let zeros = 0;
  for (const byte of hash) {
    zeros += Math.clz32(byte) - 24;
    if (byte !== 0) break;
  }
  return zeros;
}
