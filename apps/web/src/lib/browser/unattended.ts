import type { ErrorPayload } from "@innkey/shared/errors";
import { RestError, send } from "../rest.ts";

interface Answer<T> {
  result?: { data: T };
  error?: { data?: { innkey?: ErrorPayload } };
}

/** Polls without counting as activity, so that a page left open doesn't keep the session alive. */
export async function askUnattended<T>(procedure: string, signal?: AbortSignal): Promise<T> {
  const response = await send(`/api/trpc/${procedure}`, { headers: { "x-innkey-unattended": "1" }, signal });
  const answer = (await response.json().catch(() => ({}))) as Answer<T>;
  if (answer.result) return answer.result.data;
  throw new RestError(answer.error?.data?.innkey ?? { code: "internal" });
}
