import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { failureOf } from "./api-error.ts";
import { report } from "./session-end.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /** `shownInForm`: the form shows the failure itself, so that no toast repeats it. */
    mutationMeta: { shownInForm?: boolean };
  }
}

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
