import type { Capability } from "@innkey/shared/capabilities";
import type { authStatus as authStatusSchema, Due, Me } from "@innkey/shared/schemas/auth";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { entrance } from "./login/entrance.ts";
import { report } from "./login/session-end.ts";
import { queryClient } from "./query-client.ts";

export type AuthStatus = z.infer<typeof authStatusSchema>;
export type { Me };

const statusOptions = queryOptions<AuthStatus>({
  queryKey: ["session"],
  queryFn: async () => {
    const status = await entrance.status();
    const before = queryClient.getQueryData<AuthStatus>(["session"]);
    // The page that is drawn still needs its session, until the one where that is done is there.
    if (!status.due || !before?.session) return status;
    report({ code: `${status.due}_due` }, "query");
    return before;
  },
  staleTime: 60_000,
});

/** Asked once, then kept: the guard of every navigation reads it. */
export function authStatus(): Promise<AuthStatus> {
  return queryClient.ensureQueryData(statusOptions);
}

function remember(status: Partial<AuthStatus>): void {
  queryClient.clear();
  queryClient.setQueryData(statusOptions.queryKey, { setupNeeded: false, session: null, due: null, ...status });
}

export function rememberSession(session: Me | null): void {
  remember({ session });
}

/** Logged in, but for nothing else than that. */
export function rememberDue(due: Due): void {
  remember({ due });
}

/** Asks the server anew at the next navigation. */
export function forgetSession(): void {
  queryClient.clear();
}

/** The operator at this desk; only below the `_app` layout, whose guard has made sure there is one. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(statusOptions);
  if (!data.session) throw new Error("useMe outside of a session");
  return data.session;
}

export function useHotel(): Me["hotel"] {
  return useMe().hotel;
}

/** The hotel's zone where there is a session, the browser's where there is none. */
export function hotelZone(): string {
  const data = queryClient.getQueryData<AuthStatus>(statusOptions.queryKey);
  return data?.session?.hotel.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function useCan(): (capability: Capability) => boolean {
  const { capabilities } = useMe();
  return (capability) => capabilities.includes(capability);
}
