import { DomainError } from "@innkey/shared/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Services } from "../../domain/services.ts";
import type { Scope } from "../../kernel/scope.ts";
import { callerIn } from "../http/request-context.ts";
import { type GatewayAnswer, refusal, success } from "./answers.ts";
import { callerOf, visitorOf } from "./caller.ts";
import { gatewayCalls, logIn } from "./calls.ts";

type Input = Readonly<Record<string, unknown>>;
type GatewayCall = (typeof gatewayCalls)[number];

/** Registers the card-service gateway: plain JSON for third-party programs that write room cards. */
export function registerGateway(app: FastifyInstance, services: Services): void {
  app.register(async (door) => {
    door.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
    });
    door.setErrorHandler((error, request, reply) => refuse(error, request, reply));
    door.post("/auth/login", async (request) => success(await logIn(services, visitorOf(request), inputOf(request))));
    for (const call of gatewayCalls) {
      door.route({ method: call.method, url: call.path, handler: (request) => answer(request, services, call) });
    }
    door.all("/linQuan/*", async () => {
      throw new DomainError("not_found");
    });
  });
}

async function answer(request: FastifyRequest, services: Services, call: GatewayCall): Promise<GatewayAnswer> {
  const scope = await callerOf(request, services, visitorOf(request));
  request.caller = callerIn(scope);
  const input = call.input.parse(inputOf(request));
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

/** Returns the query or body without null and empty values. */
function inputOf(request: FastifyRequest): Input {
  const parameters = (request.method === "GET" ? request.query : request.body) ?? {};
  if (typeof parameters !== "object" || Array.isArray(parameters)) throw new DomainError("invalid_input");
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null && value !== ""));
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { language } = visitorOf(request);
  const refused = refusal(error, language);
  const { retryAfterSeconds, ...body } = refused;
  if (retryAfterSeconds !== null) reply.header("retry-after", String(retryAfterSeconds));
  if (body.code >= 500) request.log.error({ err: error }, "request failed");
  return reply.code(body.code).type("application/json; charset=utf-8").send(body);
}
