import { DomainError, ERRORS, type ErrorCode, type ErrorPayload } from "@innkey/shared/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ZodError } from "zod";
import { asDomainError } from "../../kernel/errors.ts";
import { payloadOf } from "../trpc/trpc.ts";
import { TRPC_PREFIX } from "./request-telemetry.ts";

interface HttpError {
  status: number;
  payload: ErrorPayload;
}

const CODES: Readonly<Record<number, ErrorCode>> = { 404: "not_found", 408: "unavailable", 413: "file_too_large" };

/** Maps Fastify's own client errors (4xx) to our error codes. */
function refusalOf(error: unknown, requestId: string): HttpError | null {
  const status = (error as { statusCode?: unknown }).statusCode;
  if (typeof status !== "number" || status < 400 || status >= 500) return null;
  return { status, payload: { code: CODES[status] ?? "invalid_input", requestId } };
}

function httpErrorOf(error: unknown, requestId: string): HttpError {
  if (error instanceof DomainError) return { status: ERRORS[error.code].http, payload: payloadOf(error, requestId) };
  if (error instanceof ZodError) return { status: 400, payload: payloadOf(error, requestId) };
  const refusal = refusalOf(error, requestId);
  if (refusal) return refusal;
  const domainError = asDomainError(error);
  return domainError instanceof DomainError
    ? { status: ERRORS[domainError.code].http, payload: payloadOf(domainError, requestId) }
    : { status: 500, payload: { code: "internal", requestId } };
}

/**
 * Sends an error. The console's tRPC client expects its own envelope, also for errors that occur outside procedures.
 */
function send(request: FastifyRequest, reply: FastifyReply, { status, payload }: HttpError): FastifyReply {
  const retryAfter = payload.params?.retryAfterSeconds;
  if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
  const body = request.url.startsWith(TRPC_PREFIX)
    ? { error: { message: payload.code, code: -32_600, data: { httpStatus: status, innkey: payload } } }
    : payload;
  return reply.code(status).type("application/json; charset=utf-8").send(body);
}

/** Checks whether the client closed the connection during the answer, which is no server error. */
function walkedAway(error: unknown): boolean {
  return (error as { code?: unknown }).code === "ERR_STREAM_PREMATURE_CLOSE";
}

export function registerErrorReplies(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const answer = httpErrorOf(error, request.id);
    if (walkedAway(error)) request.log.info("the caller left before the answer was whole");
    else if (answer.status >= 500) request.log.error({ err: error }, "request failed");
    return send(request, reply, answer);
  });
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(request, reply, { status: 404, payload: { code: "not_found", requestId: request.id } });
}
