import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { failureOf } from "./api-error.ts";
import { isConnectionLost, onConnectionRestored } from "./loading/connection.ts";
import { report } from "./login/session-end.ts";

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
    // The client's own rule would hold back what is asked while the browser is offline, and send it once it no longer is: a
    // room let at one o'clock at night would be let at three. What can't be sent fails at once, and is asked for anew.
    mutations: { networkMode: "always", retry: false },
    queries: {
      networkMode: "always",
      staleTime: 15_000,
      retry: (count, error) => count < 1 && !isConnectionLost() && !PERMANENT.has(failureOf(error).code),
    },
  },
});

/** What is shown is read again; who is logged in is told by what that answers. */
onConnectionRestored(
  () => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" }),
);
