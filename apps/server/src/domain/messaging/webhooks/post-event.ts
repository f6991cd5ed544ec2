import type { DeliveryError } from "@innkey/shared/webhook-events";
import { mayReach } from "../../../adapters/http/outside-address.ts";
import { NoAddress, postOutside } from "../../../adapters/http/outside-request.ts";

/** Returns the body of a delivery; it is the same at every try. */
export function bodyOf(delivery: { event: string; payload: unknown; createdAt: Date }): string {
  const { event, payload, createdAt } = delivery;
  return JSON.stringify({ type: event, timestamp: createdAt.toISOString(), data: payload });
}

/** Result of a try; `status` is null if there was no answer. */
export interface Outcome {
  status: number | null;
  /** Empty if the receiver accepted the event. */
  error: DeliveryError | "";
}

const TIMEOUT_MS = 10_000;
const TLS_FAULT = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/;

/**
 * Posts one event. Any 2xx status means accepted, anything else refused; the rest of the answer is ignored. Never
 * throws.
 */
export async function postEvent(
  url: string,
  content: { headers: Record<string, string>; body: string },
  allowLocal: boolean,
): Promise<Outcome> {
  const headers = { "content-type": "application/json", "user-agent": "Innkey", ...content.headers };
  try {
    const answer = await postOutside(
      new URL(url),
      { headers, body: content.body },
      { mayReach: (address) => mayReach(address, allowLocal), signal: AbortSignal.timeout(TIMEOUT_MS) },
    );
    answer.on("error", () => undefined).destroy();
    const status = answer.statusCode ?? 0;
    return { status, error: status >= 200 && status < 300 ? "" : "answer" };
  } catch (error) {
    return { status: null, error: faultOf(error) };
  }
}

function faultOf(error: unknown): DeliveryError {
  if (error instanceof NoAddress) return error.found ? "not_allowed" : "no_address";
  const { name, code = "" } = error as { name?: string; code?: string };
  if (name === "TimeoutError" || name === "AbortError" || code === "ABORT_ERR") return "timeout";
  return TLS_FAULT.test(code) ? "tls" : "unreachable";
}
