import { isTooDeep } from "../../kernel/json-depth.ts";
import { type Decrypted, decrypted, encrypt, type LegacyCipher } from "./ciphers.ts";

export type Payload = Readonly<Record<string, unknown>>;

export interface OpenedEnvelope {
  payload: Payload;
  /** The cipher of the request; the answer uses the same. */
  cipher: LegacyCipher;
}

/** Value of `action` in every payload. Source: the product specification, section 7. */
const ACTION = "manage";
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Decrypts a client's payload, or returns null. Bad base64, length, padding, JSON or action give the same answer and
 * take the same work: we always try every cipher and parse every result.
 */
export function openEnvelope(ciphers: readonly LegacyCipher[], data: string): OpenedEnvelope | null {
  const bytes = Buffer.from(data, "base64");
  const right = BASE64.test(data);
  let opened: OpenedEnvelope | null = null;
  for (const cipher of ciphers) {
    const payload = payloadOf(decrypted(cipher, bytes));
    if (right && payload && !opened) opened = { payload, cipher };
  }
  return opened;
}

function payloadOf({ text, right }: Decrypted): Payload | null {
  if (isTooDeep(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (!right || typeof value !== "object" || value === null || Array.isArray(value)) return null;
    const { action, ...payload } = value as Record<string, unknown>;
    return action === ACTION ? payload : null;
  } catch {
    return null;
  }
}

/** Returns the body of an answer: `{"data": "<base64>"}`. */
export function sealAnswer(cipher: LegacyCipher, answer: unknown): string {
  return `{"data":"${encrypt(cipher, JSON.stringify(answer)).toString("base64")}"}`;
}
