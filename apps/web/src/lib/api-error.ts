import type { ErrorPayload } from "@innkey/shared/errors";
import { textOf } from "./i18n.ts";
import { type Failure, RestError } from "./rest.ts";

/** As tRPC's client throws it; known by its name, so that pages without tRPC don't load it to tell. */
type ProcedureError = Error & { data?: { innkey?: ErrorPayload } | null };

function isProcedureError(error: unknown): error is ProcedureError {
  return error instanceof Error && error.name === "TRPCClientError";
}

function withoutAnswer(error: unknown): "network" | "timeout" {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof DOMException && cause.name === "TimeoutError" ? "timeout" : "network";
}

export function failureOf(error: unknown): Failure {
  if (error instanceof RestError) return error.failure;
  if (!isProcedureError(error)) return { code: "internal" };
  if (error.data?.innkey) return error.data.innkey;
  return error.data ? { code: "internal" } : { code: withoutAnswer(error) };
}

/** The message a person reads, in the chosen language. */
export function failureText(failure: Failure): string {
  return textOf(`errors.${failure.code}`, failure.params);
}
