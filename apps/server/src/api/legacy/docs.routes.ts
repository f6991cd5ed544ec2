import { DomainError } from "@innkey/shared/errors";
import { LANGUAGES, type Language, type LanguageCode, languageOf } from "@innkey/shared/languages";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { requestContext } from "../http/request-context.ts";
import { asDocument } from "../http/security-headers.ts";
import { callerScope } from "../trpc/context.ts";
import { docsPage, STYLE_PATH } from "./docs/page.ts";
import { STYLE } from "./docs/style.ts";

const ENGLISH = LANGUAGES[2];
const query = z.object({ language: z.string().max(20).optional().catch(undefined) });

/**
 * GET /manage/docs: the compatibility layer's documentation, for owners. `?language=` takes precedence over the
 * browser's language.
 */
export function registerDocsRoutes(app: FastifyInstance): void {
  const pages = new Map<LanguageCode, string>();
  app.get("/manage/docs", async (request, reply) => {
    const { actor } = callerScope(await requestContext(request, reply));
    if (actor.role !== "owner") throw new DomainError("no_permission");
    const language = readersLanguage(request);
    const page = pages.get(language.code) ?? docsPage(language);
    pages.set(language.code, page);
    asDocument(reply);
    return reply.header("cache-control", "private, no-store").type("text/html; charset=utf-8").send(page);
  });
  app.get(STYLE_PATH, async (_request, reply) =>
    reply.header("cache-control", "public, max-age=3600").type("text/css; charset=utf-8").send(STYLE),
  );
}

/** Returns the first requested language that the console has, or English. */
function readersLanguage(request: FastifyRequest): Language {
  const { language } = query.parse(request.query);
  const requested = language ?? request.headers["accept-language"] ?? "";
  for (const part of requested.split(",")) {
    const [tag = ""] = part.split(";");
    const language = languageOf(tag);
    if (language.code !== ENGLISH.code || tag.trim().toLowerCase().startsWith("en")) return language;
  }
  return ENGLISH;
}
