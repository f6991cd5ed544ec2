import type { ErrorCode, ErrorPayload } from "@innkey/shared/errors";
import { language } from "./i18n.ts";
import { sendNoted } from "./loading/connection.ts";

const TIMEOUT_MILLISECONDS = 40_000;

/** Error code in the server's vocabulary; `network` and `timeout` mean that the server didn't answer. */
export type Failure = Omit<ErrorPayload, "code"> & { code: ErrorCode | "network" | "timeout" };

/** Error answer of a plain HTTP route, in the same vocabulary as all other calls. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

async function errorOf(response: Response): Promise<RestError> {
  const body: unknown = await response.json().catch(() => null);
  const isError = typeof body === "object" && body !== null && "code" in body;
  return new RestError(isError ? (body as ErrorPayload) : { code: "internal" });
}

/** Sends a request; throws only if the server doesn't answer. */
export function send(path: string, { headers, signal, ...init }: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  const request = {
    ...init,
    credentials: "same-origin" as const,
    headers: { "x-innkey": "1", language: language.header, ...headers },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  const reads = !init.method || init.method === "GET";
  return sendNoted(() => fetch(path, request), reads).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new RestError({ code: timeout.aborted ? "timeout" : "network" });
  });
}

/** Calls a route outside tRPC (the board, files). 304 counts as an answer; every other status but success throws. */
export async function rest(path: string, init?: RequestInit): Promise<Response> {
  const response = await send(path, init);
  if (response.ok || response.status === 304) return response;
  throw await errorOf(response);
}
