import type { LanguageCode } from "@innkey/shared/languages";
import type { Channel, Scope } from "../../../kernel/scope.ts";

/** Properties of a request before it is authenticated: its origin and how to answer it. */
export interface Visitor {
  address: string;
  userAgent: string;
  language: LanguageCode;
  channel: Channel;
  requestId: string;
  /** Token of a browser in which someone logged in before. */
  deviceToken?: string | undefined;
  /** The session that the browser still has. A login ends it, whoever it belonged to. */
  openSession?: { scope: Scope; sessionId: string };
}
