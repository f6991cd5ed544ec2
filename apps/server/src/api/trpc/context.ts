import { DomainError } from "@innkey/shared/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Visitor } from "../../domain/identity/login/visitor.ts";
import type { Site } from "../../domain/identity/two-step/site.ts";
import type { Services } from "../../domain/services.ts";
import type { Scope } from "../../kernel/scope.ts";
import type { SessionCookie } from "../http/session-cookie.ts";

/**
 * Context of every procedure. `scope` is null without a live session or key; then `sessionEnd` tells how a session
 * ended and `keyRefusal` why a key was refused. `sessionId` is null for programs with a key.
 */
export interface RequestContext {
  scope: Scope | null;
  /**
   * Scope of a caller who must first choose a password or set up a second factor; `sessionEnd` tells which
   * (domain/identity/login/sessions.ts)
   */
  limited: Scope | null;
  sessionEnd: "session_expired" | "session_revoked" | "password_due" | "two_step_due" | null;
  keyRefusal: DomainError | null;
  sessionId: string | null;
  /** The hotel's board version, read by the session query */
  boardVersion: string | null;
  visitor: Visitor;
  /** Site under which the browser sees the console; null if passkeys don't work there */
  site: Site | null;
  cookie: SessionCookie;
  services: Services;
  requestId: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Returns the scope of the operator or program. @throws the reason of the refusal */
export function callerScope({ scope, sessionEnd, keyRefusal }: RequestContext): Scope {
  if (!scope) throw keyRefusal ?? new DomainError(sessionEnd ?? "session_missing");
  return scope;
}
