import { createHash } from "node:crypto";
import type { ErrorPayload } from "@innkey/shared/errors";
import type { LoginOutput, LoginWork, Me } from "@innkey/shared/schemas/identity/auth";
import { createTRPCClient, httpLink, type TRPCClient, TRPCClientError } from "@trpc/client";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { DEVICE_COOKIE, SESSION_COOKIE } from "../../src/api/http/session-cookie.ts";
import type { AppRouter } from "../../src/api/trpc/router.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A browser: its cookies, its address, and calls as the console makes them. */
export interface Browser {
  api: TRPCClient<AppRouter>;
  http(
    method: Method,
    url: string,
    options?: Pick<InjectOptions, "headers" | "payload">,
  ): Promise<LightMyRequestResponse>;
  /** The session's cookie; the server's answers change it */
  cookie: string | undefined;
  /** The device cookie, set once an operator has logged in */
  device: string | undefined;
}

/** Returns the error of a failed call. @throws Error if the call succeeds or the error isn't ours */
export async function failure(call: Promise<unknown>): Promise<ErrorPayload> {
  let answer: unknown;
  try {
    answer = await call;
  } catch (error) {
    const payload =
      error instanceof TRPCClientError ? (error.data as { innkey?: ErrorPayload } | null)?.innkey : undefined;
    if (!payload) throw error;
    return payload;
  }
  throw new Error(`expected a refusal, got ${JSON.stringify(answer)}`);
}

/** Returns the operator whom the password alone logged in. @throws Error if a further step is required */
export function entered(answer: LoginOutput): Me {
  if (answer.next !== "enter") throw new Error(`expected a session, got ${answer.next}`);
  const { next: _next, ...me } = answer;
  return me;
}

interface Task {
  challenge: string;
  bits: number;
}

function taskOf({ statusCode, body }: LightMyRequestResponse): Task | null {
  return statusCode === 401 ? taskIn(body) : null;
}

/** Returns the proof-of-work task of a refusal; null if it has none. */
export function taskIn(refusal: string): Task | null {
  const { code, params } = JSON.parse(refusal).error?.data?.innkey ?? {};
  return code === "work_required" ? params : null;
}

/** Solves a login's proof-of-work task. */
export const solved = (task: Task): LoginWork => firstAnswer(task, true);

/** Returns an answer that doesn't solve the task. */
export const unsolved = (task: Task): LoginWork => firstAnswer(task, false);

function firstAnswer({ challenge, bits }: Task, isRight: boolean): LoginWork {
  if (!(bits > 0)) throw new Error("this is no task of a login");
  for (let answer = 0; ; answer += 1) {
    const hash = createHash("sha256").update(`${challenge}:${answer}`).digest();
    if ((hash.readUInt32BE(0) >>> (32 - bits) === 0) === isRight) return { challenge, answer: String(answer) };
  }
}

export function createBrowser(app: FastifyInstance, cookie?: string, address = "127.0.0.1"): Browser {
  async function inject(method: Method, url: string, options: Pick<InjectOptions, "headers" | "payload"> = {}) {
    const jar = [
      ...(browser.cookie === undefined ? [] : [`${SESSION_COOKIE}=${browser.cookie}`]),
      ...(browser.device === undefined ? [] : [`${DEVICE_COOKIE}=${browser.device}`]),
    ];
    const session = jar.length === 0 ? {} : { cookie: jar.join("; ") };
    const own = { host: "localhost", origin: "http://localhost", "x-innkey": "1", "x-forwarded-for": address };
    const response = await app.inject({ ...options, method, url, headers: { ...own, ...session, ...options.headers } });
    const set = response.cookies.find(({ name }) => name === SESSION_COOKIE);
    if (set) browser.cookie = set.value === "" ? undefined : set.value;
    browser.device = response.cookies.find(({ name }) => name === DEVICE_COOKIE)?.value ?? browser.device;
    return response;
  }

  const browser: Browser = {
    cookie,
    device: undefined,
    http: inject,
    api: createTRPCClient<AppRouter>({
      links: [
        httpLink({
          url: "http://localhost/api/trpc",
          async fetch(input, init) {
            const { pathname, search } = new URL(String(input));
            const headers = Object.fromEntries(new Headers(init?.headers as Record<string, string>));
            const payload = typeof init?.body === "string" ? init.body : undefined;
            const send = (body: string | undefined) =>
              inject(init?.method === "POST" ? "POST" : "GET", pathname + search, {
                headers,
                ...(body === undefined ? {} : { payload: body }),
              });
            let response = await send(payload);
            // Solves the task and repeats the call, as the console does.
            for (let round = 0; round < 3 && payload; round += 1) {
              const task = taskOf(response);
              if (!task) break;
              response = await send(JSON.stringify({ ...JSON.parse(payload), work: solved(task) }));
            }
            return new Response(response.body, { status: response.statusCode });
          },
        }),
      ],
    }),
  };
  return browser;
}
