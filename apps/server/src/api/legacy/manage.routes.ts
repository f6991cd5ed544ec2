import { DomainError, ERRORS } from "@innkey/shared/errors";
import { MAX_UPLOAD_BYTES } from "@innkey/shared/limits";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Visitor } from "../../domain/identity/login/visitor.ts";
import type { Services } from "../../domain/services.ts";
import { isTooDeep } from "../../kernel/json-depth.ts";
import { SESSION_BODY_BYTES } from "../http/request-bodies.ts";
import { callerIn, visitorOf } from "../http/request-context.ts";
import { anyone, registerRoute } from "../http/route-contract.ts";
import { failed, type LegacyAnswer, repeated, success } from "./answers.ts";
import type { Caller, Endpoint, SignedInCaller } from "./endpoint.ts";
import { type LegacyCipher, type OpenedEnvelope, openEnvelope, type Payload, sealAnswer } from "./envelope.ts";
import { notesOf } from "./fields.ts";
import { endpoints } from "./registry.ts";

/** The only answer to an envelope that can't be decrypted, so that callers don't learn what is wrong with it. */
const UNREADABLE = `{"error":"The request can't be read."}`;

export interface ManageDeps {
  services: Services;
  ciphers: readonly LegacyCipher[];
  publicUrl: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Encrypts an error's answer with the request's cipher; null until the request was decrypted */
    sealError: ((error: unknown) => string) | null;
  }
}

/** Registers the compatibility layer: POST /manage/* in encrypted envelopes, for clients of the old console. */
export function registerManageRoutes(app: FastifyInstance, deps: ManageDeps): void {
  const hasSession = async (request: FastifyRequest): Promise<boolean> => {
    const token = request.headers["x-token"];
    if (typeof token !== "string" || token === "") return false;
    const { scope } = await deps.services.auth.sessions.resolve(token, visitorOf(request, "manage"), false);
    request.caller = callerIn(scope);
    return scope !== null;
  };
  app.register(async (routes) => {
    acceptAnyBodyAsText(routes);
    routes.decorateRequest("sealError", null);
    routes.setErrorHandler((error, request, reply) => {
      const { statusCode = error instanceof DomainError ? ERRORS[error.code].http : 500 } = error as {
        statusCode?: number;
      };
      if (statusCode >= 500) request.log.error({ err: error }, "request failed");
      // This is mostly a timeout of the answer; the call itself continues.
      if (request.sealError) return sendSealed(reply, request.sealError(error));
      // A body that is too large or compressed, and a request over the rate limit, keep their own status.
      const isCompressed = statusCode === 415 && request.headers["content-encoding"] !== undefined;
      return unreadable(reply, statusCode === 413 || statusCode === 429 || isCompressed ? statusCode : 400);
    });
    for (const endpoint of endpoints) {
      const bodyLimit = endpoint.large ? MAX_UPLOAD_BYTES : SESSION_BODY_BYTES;
      const more = endpoint.open ? {} : { bodyLimit, config: { maySendMore: hasSession } };
      registerRoute(routes, contractOf(endpoint.path, endpoint), {
        options: { compress: false, ...more },
        authenticate: anyone,
        handle: ({ request, reply }) => answer(request, reply, deps, endpoint),
      });
    }
    registerRoute(routes, contractOf("/manage/*", UNKNOWN), {
      options: { compress: false },
      authenticate: anyone,
      handle: ({ request, reply }) => answer(request, reply, deps, null),
    });
  });
}

/** Contract of unknown /manage/ paths: the error is answered inside the envelope. */
const UNKNOWN = { schema: z.object({}), output: z.never() };

/** Every call is an encrypted envelope as JSON or form; the token is a header, and the call's fields are inside. */
function contractOf(url: string, { schema, output }: Pick<Endpoint, "schema" | "output">) {
  return {
    method: "POST",
    url,
    body: { contentTypes: ["application/json", "application/x-www-form-urlencoded"] },
    answers: { 200: { contentTypes: ["application/json"] } },
    envelope: { input: schema, output },
  } as const;
}

/** Passes bodies on as text, so that only the envelope code judges whether they are valid. */
function acceptAnyBodyAsText(routes: FastifyInstance): void {
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
}

interface Body {
  data: string;
  language: string | null;
}

function bodyOf(request: FastifyRequest): Body | null {
  const text = typeof request.body === "string" ? request.body : "";
  const form = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") ?? false;
  const fields = form ? Object.fromEntries(new URLSearchParams(text)) : parseObject(text);
  const { data, language } = fields ?? {};
  if (typeof data !== "string") return null;
  return { data, language: typeof language === "string" ? language : null };
}

function parseObject(text: string): Record<string, unknown> | null {
  if (isTooDeep(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function unreadable(reply: FastifyReply, status = 400): FastifyReply {
  return reply.code(status).type("application/json; charset=utf-8").send(UNREADABLE);
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ManageDeps,
  endpoint: Endpoint | null,
): Promise<FastifyReply> {
  reply.header("cache-control", "no-store");
  const body = bodyOf(request);
  const opened = openEnvelope(deps.ciphers, body?.data ?? "");
  if (!body || !opened) return unreadable(reply);
  const visitor = visitorOf(request, "manage", body.language);
  const replyOptions = { language: visitor.language, requestId: visitor.requestId, names: endpoint?.names };
  request.sealError = (error) => sealAnswer(opened.cipher, failed(error, replyOptions));
  const result = await callEndpoint(request, deps, endpoint, opened, visitor);
  return reply.sent ? reply : sendSealed(reply, sealAnswer(opened.cipher, result));
}

/** Sends an encrypted answer. Its HTTP status is always 200, also for errors. */
function sendSealed(reply: FastifyReply, text: string): FastifyReply {
  return reply.code(200).type("application/json; charset=utf-8").send(text);
}

async function callEndpoint(
  request: FastifyRequest,
  deps: ManageDeps,
  endpoint: Endpoint | null,
  { payload }: OpenedEnvelope,
  visitor: Visitor,
): Promise<LegacyAnswer> {
  const { language } = visitor;
  const { services } = deps;
  try {
    if (!endpoint) throw new DomainError("not_found");
    const caller: Caller = { visitor, services, origin: deps.publicUrl ?? `${request.protocol}://${request.host}` };
    if (endpoint.open) return success(await run(endpoint, caller, inputOf(endpoint, payload)));
    const signedIn = { ...caller, ...(await requireSession(request, services, visitor)) };
    const input = inputOf(endpoint, payload);
    if (!endpoint.changes) return success(await run(endpoint, signedIn, input));
    const name = { path: endpoint.path, payload: input, requestId: requestIdOf(payload.request_id) };
    const done = await services.idempotency.once(signedIn.scope, name, async () => run(endpoint, signedIn, input));
    return done ? success(done.result) : repeated(language);
  } catch (error) {
    const result = failed(error, { language, requestId: visitor.requestId, names: endpoint?.names });
    if (result.errno === 100_000) request.log.error({ err: error, path: endpoint?.path }, "call failed");
    return result;
  }
}

function run(endpoint: Endpoint, caller: Caller | SignedInCaller, input: Payload): unknown {
  return endpoint.run(caller, input as never);
}

/** Parses the call's fields; unknown fields are ignored. @throws ZodError */
function inputOf(endpoint: Endpoint, payload: Payload): Payload {
  return endpoint.schema.parse(dropBlankFields(endpoint, payload));
}

/** Removes fields that count as absent: null, and empty strings unless the field allows them. */
function dropBlankFields({ schema }: Endpoint, payload: Payload): Payload {
  const filled = Object.entries(payload).filter(([key, value]) => {
    if (value === null) return false;
    return value !== "" || (Object.hasOwn(schema.shape, key) && notesOf(schema.shape[key])?.emptyCounts === true);
  });
  return Object.fromEntries(filled);
}

function requestIdOf(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value).slice(0, 200) : null;
}

/** @throws session_missing, session_expired, session_revoked */
async function requireSession(
  request: FastifyRequest,
  services: Services,
  visitor: Visitor,
): Promise<Pick<SignedInCaller, "scope" | "sessionId" | "boardVersion">> {
  const token = request.headers["x-token"];
  if (typeof token !== "string" || token === "") throw new DomainError("session_missing");
  const { scope, sessionId, sessionEnd, boardVersion } = await services.auth.sessions.resolve(token, visitor);
  if (!scope || !sessionId || boardVersion === null) throw new DomainError(sessionEnd ?? "session_missing");
  request.caller = callerIn(scope);
  return { scope, sessionId, boardVersion };
}
