import { DomainError } from "@innkey/shared/errors";
import { fastifyRequestHandler } from "@trpc/server/adapters/fastify";
import fc from "fast-check";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type AnswerOptions, answerCalls } from "./answer-calls.ts";
import { open, type RequestContext, router } from "./trpc.ts";

const testRouter = router({
  rooms: router({
    list: open.input(z.object({ floor: z.int() })).query(({ input }) => [{ name: `${input.floor}01 Ü 日本` }]),
    rename: open.input(z.object({ name: z.string().min(1) })).mutation(({ input }) => input),
  }),
  nothing: open.query(() => undefined),
  echo: open.input(z.unknown()).query(({ input }) => ({ input })),
  forget: open.mutation(() => undefined),
  taken: open.mutation(() => {
    throw new DomainError("room_taken");
  }),
  missing: open.query(() => {
    throw new DomainError("not_found");
  }),
  crash: open.query(() => {
    throw new Error("a fault of our own");
  }),
  broken: open.output(z.object({ total: z.int() })).query(() => ({ total: 0.5 })),
});

let app: FastifyInstance;
let logged: string[] = [];
let answeredBy: string | undefined;
let contexts = 0;

const options: AnswerOptions = {
  router: testRouter,
  maxBatchSize: 3,
  async createContext({ req }) {
    contexts += 1;
    if (req.headers.refused) throw new DomainError("unavailable");
    return { requestId: "r" } as RequestContext;
  },
  onError: ({ error, path }) => logged.push(`${path} ${error.code} ${error.message}`),
};

beforeAll(async () => {
  app = Fastify();
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser(/.*/, { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.all<{ Params: { path: string } }>("/here/:path", async (req, res) => {
    answeredBy = await answerCalls(options, req, res, req.params.path);
  });
  app.all<{ Params: { path: string } }>("/trpc/:path", async (req, res) => {
    await fastifyRequestHandler({ ...options, req, res, path: req.params.path });
  });
  await app.ready();
});

afterAll(() => app.close());

interface Sent {
  method: "GET" | "POST" | "HEAD" | "PUT";
  path: string;
  query: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

async function send(prefix: string, { method, path, query, headers, body }: Sent) {
  logged = [];
  const url = `/${prefix}/${path}${query}`;
  const response = await app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) });
  const { "content-type": contentType, vary, allow } = response.headers;
  // Fastify adds the charset to an answer that it gets as text.
  const type = contentType?.toString().replace("; charset=utf-8", "");
  // The stack of an error of our own names the file that called.
  const text = response.body.replaceAll(/"stack":"(?:[^"\\]|\\.)*"/g, '"stack"');
  return { status: response.statusCode, type, vary, allow, body: text, logged: logged.toSorted() };
}

async function compare(sent: Sent): Promise<Awaited<ReturnType<typeof send>>> {
  const [here, reference] = [await send("here", sent), await send("trpc", sent)];
  expect(here).toEqual(reference);
  return here;
}

const get = (path: string, query = ""): Sent => ({ method: "GET", path, query, headers: {} });
const post = (path: string, body: string | undefined, query = ""): Sent => ({
  method: "POST",
  path,
  query,
  headers: { "content-type": "application/json" },
  body,
});
const input = (value: unknown): string => `input=${encodeURIComponent(JSON.stringify(value))}`;

it.each<[string, Sent, number]>([
  ["a query", get("rooms.list", `?${input({ floor: 3 })}`), 200],
  ["a query with a wrong input", get("rooms.list", `?${input({ floor: "3" })}`), 400],
  ["a query without a result", get("nothing"), 200],
  ["a mutation", post("rooms.rename", '{"name":"Ü"}'), 200],
  ["a mutation without an input", post("forget", undefined), 200],
  [
    "a mutation with charset",
    { ...post("forget", "{}"), headers: { "content-type": "Application/JSON; charset=utf-8" } },
    200,
  ],
  ["a refused mutation", post("taken", "{}"), 409],
  ["a fault", get("crash"), 500],
  ["an output that breaks its contract", get("broken"), 500],
  ["a batch of one", get("nothing", "?batch=1"), 200],
  ["a batch", get("rooms.list,nothing", `?batch=1&${input({ 0: { floor: 1 } })}`), 200],
  ["a batch that fails in part", get("rooms.list,missing,crash", `?batch=1&${input({ 0: { floor: 1 } })}`), 207],
  ["a batch that fails alike", get("missing,missing", "?batch=1"), 404],
  ["a batch of mutations", post("rooms.rename,taken", '{"0":{"name":"a"},"1":{}}', "?batch=1"), 207],
  ["the first of two inputs", get("echo", `?${input(1)}&${input(2)}`), 200],
])("answers %s as tRPC does", async (_name, sent, status) => {
  expect(await compare(sent)).toMatchObject({ status });
  expect(answeredBy).toBe("here");
});

it.each<[string, Sent]>([
  ["an unknown procedure", get("rooms.sell")],
  ["a property of all objects", get("constructor")],
  ["a query by POST", post("nothing", "{}")],
  ["a mutation by GET", get("forget")],
  ["a mixed batch", get("nothing,forget", "?batch=1")],
  ["a batch that is too large", get("nothing,nothing,nothing,nothing", "?batch=1")],
  ["a batch with a list as input", post("forget", "[]", "?batch=1")],
  ["an input that is no JSON", get("echo", "?input={")],
  ["a body that is no JSON", post("forget", "{")],
  ["a body of another type", { ...post("forget", "{}"), headers: { "content-type": "text/plain" } }],
  ["a stream", { ...get("nothing", "?batch=1"), headers: { "trpc-accept": "application/jsonl" } }],
  ["a stream, asked for by Accept", { ...get("nothing", "?batch=1"), headers: { accept: "application/jsonl" } }],
  ["HEAD", { ...get("nothing"), method: "HEAD" }],
  ["a caller who can't be resolved", { ...get("nothing"), headers: { refused: "1" } }],
  ["an encoded path", get("noth%2569ng")],
  ["a path with a broken encoding", get("nothing%25")],
])("leaves %s to tRPC", async (_name, sent) => {
  await compare(sent);
  expect(answeredBy).toBe("tRPC");
});

it("resolves a caller once, even if tRPC has to report that it failed", async () => {
  contexts = 0;
  await send("here", { ...get("nothing"), headers: { refused: "1" } });
  expect(contexts).toBe(1);
});

it("answers any request as tRPC does", async () => {
  const paths = fc.array(fc.constantFrom(...Object.keys(testRouter._def.procedures), "", "unknown", "__proto__"), {
    minLength: 1,
    maxLength: 4,
  });
  const value = fc.oneof(
    fc.json({ maxDepth: 2 }),
    fc.constantFrom('{"0":{"floor":1},"1":{"name":"x"}}', "null", "[]", "{", ""),
  );
  const sent = fc.record({
    method: fc.constantFrom("GET", "POST", "PUT", "HEAD"),
    path: paths.map((names) => names.join(",")),
    query: fc
      .record({ batch: fc.constantFrom("", "batch=1", "batch=0", "batch=1&batch=0"), value: fc.option(value) })
      .map(({ batch, value: text }) => `?${batch}${text === null ? "" : `&input=${encodeURIComponent(text)}`}`),
    headers: fc.constantFrom<Record<string, string>>(
      {},
      { "content-type": "application/json" },
      { "content-type": "application/json;charset=utf-8", accept: "*/*" },
      { "content-type": "application/jsonp" },
      { accept: "text/html, application/jsonl" },
    ),
    body: fc.option(value, { nil: undefined }),
  }) as fc.Arbitrary<Sent>;
  await fc.assert(
    fc.asyncProperty(sent, async (request) => {
      const { method, headers, body, ...rest } = request;
      const hasBody = method === "POST" || method === "PUT";
      await compare({ ...rest, method, headers, ...(hasBody && { body }) });
    }),
    { numRuns: 500 },
  );
});
