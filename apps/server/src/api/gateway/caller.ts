import { DomainError } from "@innkey/shared/errors";
import { languageOf } from "@innkey/shared/languages";
import type { FastifyRequest } from "fastify";
import { isKeyPass } from "../../domain/identity/api-keys/key-token.ts";
import type { Visitor } from "../../domain/identity/login/visitor.ts";
import type { Services } from "../../domain/services.ts";
import type { Scope } from "../../kernel/scope.ts";

const BEARER = /^Bearer +(\S+) *$/i;
const KEY = /^ik_/;

export function visitorOf(request: FastifyRequest): Visitor {
  const { language } = request.headers;
  return {
    address: request.ip,
    userAgent: request.headers["user-agent"] ?? "",
    language: languageOf(typeof language === "string" ? language : null).code,
    channel: "gateway",
    requestId: request.id,
  };
}

/**
 * Returns the scope of the request's token: a pass that a key got at login, a key itself, or an operator's session.
 * @throws session_missing, session_expired, session_revoked; key_invalid, too_many_attempts
 */
export async function callerOf(request: FastifyRequest, services: Services, visitor: Visitor): Promise<Scope> {
  const token = BEARER.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) throw new DomainError("session_missing");
  if (isKeyPass(token)) return (await services.keys.resolvePass(token, visitor)).scope;
  if (KEY.test(token)) return (await services.keys.resolve(token, visitor, true)).scope;
  const { scope, sessionEnd } = await services.auth.sessions.resolve(token, visitor);
  if (!scope) throw new DomainError(sessionEnd ?? "session_missing");
  return scope;
}
