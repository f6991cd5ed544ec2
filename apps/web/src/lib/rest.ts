import type { ErrorCode, ErrorPayload } from "@innkey/shared/errors";
import { sendNoted } from "@/lib/loading/connection.ts";
import { formatLocalDate } from "./format.ts";
import { language, textOf } from "./i18n.ts";
import { takeEarlyAnswer } from "./loading/early-calls.ts";

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

/** Sends a request. @throws RestError with the code `network` or `timeout` if the server doesn't answer */
export function send(path: string, { headers, signal, ...init }: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  const request = {
    ...init,
    credentials: "same-origin" as const,
    headers: { "x-innkey": "1", language: language.header, ...headers },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  const isRead = !init.method || init.method === "GET";
  const early = isRead ? takeEarlyAnswer(path) : undefined;
  return sendNoted(() => early ?? fetch(path, request), isRead).catch((error: unknown) => {
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

/** An error as tRPC's client throws it. We recognise it by its name, so that pages without tRPC need not load tRPC. */
type ProcedureError = Error & { data?: { innkey?: ErrorPayload } | null };

function isProcedureError(error: unknown): error is ProcedureError {
  return error instanceof Error && error.name === "TRPCClientError";
}

function codeOfNoAnswer(error: unknown): "network" | "timeout" {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof DOMException && cause.name === "TimeoutError" ? "timeout" : "network";
}

export function failureOf(error: unknown): Failure {
  if (error instanceof RestError) return error.failure;
  if (!isProcedureError(error)) return { code: "internal" };
  if (error.data?.innkey) return error.data.innkey;
  return error.data ? { code: "internal" } : { code: codeOfNoAnswer(error) };
}

/** Returns the message of a failure in the chosen language. */
export function failureText({ code, params }: Failure): string {
  const date = typeof params?.date === "string" ? { date: formatLocalDate(params.date) } : {};
  return textOf(`errors.${code}`, { ...params, ...date });
}

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
