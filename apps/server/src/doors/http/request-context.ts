import { languageOf } from "@innkey/shared/languages";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Resolution } from "../../modules/auth/sessions.ts";
import type { Visitor } from "../../modules/auth/visitor.ts";
import type { RequestContext } from "../trpc/context.ts";

const NO_SESSION: Resolution = { scope: null, sessionEnd: null, sessionId: null, boardVersion: null };
const FOREIGN_COOKIE: Resolution = { ...NO_SESSION, sessionEnd: "session_revoked" };

export function visitorOf(request: FastifyRequest): Visitor {
  const { language } = request.headers;
  return {
    address: request.ip,
    userAgent: request.headers["user-agent"] ?? "",
    language: languageOf(typeof language === "string" ? language : null).code,
    door: "console",
    requestId: request.id,
  };
}

/**
 * Who asks, in one round trip to the database. `touch` false looks without counting as activity of the operator: for
 * streams that check again and again whether their session still lives.
 */
export async function requestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  touch = true,
): Promise<RequestContext> {
  const { services, cookies } = request.server.door;
  const visitor = visitorOf(request);
  const token = cookies.read(request);
  const session =
    token === undefined
      ? NO_SESSION
      : token === null
        ? FOREIGN_COOKIE
        : await services.auth.sessions.resolve(token, visitor, touch);
  return { ...session, visitor, cookie: cookies.on(request, reply), services, requestId: request.id, request, reply };
}
