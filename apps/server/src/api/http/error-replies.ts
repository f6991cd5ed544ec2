import type { ErrorCode, ErrorPayload } from "@innkey/shared/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { asDomainError } from "../../kernel/errors.ts";
import { refusalStatus, toErrorReply } from "../error-reply.ts";
import { payloadOf } from "../trpc/trpc.ts";
import { TRPC_PREFIX } from "./request-telemetry.ts";

interface HttpError {
  status: number;
  payload: ErrorPayload;
}

/** Error codes for the statuses with which Fastify itself refuses a request. */
const CODES: Readonly<Record<number, ErrorCode>> = { 404: "not_found", 408: "unavailable", 413: "file_too_large" };

function httpErrorOf(error: unknown, requestId: string): HttpError {
  const status = refusalStatus(error);
  if (status !== null) return { status, payload: { code: CODES[status] ?? "invalid_input", requestId } };
  return { status: toErrorReply(error).status, payload: payloadOf(asDomainError(error), requestId) };
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
function isClosedByClient(error: unknown): boolean {
  return (error as { code?: unknown }).code === "ERR_STREAM_PREMATURE_CLOSE";
}

export function registerErrorReplies(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const answer = httpErrorOf(error, request.id);
    if (isClosedByClient(error)) request.log.info("the caller left before the answer was whole");
    else if (answer.status >= 500) request.log.error({ err: error }, "request failed");
    return send(request, reply, answer);
  });
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(request, reply, { status: 404, payload: { code: "not_found", requestId: request.id } });
}
