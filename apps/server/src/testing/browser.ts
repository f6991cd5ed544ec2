import type { ErrorPayload } from "@innkey/shared/errors";
import type { LoginOutput, Me } from "@innkey/shared/schemas/auth";
import { createTRPCClient, httpLink, type TRPCClient, TRPCClientError } from "@trpc/client";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { SESSION_COOKIE } from "../doors/http/session-cookie.ts";
import type { AppRouter } from "../doors/trpc/router.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One browser: its cookie, its address, and the console's way of calling. */
export interface Browser {
  api: TRPCClient<AppRouter>;
  http(
    method: Method,
    url: string,
    options?: Pick<InjectOptions, "headers" | "payload">,
  ): Promise<LightMyRequestResponse>;
  /** the session's cookie; changes with what the server sets */
  cookie: string | undefined;
}

/** What the server answered instead of a result. @throws Error if it answered well, or not in our vocabulary */
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

/** Who a password alone let in. @throws Error if something else was asked for */
export function entered(answer: LoginOutput): Me {
  if (answer.next !== "enter") throw new Error(`expected a session, got ${answer.next}`);
  const { next: _next, ...me } = answer;
  return me;
}

export function createBrowser(app: FastifyInstance, cookie?: string, address = "127.0.0.1"): Browser {
  async function inject(method: Method, url: string, options: Pick<InjectOptions, "headers" | "payload"> = {}) {
    const session = browser.cookie === undefined ? {} : { cookie: `${SESSION_COOKIE}=${browser.cookie}` };
    const own = { host: "localhost", origin: "http://localhost", "x-innkey": "1", "x-forwarded-for": address };
    const response = await app.inject({ ...options, method, url, headers: { ...own, ...session, ...options.headers } });
    const set = response.cookies.find(({ name }) => name === SESSION_COOKIE);
    if (set) browser.cookie = set.value === "" ? undefined : set.value;
    return response;
  }

  const browser: Browser = {
    cookie,
    http: inject,
    api: createTRPCClient<AppRouter>({
      links: [
        httpLink({
          url: "http://localhost/api/trpc",
          async fetch(input, init) {
            const { pathname, search } = new URL(String(input));
            const headers = Object.fromEntries(new Headers(init?.headers as Record<string, string>));
            const payload = typeof init?.body === "string" ? init.body : undefined;
            const response = await inject(init?.method === "POST" ? "POST" : "GET", pathname + search, {
              headers,
              ...(payload === undefined ? {} : { payload }),
            });
            return new Response(response.body, { status: response.statusCode });
          },
        }),
      ],
    }),
  };
  return browser;
}
