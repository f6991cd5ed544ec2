import type { LanguageCode } from "@innkey/shared/languages";
import type { Door } from "../../../kernel/scope.ts";

/** What is known of a request before anyone is known: where it comes from and how to answer it. */
export interface Visitor {
  address: string;
  userAgent: string;
  language: LanguageCode;
  door: Door;
  requestId: string;
  /** what a browser that somebody logged in with before shows of itself */
  deviceToken?: string | undefined;
}
