import type { Language } from "@innkey/shared/languages";
import { translator } from "../../../kernel/translate.ts";
import type { Block, Section } from "./blocks.ts";
import { documentation } from "./document.ts";
import { type Labels, labelsOf } from "./labels.ts";

export const STYLE_PATH = "/manage/docs.css";

/**
 * Returns the documentation as an HTML page without scripts. The descriptions of calls are English in every language.
 */
export function docsPage({ code, tag, dir }: Language): string {
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
