import type { SystemPart, Trouble } from "@innkey/shared/schemas/system";
import { useQuery } from "@tanstack/react-query";
import { failureOf } from "@/lib/api-error.ts";
import { send } from "@/lib/rest.ts";
import { askUnattended } from "@/lib/unattended.ts";

const REFRESH_MILLISECONDS = 15_000;
/** A line that swallows everything is noticed by this: nothing else is asked all the time. */
const TIMEOUT_MILLISECONDS = 8000;

/** A part that is not well; `since` null: this page only knows that it is so now. */
export type Condition = { part: SystemPart; since: string | null };

/** What is not well with the console. A server that doesn't answer at all is told by what was asked of it. */
export function useCondition(): readonly Condition[] {
  const { data } = useQuery({
    queryKey: ["condition"],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: REFRESH_MILLISECONDS,
    retry: false,
  });
  return data ?? [];
}

async function read(signal: AbortSignal): Promise<readonly Condition[]> {
  try {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MILLISECONDS)]);
    return (await askUnattended<{ troubles: Trouble[] }>("system.condition", inTime)).troubles;
  } catch (error) {
    const { code } = failureOf(error);
    return code === "internal" || code === "unavailable" ? lostDatabase(signal) : [];
  }
}

/** Without its database the server knows nobody, so only what anybody may ask is answered. */
async function lostDatabase(signal: AbortSignal): Promise<readonly Condition[]> {
  const response = await send("/readyz", { signal }).catch(() => null);
  return response?.status === 503 ? [{ part: "database", since: null }] : [];
}
