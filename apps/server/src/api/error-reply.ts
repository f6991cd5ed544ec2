import { DomainError, ERRORS, type ErrorCode, type FieldMessage, fieldMessages } from "@innkey/shared/errors";
import { ZodError } from "zod";
import { asDomainError } from "../kernel/errors.ts";

/** An error in our vocabulary; each entry point gives it its own form. */
export interface ErrorReply {
  code: ErrorCode;
  /** HTTP status */
  status: number;
  params: Record<string, string | number>;
  /** messages by path of the field */
  fields?: Record<string, FieldMessage> | undefined;
}

/** Converts an error of an input, a service or the database; any other error becomes `internal`. */
export function toErrorReply(error: unknown): ErrorReply {
  if (error instanceof ZodError) return replyOf("invalid_input", {}, fieldMessages(error.issues));
  const domainError = asDomainError(error);
  return domainError instanceof DomainError
    ? replyOf(domainError.code, domainError.params, domainError.fields)
    : replyOf("internal", {});
}

const replyOf = (code: ErrorCode, params: ErrorReply["params"], fields?: ErrorReply["fields"]): ErrorReply => ({
  code,
  status: ERRORS[code].http,
  params,
  fields,
});

/**
 * Returns the status with which Fastify itself refused a request (4xx), for example for a body that is too large or
 * invalid JSON; null for all other errors.
 */
export function refusalStatus(error: unknown): number | null {
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === "number" && statusCode >= 400 && statusCode < 500 ? statusCode : null;
}

/** Returns the field that a path names: its last part that is no index, so "guests.0.birthDate" is "birthDate". */
export const fieldOfPath = (path: string): string => path.split(".").findLast((part) => !/^\d*$/.test(part)) ?? path;
