import type { AppRouter } from "@innkey/server/router";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { failureOf } from "./api-error.ts";
import { language } from "./i18n.ts";
import { report } from "./session-end.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /** `shownInForm`: the form shows the failure itself, so that no toast repeats it. */
    mutationMeta: { shownInForm?: boolean };
  }
}

const TIMEOUT_MILLISECONDS = 40_000;

function fetchInTime(input: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  return fetch(input, { ...init, signal, credentials: "same-origin" });
}

export const api = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: "/api/trpc",
      maxItems: 10,
      headers: { "x-innkey": "1", language: language.header },
      fetch: (url, options) => fetchInTime(url, options as RequestInit),
    }),
  ],
});

const PERMANENT = new Set([
  "no_permission",
  "not_found",
  "invalid_input",
  "session_missing",
  "session_expired",
  "session_revoked",
  "frozen",
  "timeout",
]);

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => report(failureOf(error), "query") }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      report(failureOf(error), mutation.meta?.shownInForm ? "form" : "mutation");
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 1 && !PERMANENT.has(failureOf(error).code),
    },
  },
});

/** `useQuery(trpc.rooms.board.queryOptions(input))`, `useMutation(trpc.stays.checkIn.mutationOptions())`. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client: api, queryClient });
