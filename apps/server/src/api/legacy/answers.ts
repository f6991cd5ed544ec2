import { DomainError, ERRORS, type ErrorCode, type FieldMessage } from "@innkey/shared/errors";
import { fieldMessages } from "@innkey/shared/field-messages";
import type { LanguageCode } from "@innkey/shared/languages";
import { ZodError } from "zod";
import { asDomainError } from "../../kernel/database-errors.ts";
import { translator } from "../../kernel/translate.ts";
import { wireName } from "./field-names.ts";

/** Content of an answer, before encryption. */
export interface LegacyAnswer {
  errno: number;
  errmsg: string;
  data: unknown;
}

/** Stable words of `data.reason` that differ from our own error codes. */
const REASONS: Partial<Record<ErrorCode, string>> = { in_house: "in_use", room_in_use: "in_use" };
const INVALID = ERRORS.invalid_input.errno;

export function reasonOf(code: ErrorCode): string {
  return REASONS[code] ?? code;
}

export function success(data: unknown): LegacyAnswer {
  return { errno: 0, errmsg: "", data };
}

export function repeated(language: LanguageCode): LegacyAnswer {
  return failed(new DomainError("repeated"), { language, requestId: "" });
}

/**
 * Returns the answer of a failed call in the caller's language. `names` are the call's own field names. Unexpected
 * errors become `internal` with the request's id; the log has the cause under that id.
 */
export function failed(
  error: unknown,
  to: { language: LanguageCode; requestId: string; names?: Readonly<Record<string, string>> | undefined },
): LegacyAnswer {
  const { code, params, fields } = toErrorReply(error);
  const { errno } = ERRORS[code];
  const translate = translator(to.language);
  const messages = Object.entries(fields ?? {}).map(([path, message]) => {
    const name = wireName(path, to.names);
    return [name, translate(message.key, message.params)] as const;
  });
  const first = messages[0];
  const general = translate(`errors.${code}`, params);
  return {
    errno,
    errmsg: errno === INVALID && first ? `${first[0]}: ${first[1]}` : general,
    data: {
      ...(errno === 100_008 || errno === 100_009 || errno === 100_010 ? { reason: reasonOf(code) } : {}),
      ...(typeof params.roomName === "string" ? { room_name: params.roomName } : {}),
      ...(typeof params.retryAfterSeconds === "number" ? { retry_after: params.retryAfterSeconds } : {}),
      ...(messages.length > 0 ? { fields: Object.fromEntries(messages) } : {}),
      ...(errno === ERRORS.internal.errno ? { request_id: to.requestId } : {}),
    },
  };
}

interface ErrorReply {
  code: ErrorCode;
  params: Record<string, string | number>;
  fields?: Record<string, FieldMessage> | undefined;
}

function toErrorReply(error: unknown): ErrorReply {
  if (error instanceof DomainError) return error;
  if (error instanceof ZodError) return { code: "invalid_input", params: {}, fields: fieldMessages(error.issues) };
  const domainError = asDomainError(error);
  return domainError instanceof DomainError ? domainError : { code: "internal", params: {} };
}
