import { LANGUAGES, type LanguageCode } from "@innkey/shared/languages";
import type { FastifyInstance } from "fastify";
import type { LegacyAnswer } from "../../src/api/legacy/answers.ts";
import type { Endpoint } from "../../src/api/legacy/endpoint.ts";
import { decrypt, encrypt, type LegacyCipher } from "../../src/api/legacy/envelope.ts";
import { endpoints } from "../../src/api/legacy/registry.ts";
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

interface ManageOptions {
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

/** @throws Error if there is no such call */
function endpointAt(path: string): Endpoint {
  const match = endpoints.find((endpoint) => endpoint.path === `/manage/${path}`);
  if (!match) throw new Error(`no call ${path}`);
  return match;
}

/**
 * Makes a call and checks that its answer has exactly the fields of the endpoint's output.
 * @throws Error if the call fails or the answer differs
 */
export async function answerOf<T = Record<string, unknown>>(
  client: ManageClient,
  path: string,
  payload: Record<string, unknown> = {},
): Promise<T> {
  const data = await client.ok(path, payload);
  const promised = endpointAt(path).output.safeParse(data);
  if (!promised.success)
    throw new Error(`${path} breaks its promise: ${promised.error.message}\n${JSON.stringify(data)}`);
  return data as T;
}

/** Returns the errno and data of a refused call. @throws Error if it succeeds */
export async function refusalOf(
  client: ManageClient,
  path: string,
  payload: Record<string, unknown> = {},
): Promise<LegacyAnswer & { data: { reason?: string; fields?: Record<string, string> } }> {
  const answer = await client.call(path, payload);
  if (answer.errno === 0) throw new Error(`${path} was expected to be refused: ${JSON.stringify(answer)}`);
  return answer;
}
