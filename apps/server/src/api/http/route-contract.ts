import { DomainError } from "@innkey/shared/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { z } from "zod";
import type { Opened } from "../trpc/trpc.ts";

/** A body of bytes or text: a file, a page, a stream, an upload. */
export interface Content {
  /** Types as in the header Content-Type, without its parameters; "image/" stands for every kind of picture. */
  contentTypes: readonly string[];
  /** Schema of JSON that the handler sends as ready text; only tests validate it. */
  jsonSchema?: z.ZodType;
}

/** Contract of one REST route: method, path, inputs, answers. */
export interface RouteContract {
  method: "GET" | "POST" | "PUT" | "DELETE" | "ALL";
  url: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType | Content;
  /** Parts that only name or sign something. If they are malformed, the answer is `not_found`, not `invalid_input`. */
  names?: readonly ("params" | "query")[];
  /** Whether the path contains a secret, which must not be in the log. */
  hasSecretPath?: boolean;
  /** By status; null: no body. Any route may also answer an error with a status of 400 or more, as `errorReply`. */
  answers: Readonly<Record<number, z.ZodType | Content | null>>;
  /** For the permissions page */
  opens?: Opened;
  /** Schemas of the content, for routes whose body is an encrypted envelope. */
  envelope?: { input: z.ZodType; output: z.ZodType };
}

/** Routes that a library serves: their input is checked there. */
export type ServedByLibrary = "tRPC: each procedure has its own contract" | "files of the built console";

declare module "fastify" {
  interface FastifyContextConfig {
    contract?: RouteContract | ServedByLibrary;
  }
  interface FastifyInstance {
    contracts: ReadonlyMap<string, RouteContract | ServedByLibrary>;
  }
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : S extends Content ? unknown : undefined;

/** Input of a handler: the caller, and the parts of the request as the contract describes them. */
export interface RouteCall<C extends RouteContract, Caller> {
  caller: Caller;
  params: Parsed<C["params"]>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Route<C extends RouteContract, Caller> {
  options?: RouteShorthandOptions;
  /** Runs before the input is parsed, so that other callers don't learn which input is valid. */
  authenticate: (request: FastifyRequest, reply: FastifyReply) => Caller | Promise<Caller>;
  /** Returns an object of the answer 200, or the reply itself. */
  handle: (call: RouteCall<C, Caller>) => Promise<Answered<C["answers"]> | FastifyReply>;
}

type Answered<A extends RouteContract["answers"]> = A[keyof A] extends infer S
  ? S extends z.ZodType
    ? z.input<S>
    : never
  : never;

/** For routes that anybody may call. */
export const anyone = (): null => null;

/** Registers a REST route. Its input and answers are checked against the contract; nothing else registers routes. */
export function registerRoute<const C extends RouteContract, Caller>(
  app: FastifyInstance,
  contract: C,
  { options = {}, authenticate, handle }: Route<C, Caller>,
): void {
  app.route({
    ...options,
    method: contract.method === "ALL" ? app.supportedMethods : contract.method,
    url: contract.url,
    config: { ...options.config, contract },
    preSerialization: async (_request, reply, payload) => checkedAnswer(contract, reply, payload),
    onSend: async (_request, reply, payload) => {
      checkContentType(contract, reply);
      return payload;
    },
    handler: async (request, reply) => {
      const caller = await authenticate(request, reply);
      const address = readAddress(contract, request);
      const { body: schema } = contract;
      const body = (schema instanceof z.ZodType ? schema.parse(request.body) : request.body) as Parsed<C["body"]>;
      return handle({ caller, ...address, body, request, reply });
    },
  });
}

/** Returns the parameters and query of a request. @throws not_found, ZodError */
export function readAddress<C extends RouteContract>(
  contract: C,
  request: FastifyRequest,
): { params: Parsed<C["params"]>; query: Parsed<C["query"]> } {
  const read = (part: "params" | "query"): unknown => {
    const result = contract[part]?.safeParse(request[part]);
    if (result?.error) throw contract.names?.includes(part) ? new DomainError("not_found") : result.error;
    return result?.data;
  };
  return { params: read("params") as Parsed<C["params"]>, query: read("query") as Parsed<C["query"]> };
}

/** Returns the object as the contract describes it. Errors have their own shape, unless the contract names the status. */
function checkedAnswer(contract: RouteContract, { statusCode }: FastifyReply, payload: unknown): unknown {
  const answer = contract.answers[statusCode];
  if (answer instanceof z.ZodType) {
    const { data, error } = answer.safeParse(payload);
    if (error)
      throw new Error(`${contract.method} ${contract.url} answers what its contract doesn't say`, { cause: error });
    return data;
  }
  if (statusCode >= 400 && !answer) return payload;
  throw new Error(`${contract.method} ${contract.url} answers ${statusCode} with an object`);
}

function checkContentType({ method, url, answers }: RouteContract, reply: FastifyReply): void {
  const answer = answers[reply.statusCode];
  if (answer === undefined && reply.statusCode < 400) throw new Error(`${method} ${url} answers ${reply.statusCode}`);
  if (!answer || answer instanceof z.ZodType) return;
  const type = String(reply.getHeader("content-type") ?? "");
  // A HEAD request and an error of the same status have another body.
  if (answer.contentTypes.some((expected) => type.startsWith(expected)) || reply.statusCode >= 400) return;
  throw new Error(`${method} ${url} answers ${type || "without a type"}`);
}

/** Makes the server refuse to start with a route that has no contract. */
export function requireContracts(app: FastifyInstance): void {
  const contracts = new Map<string, RouteContract | ServedByLibrary>();
  const routes: { method: string | string[]; url: string; config?: { contract?: RouteContract | ServedByLibrary } }[] =
    [];
  app.decorate("contracts", contracts);
  app.addHook("onRoute", (route) => {
    routes.push(route);
  });
  app.addHook("onReady", async () => {
    for (const { method, url, config } of routes) {
      const contract = config?.contract;
      if (!contract) throw new Error(`${method} ${url} has no contract`);
      for (const one of [method].flat()) contracts.set(`${one} ${url}`, contract);
    }
  });
}
