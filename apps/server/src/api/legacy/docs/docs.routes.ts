import { LANGUAGES, type Language, type LanguageCode, languageOf } from "@innkey/shared/languages";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { translator } from "../../../kernel/translate.ts";
import { signedInCaller } from "../../http/request-context.ts";
import { anyone, registerRoute } from "../../http/route-contract.ts";
import { setDocumentHeaders } from "../../http/site-protection.ts";
import { type Block, documentation, type Labels, labelsOf, type Section } from "./document.ts";

const STYLE_PATH = "/manage/docs.css";

/**
 * Returns the documentation as an HTML page without scripts. The descriptions of calls are English in every language.
 */
function docsPage({ code, tag, dir }: Language): string {
  const labels = labelsOf(translator(code));
  const sections = documentation(labels);
  return `<!doctype html>
<html lang="${tag}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escaped(labels.title)} – Innkey</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<header><h1>${escaped(labels.title)}</h1><p>${escaped(labels.intro)}</p></header>
<div class="columns">
${contents(sections, labels)}
<main lang="en" dir="ltr">
${sections.map((section) => written(section, 2)).join("\n")}
</main>
</div>
</body>
</html>
`;
}

function contents(sections: readonly Section[], labels: Labels): string {
  return `<nav aria-label="${escaped(labels.contents)}"><details open><summary>${escaped(labels.contents)}</summary>
<ul dir="ltr">${sections.map(entry).join("\n")}</ul></details></nav>`;
}

function entry({ id, title, sections }: Section): string {
  const link = `<a href="#${id}">${escaped(title)}</a>`;
  if (sections.length === 0) return `<li>${link}</li>`;
  return `<li><details><summary>${link}</summary><ul>${sections.map(entry).join("")}</ul></details></li>`;
}

function written({ id, title, blocks, sections }: Section, level: number): string {
  const inner = sections.map((section) => written(section, level + 1)).join("\n");
  return `<section id="${id}"><h${level}><a href="#${id}">${escaped(title)}</a></h${level}>
${blocks.map(block).join("\n")}${inner}</section>`;
}

function block(one: Block): string {
  switch (one.kind) {
    case "text":
      return `<p dir="auto">${inline(one.text)}</p>`;
    case "label":
      return `<p class="label" dir="auto">${escaped(one.text)}</p>`;
    case "list":
      return `<ul>${one.items.map((item) => `<li>${inline(item)}</li>`).join("")}</ul>`;
    case "json":
      return `<pre tabindex="0"><code>${escaped(one.text)}</code></pre>`;
    case "table":
      return `<div class="wide" tabindex="0"><table><thead><tr>${one.head.map((cell) => `<th scope="col">${inline(cell)}</th>`).join("")}</tr></thead>
<tbody>${one.rows.map((cells) => `<tr>${cells.map((cell) => `<td>${inline(cell)}</td>`).join("")}</tr>`).join("\n")}</tbody></table></div>`;
  }
}

/** Escapes a text and marks up code between backticks. */
function inline(text: string): string {
  return escaped(text).replaceAll(/`([^`]*)`/g, "<code>$1</code>");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/**
 * Stylesheet of the page: one column on phones, contents beside the text on wide screens; light or dark as the system
 * prefers.
 */
const STYLE = `:root {
  color-scheme: light dark;
  --page: #ffffff;
  --text: #1c1f26;
  --quiet: #5b6472;
  --line: #d9dee7;
  --box: #f4f6fa;
  --link: #1d4fb8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171d;
    --text: #e6e9ef;
    --quiet: #a2abba;
    --line: #333a46;
    --box: #1d222b;
    --link: #8db4ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0;
  padding: 1rem;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
header { max-width: 60rem; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.3rem; }
h3 { margin: 2rem 0 0.25rem; font: 600 1.05rem/1.4 ui-monospace, monospace; }
h2, h3 { overflow-wrap: anywhere; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
p { margin: 0.5rem 0; }
.label { margin-bottom: 0; color: var(--quiet); font-size: 0.875rem; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code { font: 0.875em ui-monospace, monospace; overflow-wrap: anywhere; }
pre {
  margin: 0.25rem 0 0.75rem;
  padding: 0.75rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--box);
  white-space: pre-wrap;
}
.wide { overflow-x: auto; margin: 0.75rem 0; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
td { min-width: 3.5rem; }
td:first-child code { white-space: nowrap; }
nav { margin: 1rem 0; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--box); }
nav summary { padding: 0.25rem 0; cursor: pointer; }
nav > details > summary { font-weight: 600; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav ul ul { padding-inline-start: 1rem; font-size: 0.875rem; }
nav a { display: inline-block; padding: 0.25rem 0; overflow-wrap: anywhere; }
main { min-width: 0; max-width: 60rem; }
section { scroll-margin-top: 1rem; }
@media (min-width: 64rem) {
  body { padding: 2rem; }
  .columns { display: grid; grid-template-columns: 19rem minmax(0, 1fr); gap: 2.5rem; align-items: start; }
  nav { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; }
}
@media print { nav { display: none; } }
`;

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
      setDocumentHeaders(reply);
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
