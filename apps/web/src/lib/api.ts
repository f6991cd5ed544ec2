import type { AppRouter } from "@innkey/server/router";
import { createTRPCClient, httpBatchLink, type TRPCLink } from "@trpc/client";
import { readAfterWrite } from "./events/topics.ts";
import { language } from "./i18n.ts";
import { sendNoted } from "./loading/connection.ts";
import { report } from "./login/session-end.ts";
import { failureOf } from "./rest.ts";

const TIMEOUT_MILLISECONDS = 40_000;

function fetchInTime(input: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const isRead = init?.method === "GET";
  return sendNoted(() => fetch(input, { ...init, signal, credentials: "same-origin" }), isRead);
}

/** Refusals that come before anything was read or written, so that nothing on the page can have changed. */
const UNCHANGED_AFTER: ReadonlySet<string> = new Set(["invalid_input", "no_permission"]);

/**
 * Refetches what a mutation has changed. It also refetches after most refusals, because they often mean that another
 * desk was faster.
 */
const readingAfterWrites: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    if (op.type !== "mutation") return next(op);
    const answer = next(op);
    return {
      ...answer,
      subscribe: (caller) =>
        answer.subscribe({
          ...caller,
          next: (value) => {
            readAfterWrite(op.path);
            caller?.next?.(value);
          },
          error: (error) => {
            if (!UNCHANGED_AFTER.has(failureOf(error).code)) readAfterWrite(op.path);
            caller?.error?.(error);
          },
        }),
    };
  };

/** `api.auth.status.query()`. The hooks are in trpc.ts, so that the login page doesn't load them. */
export const api = createTRPCClient<AppRouter>({
  links: [
    readingAfterWrites,
    httpBatchLink({
      url: "/api/trpc",
      maxItems: 10,
      headers: { "x-innkey": "1", language: language.header },
      fetch: (url, options) => fetchInTime(url, options as RequestInit),
    }),
  ],
});

/** Handles the failure of a call whose form shows it. */
export async function reportingFailure<Data>(call: Promise<Data>): Promise<Data> {
  try {
    return await call;
  } catch (error) {
    report(failureOf(error), "form");
    throw error;
  }
}
