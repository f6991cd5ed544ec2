import type { SystemPart, Trouble } from "@innkey/shared/schemas/overview/system";
import { useQuery } from "@tanstack/react-query";
import { askUnattended, failureOf, send } from "@/lib/rest.ts";

const REFRESH_MILLISECONDS = 15_000;
/**
 * Polling interval. It also detects a connection that swallows requests silently, because nothing else polls all the
 * time.
 */
const TIMEOUT_MILLISECONDS = 8000;

/** A part that doesn't work properly. `since` is null if this page only knows that it doesn't work now. */
export type Fault = { part: SystemPart; since: string | null };

/** Returns the faults of the console. That the server doesn't answer at all is noticed by other requests. */
export function useFaults(): readonly Fault[] {
  const { data } = useQuery({
    queryKey: ["condition"],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: REFRESH_MILLISECONDS,
    retry: false,
  });
  return data ?? [];
}

async function read(signal: AbortSignal): Promise<readonly Fault[]> {
  try {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MILLISECONDS)]);
    return (await askUnattended<{ troubles: Trouble[] }>("system.condition", inTime)).troubles;
  } catch (error) {
    const { code } = failureOf(error);
    return code === "internal" || code === "unavailable" ? lostDatabase(signal) : [];
  }
}

/** Without its database the server can't identify anybody, so it answers only public requests. */
async function lostDatabase(signal: AbortSignal): Promise<readonly Fault[]> {
  const response = await send("/readyz", { signal }).catch(() => null);
  return response?.status === 503 ? [{ part: "database", since: null }] : [];
}
