import { DomainError } from "@innkey/shared/errors";
import { TRPCError } from "@trpc/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Services } from "../../domain/services.ts";
import { JsonText } from "../../kernel/json-text.ts";
import { forSignedIn } from "../http/request-bodies.ts";
import { apiKeyOf, type SignedInRequest, signedInCaller } from "../http/request-context.ts";
import { anyone, registerRoute } from "../http/route-contract.ts";
import { appRouter } from "../trpc/router.ts";
import { CONTRACTS, idempotencyKey, type OperationContract, PREFIX } from "./contracts.ts";
import { createOpenApi } from "./openapi.ts";

const DOCUMENT = {
  method: "GET",
  url: `${PREFIX}/openapi.json`,
  answers: { 200: { contentTypes: ["application/json"], jsonSchema: z.looseObject({ openapi: z.string() }) } },
} as const;

/** A party of twenty with all its data takes a tenth of this. */
const BODY_BYTES = 64 * 1024;

/** Returns the program with its key; the session of a person doesn't count here. @throws the reason of the refusal */
function programCaller(request: FastifyRequest, reply: FastifyReply): Promise<SignedInRequest> {
  if (apiKeyOf(request) === null) throw new DomainError("key_invalid");
  return signedInCaller(request, reply);
}

/** Registers version 1 of the API for other programs, and the OpenAPI document that describes it. */
export function registerApiV1(app: FastifyInstance, services: Services): void {
  const document = JSON.stringify(createOpenApi());
  registerRoute(app, DOCUMENT, {
    authenticate: anyone,
    handle: async ({ reply }) => reply.type("application/json; charset=utf-8").send(document),
  });
  for (const contract of CONTRACTS) {
    registerRoute(app, contract.route, {
      options: forSignedIn(BODY_BYTES),
      authenticate: programCaller,
      async handle({ caller, params, query, body, request, reply }) {
        const sent = contract.operation.method === "POST" ? body : query;
        const input = { ...(sent as object), ...(params as object) };
        return perform(services, contract, caller, { input, request, reply });
      },
    });
  }
}

interface Request {
  input: Readonly<Record<string, unknown>>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Answers an operation; a repeated request with the same idempotency key gets the first answer again. */
async function perform(
  services: Services,
  { operation, opens }: OperationContract,
  { scope, context }: SignedInRequest,
  { input, request, reply }: Request,
): Promise<unknown> {
  const work = () => callProcedure(operation.procedure, context, input);
  if (operation.method === "GET") return work();
  const { "idempotency-key": key } = z.object({ "idempotency-key": idempotencyKey }).parse(request.headers);
  if (!key) return work();
  // Whoever has lost the right doesn't get the first answer either.
  if (![opens.capability].flat().some((capability) => scope.can(capability))) throw new DomainError("no_permission");
  const { answer, isRepeated } = await services.idempotency.answerOnce(
    scope,
    { key, content: { operation: operation.id, input } },
    work,
  );
  if (isRepeated) reply.header("idempotent-replayed", "true");
  return answer;
}

type Caller = Record<string, Record<string, (input: unknown) => Promise<unknown>> | undefined>;

/** @throws what the procedure threw, without tRPC's wrapping */
async function callProcedure(path: string, context: SignedInRequest["context"], input: unknown): Promise<unknown> {
  const [router = "", name = ""] = path.split(".");
  const caller = appRouter.createCaller(context) as unknown as Caller;
  const procedure = caller[router]?.[name];
  if (!procedure) throw new Error(`There is no procedure ${path}`);
  try {
    const answer = await procedure(input);
    return answer instanceof JsonText ? answer.toJSON() : answer;
  } catch (error) {
    // An answer that breaks its contract is an error of the server, although its cause is a ZodError like that of an input.
    if (error instanceof TRPCError && error.cause && error.code !== "INTERNAL_SERVER_ERROR") throw error.cause;
    throw error;
  }
}
