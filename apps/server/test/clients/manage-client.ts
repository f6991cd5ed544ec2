import type { LanguageCode } from "@innkey/shared/languages";
import { LANGUAGES } from "@innkey/shared/languages";
import type { FastifyInstance } from "fastify";
import type { LegacyAnswer } from "../../src/api/legacy/answers.ts";
import { decrypt, encrypt, type LegacyCipher } from "../../src/api/legacy/ciphers.ts";
import type { TestOperator } from "../harness/people.ts";
import { TEST_CIPHERS, TEST_PASSWORD, type TestServer } from "../harness/server.ts";

/** An old client: encrypts requests, decrypts answers, and stores the token from the login. */
export interface ManageClient {
  token: string | undefined;
  language: LanguageCode;
  /** `path` without "/manage/" */
  call<T = Record<string, unknown>>(
    path: string,
    payload?: Record<string, unknown>,
  ): Promise<LegacyAnswer & { data: T }>;
  /** As `call`, for calls that must succeed. @throws Error with the answer otherwise */
  ok<T = Record<string, unknown>>(path: string, payload?: Record<string, unknown>): Promise<T>;
}

export interface ManageOptions {
  cipher?: LegacyCipher;
  language?: LanguageCode;
  address?: string;
  /** Sends a form instead of JSON */
  form?: boolean;
}

export function manageClient(app: FastifyInstance, options: ManageOptions = {}): ManageClient {
  const [first] = TEST_CIPHERS;
  const cipher = options.cipher ?? first;
  if (!cipher) throw new Error("no cipher");
  const client: ManageClient = {
    token: undefined,
    language: options.language ?? "en",
    async call(path, payload = {}) {
      const header = LANGUAGES.find(({ code }) => code === client.language)?.header ?? "en";
      const data = encrypt(cipher, JSON.stringify({ ...payload, action: "manage" })).toString("base64");
      const fields = { data, language: header };
      const response = await app.inject({
        method: "POST",
        url: `/manage/${path}`,
        headers: {
          language: header,
          "content-type": options.form ? "application/x-www-form-urlencoded" : "application/json",
          "x-forwarded-for": options.address ?? "127.0.0.1",
          ...(client.token ? { "x-token": client.token } : {}),
        },
        payload: options.form ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
      });
      if (response.statusCode !== 200) throw new Error(`${path}: HTTP ${response.statusCode} ${response.body}`);
      const opened = decrypt(cipher, Buffer.from(response.json<{ data: string }>().data, "base64"));
      return JSON.parse(opened ?? "null");
    },
    async ok(path, payload) {
      const answer = await client.call(path, payload);
      if (answer.errno !== 0) throw new Error(`${path}: ${JSON.stringify(answer)}`);
      return answer.data as never;
    },
  };
  return client;
}

/** Returns a client logged in with the password, as old clients do. */
export async function manageLogin(
  server: TestServer,
  operator: Pick<TestOperator, "account">,
  options?: ManageOptions,
): Promise<ManageClient> {
  const client = manageClient(server.app, options);
  const { token } = await client.ok<{ token: string }>("login", { mobile: operator.account, password: TEST_PASSWORD });
  client.token = token;
  return client;
}
