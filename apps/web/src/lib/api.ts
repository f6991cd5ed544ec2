import type { AppRouter } from "@innkey/server/router";
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from "@trpc/client";
import { readingAfterWrites } from "./events/topics.ts";
import { language } from "./i18n.ts";
import { sendNoted } from "./loading/connection.ts";
import { hasEarlyAnswer, queryUrl, takeEarlyAnswer } from "./loading/early-calls.ts";
import { handleFailedCall } from "./login/failed-call.ts";
import { failureOf } from "./rest.ts";

const TIMEOUT_MILLISECONDS = 40_000;

function fetchInTime(input: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const isRead = init?.method === "GET";
  const early = isRead ? takeEarlyAnswer(String(input)) : undefined;
  return sendNoted(() => early ?? fetch(input, { ...init, signal, credentials: "same-origin" }), isRead);
}

const requests = {
  url: "/api/trpc",
  headers: { "x-innkey": "1", language: language.header },
  fetch: (url: RequestInfo | URL | string, options: unknown) => fetchInTime(url, options as RequestInit),
};

/** `api.auth.status.query()`. The hooks are in trpc.ts, so that the login page doesn't load them. */
export const api = createTRPCClient<AppRouter>({
  links: [
    readingAfterWrites,
    splitLink({
      // A batch has an address of its own, for which there is no early answer.
      condition: ({ type, path, input }) => type === "query" && hasEarlyAnswer(queryUrl(path, input)),
      true: httpLink(requests),
      false: httpBatchLink({ ...requests, maxItems: 10 }),
    }),
  ],
});

/** Handles the failure of a call whose form shows it. */
export async function reportingFailure<Data>(call: Promise<Data>): Promise<Data> {
  try {
    return await call;
  } catch (error) {
    handleFailedCall(failureOf(error), "form");
    throw error;
  }
}
