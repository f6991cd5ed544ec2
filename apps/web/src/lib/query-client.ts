import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isConnectionLost, onConnectionRestored } from "./loading/connection.ts";
import { report } from "./login/session-end.ts";
import { failureOf } from "./rest.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /** `shownInForm`: the form shows the failure itself, so no toast repeats it. */
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
    // By default the client holds back requests while the browser is offline and sends them later: a room let at one
    // o'clock at night would be let at three. Here such a request fails at once, and the operator repeats it.
    mutations: { networkMode: "always", retry: false },
    queries: {
      networkMode: "always",
      staleTime: 15_000,
      retry: (count, error) => count < 1 && !isConnectionLost() && !PERMANENT.has(failureOf(error).code),
    },
  },
});

/** Refetches what is shown. The answers decide whether somebody is logged in. */
onConnectionRestored(
  () => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" }),
);
