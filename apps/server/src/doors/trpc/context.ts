import { DomainError } from "@innkey/shared/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Scope } from "../../core/scope.ts";
import type { Site } from "../../modules/auth/two-step/site.ts";
import type { Visitor } from "../../modules/auth/visitor.ts";
import type { Services } from "../../modules/services.ts";
import type { SessionCookie } from "../http/session-cookie.ts";

/**
 * What every procedure gets. `scope` is null without a live session or key; `sessionEnd` says how the session ended, if
 * there was one, `keyRefusal` why the key that was shown opens nothing. `sessionId` is null for a program with a key.
 */
export interface RequestContext {
  scope: Scope | null;
  /** of who may only choose a password, or set up a second factor: which, says `sessionEnd` (modules/auth/sessions.ts) */
  limited: Scope | null;
  sessionEnd: "session_expired" | "session_revoked" | "password_due" | "two_step_due" | null;
  keyRefusal: DomainError | null;
  sessionId: string | null;
  /** the hotel's board version as the session's own query read it */
  boardVersion: string | null;
  visitor: Visitor;
  /** where the browser sees the console; null where it has no passkeys */
  site: Site | null;
  cookie: SessionCookie;
  services: Services;
  requestId: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Whoever asks, operator or program. @throws what they were refused for */
export function callerScope({ scope, sessionEnd, keyRefusal }: RequestContext): Scope {
  if (!scope) throw keyRefusal ?? new DomainError(sessionEnd ?? "session_missing");
  return scope;
}
