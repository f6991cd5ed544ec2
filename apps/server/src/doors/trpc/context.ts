import type { FastifyReply, FastifyRequest } from "fastify";
import type { Scope } from "../../core/scope.ts";
import type { Visitor } from "../../modules/auth/visitor.ts";
import type { Services } from "../../modules/services.ts";
import type { SessionCookie } from "../http/session-cookie.ts";

/** What every procedure gets. `scope` is null without a live session; `sessionEnd` says how it ended, if there was one. */
export interface RequestContext {
  scope: Scope | null;
  sessionEnd: "session_expired" | "session_revoked" | null;
  sessionId: string | null;
  /** the hotel's board version as the session's own query read it */
  boardVersion: string | null;
  visitor: Visitor;
  cookie: SessionCookie;
  services: Services;
  requestId: string;
  request: FastifyRequest;
  reply: FastifyReply;
}
