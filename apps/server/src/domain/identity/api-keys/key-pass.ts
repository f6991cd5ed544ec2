import type { SecretBox } from "../../../kernel/secret-box.ts";

/** Temporary token that a client uses instead of its API key. */
export interface KeyPass {
  token: string;
  expiresInSeconds: number;
}

/** The pass is sealed and contains the id of the key and the expiry time, so clients can neither read nor forge it. */
const PASS = /^gk_([\w-]{20,200})$/;
const CONTEXT = { outside: "key pass" };
const LIFE_MS = 12 * 3_600_000;

export function issueKeyPass(
  box: SecretBox,
  { apiKeyId, expiresAt: keyEnd }: { apiKeyId: number; expiresAt: Date | null },
  now: Date,
): KeyPass {
  const lifeMs = Math.min(LIFE_MS, (keyEnd?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime());
  const sealed = box.seal(`${apiKeyId}:${now.getTime() + lifeMs}`, CONTEXT);
  return { token: `gk_${sealed.toString("base64url")}`, expiresInSeconds: Math.floor(lifeMs / 1000) };
}

export const isKeyPass = (token: string): boolean => PASS.test(token);

/** Returns the id of the key, or null if the pass is invalid or has expired. */
export function readKeyPass(box: SecretBox, token: string, now: Date): number | null {
  const sealed = PASS.exec(token)?.[1];
  const opened = sealed === undefined ? null : box.open(Buffer.from(sealed, "base64url"), CONTEXT);
  const [apiKeyId = 0, end = 0] = (opened ?? "").split(":").map(Number);
  return apiKeyId > 0 && end > now.getTime() ? apiKeyId : null;
}
