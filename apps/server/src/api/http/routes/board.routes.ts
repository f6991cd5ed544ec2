import { DomainError } from "@innkey/shared/errors";
import { board, boardDifference } from "@innkey/shared/schemas/property/rooms";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Services } from "../../../domain/services.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { signedInCaller } from "../request-context.ts";
import { registerRoute } from "../route-contract.ts";

const BOARD = {
  method: "GET",
  url: "/api/board",
  opens: { capability: "rooms.view" },
  query: z.object({ since: z.string().max(100).optional() }),
  answers: { 200: { contentTypes: ["application/json"], jsonSchema: z.union([boardDifference, board]) }, 304: null },
} as const;

interface BoardCaller {
  scope: Scope;
  boardVersion: string;
}

/**
 * Registers the room board, GET /api/board with ETag, outside tRPC because it is read most often. With `since`, the ETag
 * of an earlier board, it answers only the rooms that changed, if a list of rooms can say what changed.
 */
export function registerBoardRoutes(app: FastifyInstance, services: Services): void {
  registerRoute(app, BOARD, {
    options: { compress: false },
    authenticate: boardCaller,
    async handle({ caller: { scope, boardVersion }, query: { since }, request, reply }) {
      // Guest names must not reach the browser's disk cache; the console keeps the board and its ETag in memory.
      reply.header("cache-control", "private, no-store").header("vary", "accept-encoding, cookie");
      const etag = request.headers["if-none-match"];
      if (etag !== undefined && services.board.isCurrent(scope, etag, boardVersion)) {
        return reply.header("etag", etag).code(304).send();
      }
      const difference = since === undefined ? null : await services.board.readSince(scope, since, boardVersion);
      const body = difference ?? (await services.board.read(scope, boardVersion));
      reply.header("etag", body.etag).type("application/json; charset=utf-8");
      if (!acceptsGzip(request)) return reply.send(body.json);
      return reply.header("content-encoding", "gzip").send(await body.gzipped());
    },
  });
}

async function boardCaller(request: FastifyRequest, reply: FastifyReply): Promise<BoardCaller> {
  const { scope, context } = await signedInCaller(request, reply);
  const { boardVersion } = context;
  if (boardVersion === null) throw new DomainError("session_missing");
  return { scope, boardVersion };
}

function acceptsGzip(request: FastifyRequest): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(request.headers["accept-encoding"] ?? "");
}
