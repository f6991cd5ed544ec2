import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from "@trpc/server/adapters/fastify";
import type { FastifyInstance } from "fastify";
import { type AppRouter, appRouter } from "../trpc/router.ts";
import { requestContext } from "./request-context.ts";

export const TRPC_PREFIX = "/api/trpc";
/** Calls of one batch run side by side: a long one holds up whoever asks next. The console sends no more. */
const MAX_BATCH = 10;

export async function registerTrpc(app: FastifyInstance): Promise<void> {
  await app.register(fastifyTRPCPlugin, {
    prefix: TRPC_PREFIX,
    trpcOptions: {
      router: appRouter,
      createContext: ({ req, res }) => requestContext(req, res),
      maxBatchSize: MAX_BATCH,
      onError({ error, path, req }) {
        if (error.code === "INTERNAL_SERVER_ERROR")
          req.log.error({ err: error.cause ?? error, path }, "procedure failed");
      },
    } satisfies FastifyTRPCPluginOptions<AppRouter>["trpcOptions"],
  });
}
