import { type AnyTRPCRouter, getTRPCErrorFromUnknown, getTRPCErrorShape, type TRPCError } from "@trpc/server";
import { fastifyRequestHandler } from "@trpc/server/adapters/fastify";
import { getHTTPStatusCode } from "@trpc/server/http";
import type { TRPCResponse } from "@trpc/server/rpc";
import type { FastifyReply, FastifyRequest } from "fastify";
import { JsonText } from "../../kernel/json-text.ts";
import type { RequestContext } from "./trpc.ts";

type CallType = "query" | "mutation";
type Procedure = ((call: Call & { ctx: RequestContext; type: CallType; signal: undefined }) => Promise<unknown>) & {
  _def: { type: CallType | "subscription" };
};

interface Call {
  path: string;
  getRawInput: () => Promise<unknown>;
  batchIndex: number;
}

export interface AnswerOptions {
  router: AnyTRPCRouter;
  createContext(from: { req: FastifyRequest; res: FastifyReply }): Promise<RequestContext>;
  onError(failure: { error: TRPCError; path: string | undefined; req: FastifyRequest }): void;
  /** maximum number of calls in a batch */
  maxBatchSize: number;
}

const METHOD: Record<CallType, string> = { query: "GET", mutation: "POST" };
const JSON_TYPE = /^application\/json *(;|$)/i;

/** Returns the parsed input of a request, or undefined if there is none. @throws SyntaxError */
function readInput({ method, body }: FastifyRequest, parameters: URLSearchParams): unknown {
  const text = method === "GET" ? parameters.get("input") : body;
  return typeof text === "string" && text !== "" ? JSON.parse(text) : undefined;
}

/**
 * Returns the calls of a request with their procedures. Returns null unless all of them are queries, or all are
 * mutations, with the method and the JSON input that these take.
 */
function parseCalls({ router, maxBatchSize }: AnswerOptions, request: FastifyRequest, path: string) {
  const { method, headers, url } = request;
  const contentType = headers["content-type"];
  const asksForStream = headers["trpc-accept"] !== undefined || headers.accept?.includes("jsonl");
  const isJson = contentType === undefined ? method === "GET" : JSON_TYPE.test(contentType);
  if (!isJson || asksForStream || path.includes("%")) return null;
  const queryAt = url.indexOf("?");
  const parameters = new URLSearchParams(queryAt < 0 ? "" : url.slice(queryAt + 1));
  if (parameters.has("connectionParams")) return null;
  const isBatch = parameters.get("batch") === "1";
  const paths = isBatch ? path.split(",") : [path];
  if (paths.length > maxBatchSize) return null;

  const proceduresByPath = router._def.procedures as Record<string, Procedure>;
  const procedures = paths.flatMap((name) =>
    Object.hasOwn(proceduresByPath, name) ? (proceduresByPath[name] ?? []) : [],
  );
  const type = procedures[0]?._def.type;
  if (type === undefined || type === "subscription" || METHOD[type] !== method) return null;
  if (procedures.length < paths.length || procedures.some(({ _def }) => _def.type !== type)) return null;
  let input: unknown;
  try {
    input = readInput(request, parameters);
  } catch {
    return null;
  }
  if (isBatch && input !== undefined && (typeof input !== "object" || input === null || Array.isArray(input))) {
    return null;
  }
  const inputs = (isBatch ? input : { 0: input }) as Record<number, unknown> | undefined;
  return { isBatch, type, calls: procedures.map((run, at) => ({ run, path: paths[at] ?? "", input: inputs?.[at] })) };
}

/** Serialises an answer as JSON.stringify does, but sends a JSON text as it is. */
function serialise(answer: TRPCResponse): string {
  const data = "result" in answer && answer.result.type === undefined ? answer.result.data : undefined;
  return data instanceof JsonText ? `{"result":{"data":${data.text}}}` : JSON.stringify(answer);
}

/**
 * Answers queries or mutations with JSON. Returns false, without an answer, for any other request and if the context
 * can't be created; tRPC's own handler has to answer then.
 */
async function answerPlainCalls(
  options: AnswerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<boolean> {
  const parsed = parseCalls(options, request, path);
  if (!parsed) return false;
  const { isBatch, type, calls } = parsed;
  const ctx = await options.createContext({ req: request, res: reply }).catch(() => null); // tRPC reports the failure
  if (!ctx) return false;

  const errors: (TRPCError | undefined)[] = [];
  const answers = await Promise.all(
    calls.map(async ({ run, path: name, input }, batchIndex): Promise<TRPCResponse> => {
      try {
        const call = { path: name, getRawInput: async () => input, batchIndex };
        return { result: { data: await run({ ...call, ctx, type, signal: undefined }) } } as TRPCResponse;
      } catch (cause) {
        const error = getTRPCErrorFromUnknown(cause);
        errors[batchIndex] = error;
        options.onError({ error, path: name, req: request });
        const shape = getTRPCErrorShape({ config: options.router._def._config, ctx, error, input, path: name, type });
        return { error: shape } as unknown as TRPCResponse;
      }
    }),
  );
  const answer = isBatch ? answers : (answers[0] as TRPCResponse);
  reply.code(getHTTPStatusCode(answer, errors)).header("vary", "trpc-accept, accept");
  // Node sends a text together with the headers, but a buffer after them.
  await reply
    .header("content-type", "application/json")
    .send(isBatch ? `[${answers.map(serialise).join()}]` : serialise(answers[0] as TRPCResponse));
  return true;
}

/**
 * Answers tRPC calls. The calls that a console makes, which are queries and mutations with JSON, alone or in a batch,
 * are answered here, because a web request and response for each call, as tRPC's own handler makes, cost more than a
 * small call itself. That handler answers all other requests, and a test holds both to the same answers, byte for byte.
 * Returns which of the two answered.
 */
export async function answerCalls(
  options: AnswerOptions,
  req: FastifyRequest,
  res: FastifyReply,
  path: string,
): Promise<"here" | "tRPC"> {
  let context: Promise<RequestContext> | undefined;
  const createContext: AnswerOptions["createContext"] = (from) => {
    context ??= options.createContext(from);
    return context;
  };
  if (await answerPlainCalls({ ...options, createContext }, req, res, path)) return "here";
  await fastifyRequestHandler({ ...options, createContext, req, res, path });
  return "tRPC";
}
