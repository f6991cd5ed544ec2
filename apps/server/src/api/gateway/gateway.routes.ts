import { DomainError } from "@innkey/shared/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Services } from "../../domain/services.ts";
import type { Scope } from "../../kernel/scope.ts";
import { callerIn } from "../http/request-context.ts";
import { anyone, type RouteContract, registerRoute } from "../http/route-contract.ts";
import { answerOf, type GatewayAnswer, refusal, success } from "./answers.ts";
import { callerOf, visitorOf } from "./caller.ts";
import { type GatewayCall, gatewayCalls, type Input, logIn, loginAnswer, loginFields, withoutBlanks } from "./calls.ts";

/** Registers the card-service gateway: plain JSON for third-party programs that write room cards. */
export function registerGateway(app: FastifyInstance, services: Services): void {
  app.register(async (door) => {
    door.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
    });
    door.setErrorHandler((error, request, reply) => refuse(error, request, reply));
    registerRoute(door, LOGIN, {
      authenticate: anyone,
      handle: async ({ body, request }) => success(await logIn(services, visitorOf(request), body)),
    });
    for (const call of gatewayCalls) {
      registerRoute(door, contractOf(call), {
        authenticate: async (request) => {
          const scope = await callerOf(request, services, visitorOf(request));
          request.caller = callerIn(scope);
          return scope;
        },
        handle: ({ caller, query, body }) => answer(caller, services, call, call.method === "GET" ? query : body),
      });
    }
    registerRoute(door, UNKNOWN, {
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
  const { language } = visitorOf(request);
  const refused = refusal(error, language);
  const { retryAfterSeconds, ...body } = refused;
  if (retryAfterSeconds !== null) reply.header("retry-after", String(retryAfterSeconds));
  if (body.code >= 500) request.log.error({ err: error }, "request failed");
  return reply.code(body.code).type("application/json; charset=utf-8").send(body);
}
