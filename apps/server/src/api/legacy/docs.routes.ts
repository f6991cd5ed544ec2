import { LANGUAGES, type Language, type LanguageCode, languageOf } from "@innkey/shared/languages";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { signedInCaller } from "../http/request-context.ts";
import { anyone, registerRoute } from "../http/route-contract.ts";
import { asDocument } from "../http/security-headers.ts";
import { docsPage, STYLE_PATH } from "./docs/page.ts";
import { STYLE } from "./docs/style.ts";

const ENGLISH = LANGUAGES[2];
const PAGE = {
  method: "GET",
  url: "/manage/docs",
  query: z.object({ language: z.string().max(20).optional().catch(undefined) }),
  answers: { 200: { contentTypes: ["text/html"] } },
} as const;
const STYLE_SHEET = { method: "GET", url: STYLE_PATH, answers: { 200: { contentTypes: ["text/css"] } } } as const;

/**
 * GET /manage/docs: the compatibility layer's documentation, for owners. `?language=` takes precedence over the
 * browser's language.
 */
export function registerDocsRoutes(app: FastifyInstance): void {
  const pages = new Map<LanguageCode, string>();
  registerRoute(app, PAGE, {
    authenticate: signedInCaller,
    async handle({ caller, query, request, reply }) {
      caller.scope.requireOwner();
      const language = readersLanguage(query.language ?? request.headers["accept-language"] ?? "");
      const page = pages.get(language.code) ?? docsPage(language);
      pages.set(language.code, page);
      asDocument(reply);
      return reply.header("cache-control", "private, no-store").type("text/html; charset=utf-8").send(page);
    },
  });
  registerRoute(app, STYLE_SHEET, {
    authenticate: anyone,
    handle: async ({ reply }) =>
      reply.header("cache-control", "public, max-age=3600").type("text/css; charset=utf-8").send(STYLE),
  });
}

/** Returns the first requested language that the console has, or English. */
function readersLanguage(requested: string): Language {
  for (const part of requested.split(",")) {
    const [tag = ""] = part.split(";");
    const language = languageOf(tag);
    if (language.code !== ENGLISH.code || tag.trim().toLowerCase().startsWith("en")) return language;
  }
  return ENGLISH;
}
