import { DomainError } from "@innkey/shared/errors";
import type { LanguageCode } from "@innkey/shared/languages";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Visitor } from "../../domain/identity/login/visitor.ts";
import type { Services } from "../../domain/services.ts";
import type { Scope } from "../../kernel/scope.ts";
import { translator } from "../../kernel/translate.ts";
import { type ErrorReply, fieldOfPath, refusalStatus, toErrorReply } from "../error-reply.ts";
import { bearerToken, callerIn, visitorOf } from "../http/request-context.ts";
import { anyone, type RouteContract, registerRoute } from "../http/route-contract.ts";
import { type GatewayCall, gatewayCalls, type Input, logIn, loginAnswer, loginFields, withoutBlanks } from "./calls.ts";

/**
 * Returns the scope of the request's token: a pass that a key got at login, a key itself, or an operator's session.
 * @throws session_missing, session_expired, session_revoked; key_invalid, too_many_attempts
 */
async function callerOf(request: FastifyRequest, services: Services, visitor: Visitor): Promise<Scope> {
  const token = bearerToken(request);
  if (token === null) throw new DomainError("session_missing");
  const holder = await services.keys.resolveBearer(token, visitor);
  if (holder) return holder.scope;
  const { scope, sessionEnd } = await services.auth.sessions.resolve(token, visitor);
  if (!scope) throw new DomainError(sessionEnd ?? "session_missing");
  return scope;
}

/** Answer of every call. `code` is 200, or the HTTP status of an error. */
interface GatewayAnswer {
  code: number;
  msg: string;
  data: unknown;
}

/** Contract of an answer with this data. */
const answerOf = <Data extends z.ZodType>(data: Data) => z.object({ code: z.literal(200), msg: z.literal(""), data });

interface Refusal extends GatewayAnswer {
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

const success = <Data>(data: Data) => ({ code: 200 as const, msg: "" as const, data });

/** Returns a refusal in the caller's language. Unexpected errors become `internal`; their cause is only logged. */
function refusal(error: unknown, language: LanguageCode): Refusal {
  const { code, status, params, fields } = replyTo(error);
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
  const field = fieldOfPath(path);
  return WIRE_NAMES[field] ?? field;
}

/** Returns the error's reply; requests that Fastify refused count as invalid input, with the status that it chose. */
function replyTo(error: unknown): ErrorReply {
  const reply = toErrorReply(error);
  const status = reply.code === "internal" ? refusalStatus(error) : null;
  return status === null ? reply : { code: "invalid_input", status, params: {} };
}

/** Registers the card-service gateway: plain JSON for third-party programs that write room cards. */
export function registerGateway(app: FastifyInstance, services: Services): void {
  app.register(async (routes) => {
    routes.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
    });
    routes.setErrorHandler((error, request, reply) => refuse(error, request, reply));
    registerRoute(routes, LOGIN, {
      authenticate: anyone,
      handle: async ({ body, request }) => success(await logIn(services, visitorOf(request, "gateway"), body)),
    });
    for (const call of gatewayCalls) {
      registerRoute(routes, contractOf(call), {
        authenticate: async (request) => {
          const scope = await callerOf(request, services, visitorOf(request, "gateway"));
          request.caller = callerIn(scope);
          return scope;
        },
        handle: ({ caller, query, body }) => answer(caller, services, call, call.method === "GET" ? query : body),
      });
    }
    registerRoute(routes, UNKNOWN, {
      authenticate: anyone,
      async handle() {
        throw new DomainError("not_found");
      },
    });
  });
}

const LOGIN = {
  method: "POST",
  url: "/auth/login",
  body: withoutBlanks(loginFields),
  answers: { 200: answerOf(loginAnswer) },
} as const;
const UNKNOWN = { method: "ALL", url: "/linQuan/*", answers: {} } as const;

function contractOf({ method, path, input, output }: GatewayCall): RouteContract {
  const part = method === "GET" ? "query" : "body";
  return { method, url: path, [part]: withoutBlanks(input), answers: { 200: answerOf(output) } };
}

async function answer(scope: Scope, services: Services, call: GatewayCall, parsed: unknown): Promise<GatewayAnswer> {
  const input = parsed as Input;
  if (!call.changes) return success(await run(call, scope, input));
  const done = await services.idempotency.once(scope, { path: call.path, payload: input, requestId: null }, () =>
    run(call, scope, input),
  );
  if (!done) throw new DomainError("repeated");
  return success(done.result);
}

/** Runs a call. @throws not_found if `hotelId` isn't the caller's hotel, as for a hotel that doesn't exist */
async function run(call: GatewayCall, scope: Scope, input: Input): Promise<unknown> {
  if (input.hotelId !== scope.hotelId) throw new DomainError("not_found");
  return call.run(scope, input as never);
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { language } = visitorOf(request, "gateway");
  const refused = refusal(error, language);
  const { retryAfterSeconds, ...body } = refused;
  if (retryAfterSeconds !== null) reply.header("retry-after", String(retryAfterSeconds));
  if (body.code >= 500) request.log.error({ err: error }, "request failed");
  return reply.code(body.code).type("application/json; charset=utf-8").send(body);
}
