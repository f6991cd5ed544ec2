import type { ErrorCode, ErrorPayload } from "@innkey/shared/errors";
import { TRPCClientError } from "@trpc/client";
import { textOf } from "./i18n.ts";
import { RestError } from "./rest.ts";

/** What went wrong, in the server's vocabulary; `network` and `timeout` are what happens when it didn't answer. */
export type Failure = Omit<ErrorPayload, "code"> & { code: ErrorCode | "network" | "timeout" };

function payloadOf(error: TRPCClientError<never>): ErrorPayload | undefined {
  return (error.data as { innkey?: ErrorPayload } | null | undefined)?.innkey;
}

function withoutAnswer(error: unknown): "network" | "timeout" {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof DOMException && cause.name === "TimeoutError" ? "timeout" : "network";
}

export function failureOf(error: unknown): Failure {
  if (error instanceof RestError) return error.failure;
  if (!(error instanceof TRPCClientError)) return { code: "internal" };
  const payload = payloadOf(error);
  if (payload) return payload;
  return error.data ? { code: "internal" } : { code: withoutAnswer(error) };
}

/** The message a person reads, in the chosen language. */
export function failureText(failure: Failure): string {
  return textOf(`errors.${failure.code}`, failure.params);
}
