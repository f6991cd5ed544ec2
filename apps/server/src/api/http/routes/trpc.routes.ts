import type { FastifyInstance } from "fastify";
import { type AnswerOptions, answerCalls } from "../../trpc/answer-calls.ts";
import { appRouter } from "../../trpc/router.ts";
import { toTrpcError } from "../../trpc/trpc.ts";
import { forSignedIn, refuseTooDeep, SESSION_BODY_BYTES } from "../request-bodies.ts";
import { requestContext } from "../request-context.ts";
import { TRPC_PREFIX } from "../request-telemetry.ts";

/**
 * Header of calls that a page makes by itself, such as a status report of a card reader. They don't extend the
 * session.
 */
const UNATTENDED = "x-innkey-unattended";
/** Maximum number of calls per batch, as the console uses. They run in parallel and could delay other requests. */
const MAX_BATCH = 10;
/** A table of two megabytes, in UTF-8 and as JSON. */
const TABLE_BODY_LIMIT = 4 * 1024 * 1024;
const TABLE_PROCEDURES = ["imports.preview", "imports.run"] as const;

const OPTIONS: AnswerOptions = {
  router: appRouter,
  createContext: ({ req, res }) =>
    requestContext(req, res, req.headers[UNATTENDED] === undefined).catch((error: unknown) => {
      throw toTrpcError(error);
    }),
  maxBatchSize: MAX_BATCH,
  onError({ error, path, req }) {
    if (error.code === "INTERNAL_SERVER_ERROR") req.log.error({ err: error.cause ?? error, path }, "procedure failed");
    if (error.code === "SERVICE_UNAVAILABLE") req.log.warn({ err: error.cause, path }, "procedure could not be served");
  },
};

/**
 * Registers tRPC. Unauthenticated callers may send only small bodies, authenticated ones larger bodies to any
 * procedure.
 */
export async function registerTrpc(app: FastifyInstance): Promise<void> {
  await app.register(async (calls) => {
    calls.addHook("onRoute", (route) => {
      const { bodyLimit, config } = forSignedIn(route.bodyLimit ?? SESSION_BODY_BYTES);
      route.bodyLimit = bodyLimit;
      route.config = { ...route.config, ...config, contract: "tRPC: each procedure has its own contract" };
    });
    // These texts are parsed as JSON.
    calls.addHook("preValidation", async ({ body, query }) => {
      refuseTooDeep(body);
      refuseTooDeep((query as { input?: unknown }).input);
    });
    // The body stays a text, because tRPC's handler takes no other.
    calls.removeContentTypeParser("application/json");
    calls.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));
    // No procedure takes a form; tRPC's handler says so.
    calls.addContentTypeParser("multipart/form-data", {}, (_request, body, done) => done(null, body));
    calls.all<{ Params: { path: string } }>(`${TRPC_PREFIX}/:path`, async (req, res) => {
      await answerCalls(OPTIONS, req, res, req.params.path);
    });
    for (const path of TABLE_PROCEDURES) {
      calls.post(`${TRPC_PREFIX}/${path}`, forSignedIn(TABLE_BODY_LIMIT), async (req, res) => {
        await answerCalls(OPTIONS, req, res, path);
      });
    }
  });
}
