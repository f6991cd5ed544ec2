import type { ErrorPayload } from "@innkey/shared/errors";
import { textOf } from "./i18n.ts";
import { type Failure, RestError } from "./rest.ts";

/** An error as tRPC's client throws it. We recognise it by its name, so that pages without tRPC need not load tRPC. */
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

/** Returns the message of a failure in the chosen language. */
export function failureText(failure: Failure): string {
  return textOf(`errors.${failure.code}`, failure.params);
}
