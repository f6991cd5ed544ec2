import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isConnectionLost } from "./loading/connection.ts";
import { handleFailedCall } from "./login/failed-call.ts";
import { failureOf } from "./rest.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /** `shownInForm`: the form shows the failure itself, so no toast repeats it. */
    mutationMeta: { shownInForm?: boolean };
  }
}

/** Failures that a second request would not change. */
const PERMANENT = new Set([
  "no_permission",
  "not_found",
  "invalid_input",
  "session_missing",
  "session_expired",
  "session_revoked",
  "password_due",
  "two_step_due",
  "frozen",
  "timeout",
]);

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => handleFailedCall(failureOf(error), "query") }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      handleFailedCall(failureOf(error), mutation.meta?.shownInForm ? "form" : "mutation");
    },
  }),
  defaultOptions: {
    // By default, mutations made while the browser is offline are sent later: a guest checked in at 1:00 would be
    // checked in at 3:00. Here such a mutation fails at once, and the operator repeats it.
    mutations: { networkMode: "always", retry: false },
    queries: {
      networkMode: "always",
      staleTime: 15_000,
      retry: (count, error) => count < 1 && !isConnectionLost() && !PERMANENT.has(failureOf(error).code),
    },
  },
});
