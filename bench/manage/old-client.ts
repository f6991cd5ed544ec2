import assert from "node:assert/strict";
import { decrypt, encrypt, type LegacyCipher } from "../../apps/server/src/api/legacy/envelope.ts";
import { OWNER } from "../measuring/owner.ts";

/** The cipher that the measured server shares with its old clients. */
export const CIPHER: LegacyCipher = { name: "aes-256-cbc", key: Buffer.alloc(32, 3), iv: Buffer.alloc(16, 4) };

/** The server's settings for this cipher. */
export const CIPHER_SETTINGS = {
  LEGACY_CIPHER: CIPHER.name,
  LEGACY_KEY: Buffer.from(CIPHER.key).toString("hex"),
  LEGACY_IV: Buffer.from(CIPHER.iv).toString("hex"),
};

/** Returns a request body: the payload in its encrypted envelope. */
export function encryptPayload(payload: Record<string, unknown>): string {
  const data = encrypt(CIPHER, JSON.stringify({ ...payload, action: "manage" })).toString("base64");
  return JSON.stringify({ data, language: "en" });
}

export interface Answer {
  errno: number;
  errmsg: string;
  data: Record<string, unknown>;
}

export function decryptAnswer(body: string): Answer {
  const { data } = JSON.parse(body) as { data: string };
  return JSON.parse(decrypt(CIPHER, Buffer.from(data, "base64")) ?? "null") as Answer;
}

export async function ask(
  server: string,
  path: string,
  payload: Record<string, unknown>,
  token = "",
): Promise<Answer["data"]> {
  const headers = { "content-type": "application/json", "x-token": token };
  const response = await fetch(`${server}/manage/${path}`, { method: "POST", headers, body: encryptPayload(payload) });
  const answer = decryptAnswer(await response.text());
  assert.equal(answer.errno, 0, `${path}: ${answer.errmsg}`);
  return answer.data;
}

/** Logs in and returns the owner's token. */
export async function logInAsOldClient(server: string): Promise<string> {
  const { token } = await ask(server, "login", OWNER_LOGIN);
  return String(token);
}

const OWNER_LOGIN = { mobile: OWNER.mobile, password: OWNER.password };
