import type { SystemPart, Trouble } from "@innkey/shared/schemas/overview/system";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { askUnattended, failureOf, send } from "@/lib/rest.ts";

/** This poll also detects a connection that drops requests silently, because nothing else polls all the time. */
const REFRESH_MILLISECONDS = 15_000;
/** What the page shows is read first. */
const FIRST_READ_MILLISECONDS = 1500;
const TIMEOUT_MILLISECONDS = 8000;

/** A part that doesn't work properly. `since` is null if this page only knows that it doesn't work now. */
export type Fault = { part: SystemPart; since: string | null };

/** Returns the current faults. Whether the server answers at all is checked in lib/loading/connection.ts. */
export function useFaults(): readonly Fault[] {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), FIRST_READ_MILLISECONDS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    enabled: isDue,
    queryKey: ["condition"],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: REFRESH_MILLISECONDS,
    retry: false,
  });
  return data ?? [];
}

async function read(signal: AbortSignal): Promise<readonly Fault[]> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MILLISECONDS)]);
    return (await askUnattended<{ troubles: Trouble[] }>("system.condition", limit)).troubles;
  } catch (error) {
    const { code } = failureOf(error);
    return code === "internal" || code === "unavailable" ? databaseFault(signal) : [];
  }
}

/** Without its database the server can't identify anybody, so it answers only public requests. */
async function databaseFault(signal: AbortSignal): Promise<readonly Fault[]> {
  const response = await send("/readyz", { signal }).catch(() => null);
  return response?.status === 503 ? [{ part: "database", since: null }] : [];
}
