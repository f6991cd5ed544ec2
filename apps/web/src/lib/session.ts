import type { Capability } from "@innkey/shared/capabilities";
import type { authStatus as authStatusSchema, Due, Me } from "@innkey/shared/schemas/identity/auth";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "./api.ts";
import { handleFailedCall } from "./login/failed-call.ts";
import { forgetKeptBoard } from "./offline/kept-board.ts";
import { queryClient } from "./query-client.ts";
import { rememberHourFormat } from "./time/hour-format.ts";

export type AuthStatus = z.infer<typeof authStatusSchema>;
export type { Me };

const statusOptions = queryOptions<AuthStatus>({
  queryKey: ["session"],
  queryFn: async () => {
    const status = await api.auth.status.query();
    if (!status.session) await forgetKeptBoard();
    else rememberHourFormat(status.session.hotel.hourFormat);
    const before = queryClient.getQueryData<AuthStatus>(["session"]);
    // The current page still needs its session until the page of the required action is shown.
    if (!status.due || !before?.session) return status;
    handleFailedCall({ code: `${status.due}_due` }, "query");
    return before;
  },
  staleTime: 60_000,
});

/** Reads the session once and caches it, because the guard of every navigation needs it. */
export function authStatus(): Promise<AuthStatus> {
  return queryClient.ensureQueryData(statusOptions);
}

function setStatus(status: Partial<AuthStatus>): void {
  // What is kept belongs to the session before.
  void forgetKeptBoard();
  queryClient.clear();
  if (status.session) rememberHourFormat(status.session.hotel.hourFormat);
  queryClient.setQueryData(statusOptions.queryKey, { setupNeeded: false, session: null, due: null, ...status });
}

export function rememberSession(session: Me | null): void {
  setStatus({ session });
}

/** Remembers that the operator is logged in but must first do what is `due`. */
export function rememberDue(due: Due): void {
  setStatus({ due });
}

/** Makes the next navigation read the session from the server again. */
export function forgetSession(): void {
  queryClient.clear();
}

/** Returns the logged-in operator. Use it only below the `_app` layout, whose guard ensures a session. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(statusOptions);
  if (!data.session) throw new Error("useMe outside of a session");
  return data.session;
}

export function useHotel(): Me["hotel"] {
  return useMe().hotel;
}

/** Returns the hotel's time zone if there is a session, otherwise the browser's. */
export function hotelZone(): string {
  const data = queryClient.getQueryData<AuthStatus>(statusOptions.queryKey);
  return data?.session?.hotel.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function useCan(): (capability: Capability) => boolean {
  const { capabilities } = useMe();
  return (capability) => capabilities.includes(capability);
}
