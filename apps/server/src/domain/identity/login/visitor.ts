import type { LanguageCode } from "@innkey/shared/languages";
import type { Door } from "../../../kernel/scope.ts";

/** Properties of a request before it is authenticated: its origin and how to answer it. */
export interface Visitor {
  address: string;
  userAgent: string;
  language: LanguageCode;
  door: Door;
  requestId: string;
  /** Token of a browser in which someone logged in before. */
  deviceToken?: string | undefined;
}
