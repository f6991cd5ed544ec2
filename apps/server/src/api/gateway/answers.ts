import { DomainError, ERRORS, type ErrorCode, type FieldMessage } from "@innkey/shared/errors";
import { fieldMessages } from "@innkey/shared/field-messages";
import type { LanguageCode } from "@innkey/shared/languages";
import { ZodError, z } from "zod";
import { asDomainError } from "../../kernel/database-errors.ts";
import { translator } from "../../kernel/translate.ts";

/** Answer of every call. `code` is 200, or the HTTP status of an error. */
export interface GatewayAnswer {
  code: number;
  msg: string;
  data: unknown;
}

/** Contract of an answer with this data. */
export const answerOf = <Data extends z.ZodType>(data: Data) =>
  z.object({ code: z.literal(200), msg: z.literal(""), data });

export interface Refusal extends GatewayAnswer {
  /** Only for too_many_attempts */
  retryAfterSeconds: number | null;
}

/** Gateway names of the services' field names; the last part of a path counts. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  uid: "cardNum",
  note: "guestName",
  validFrom: "startTime",
  validTo: "endTime",
};

export const success = <Data>(data: Data) => ({ code: 200 as const, msg: "" as const, data });

/** Returns a refusal in the caller's language. Unexpected errors become `internal`; their cause is only logged. */
export function refusal(error: unknown, language: LanguageCode): Refusal {
  const { code, status, params, fields } = toErrorReply(error);
  const translate = translator(language);
  const [first] = Object.entries(fields ?? {}).map(
    ([path, { key, params: values }]) => `${wireName(path)}: ${translate(key, values)}`,
  );
  const { retryAfterSeconds } = params;
  return {
    code: status,
    msg: code === "invalid_input" && first !== undefined ? first : translate(`errors.${code}`, params),
    data: {},
    retryAfterSeconds: typeof retryAfterSeconds === "number" ? retryAfterSeconds : null,
  };
}

function wireName(path: string): string {
  const last = path.split(".").findLast((part) => !/^\d*$/.test(part)) ?? path;
  return WIRE_NAMES[last] ?? last;
}

interface ErrorReply {
  code: ErrorCode;
  status: number;
  params: Record<string, string | number>;
  fields?: Record<string, FieldMessage> | undefined;
}

function toErrorReply(thrown: unknown): ErrorReply {
  const error = thrown instanceof ZodError ? thrown : asDomainError(thrown);
  if (error instanceof DomainError) {
    const { code, params, fields } = error;
    return { code, status: ERRORS[code].http, params, fields };
  }
  if (error instanceof ZodError) {
    return { code: "invalid_input", status: 400, params: {}, fields: fieldMessages(error.issues) };
  }
  // Fastify's errors for bodies that are too large or invalid JSON.
  const { statusCode } = error as { statusCode?: unknown };
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) {
    return { code: "invalid_input", status: statusCode, params: {} };
  }
  return { code: "internal", status: 500, params: {} };
}
