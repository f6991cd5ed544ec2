import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import { findReferences, skipReferences } from "./references.ts";
import { type CallByWidth, PAGE_CALLS, SESSION_CALL } from "./src/lib/loading/early-calls.ts";

/**
 * What the server needs to answer the first request of a page, written to `dist/pages.json`; the server reads it in
 * `api/http/console-pages.ts`. Paths begin with a slash.
 */
export interface Pages {
  /** the read that every page begins with */
  sessionCall: string;
  /** files with the texts of each language by its code: those of the first page, and all */
  texts: Record<string, [first: string, all: string]>;
  /** the file with what older browsers lack for calculating with dates */
  temporal: string;
  /** pages before the login */
  publicPaths: string[];
  /** pages behind the login by their path, whose parameters begin with `$`, such as `/room/$roomId` */
  pages: Record<string, Page>;
}

export interface Page {
  /** scripts that the page needs in addition to those in index.html */
  scripts: string[];
  /** what it reads first, with numbers of the address as `{roomId}` */
  call?: string | CallByWidth;
  /** whether it shows texts that the board doesn't have */
  needsAllTexts: boolean;
}

const BOARD = "/room";
const CALLS: Readonly<Record<string, string | CallByWidth>> = PAGE_CALLS;
const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));
const read = (path: string): string => readFileSync(source(path), "utf8");

/** Completes index.html so that it paints a frame by itself, and lists what each page needs for the server. */
export function firstAnswer(): Plugin {
  return {
    name: "innkey:first-answer",
    transformIndexHtml: {
      order: "post",
      async handler(html) {
        const [brand = ""] = /<svg[\s\S]*<\/svg>/.exec(read("boot/brand.svg")) ?? [];
        const boot = await buildAlone("boot/boot.ts");
        const named = `${brand}<span>Innkey</span>`;
        return moveStyles(html)
          .replaceAll("<!-- brand -->", () => named)
          .replace('<script data-inline="boot"></script>', () => `<script>${boot}</script>`)
          .replace('<style data-inline="shell"></style>', `<style>${shellStyles()}</style>`);
      },
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const worker = await buildAlone("boot/service-worker.ts");
        this.emitFile({ type: "asset", fileName: "sw.js", source: worker });
        this.emitFile({ type: "asset", fileName: "pages.json", source: JSON.stringify(listPages(bundle)) });
        skipReferences(bundle);
      },
    },
  };
}

/**
 * Styles in the head would have to arrive before anything is painted; in the body, only what follows waits for them.
 */
function moveStyles(html: string): string {
  const links = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  const without = links.reduce((text, link) => text.replace(link, ""), html);
  return without.replace("<!-- styles -->", links.join(""));
}

/** Builds a script that is one file by itself. */
async function buildAlone(path: string): Promise<string> {
  const output = (await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      write: false,
      target: "es2023",
      modulePreload: false,
      rolldownOptions: { input: source(path), output: { format: "iife" } },
    },
  })) as Rolldown.RolldownOutput;
  return output.output[0].code.trim();
}

/** Returns the frame's styles with the colours that they use, so that `tokens.css` stays the only place for these. */
function shellStyles(): string {
  const css = minify(read("boot/shell.css"));
  const tokens = read("styles/tokens.css");
  const names = new Set([...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = ""]) => name));
  const colours = (theme: string): string => {
    const block = tokens.slice(tokens.indexOf(`[data-theme="${theme}"] {`));
    const own = block.slice(0, block.indexOf("}"));
    const values = [...names, "color-scheme"].map((name) => {
      const value = new RegExp(`^\\s*${name}: ([^;]+);`, "m").exec(own)?.[1];
      if (!value) throw new Error(`tokens.css has no ${name} in the ${theme} theme`);
      return `${name}:${value}`;
    });
    return values.join(";");
  };
  return `:root{${colours("light")}}[data-theme="dark"]{${colours("dark")}}body{margin:0;background:var(--background)}${css}`;
}

const minify = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":")
    .trim();

function listPages(bundle: Rolldown.OutputBundle): Pages {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const closure = (names: readonly string[], files = new Set<string>()): Set<string> => {
    for (const name of names) {
      if (files.has(name)) continue;
      files.add(name);
      closure(byName.get(name)?.imports ?? [], files);
    }
    return files;
  };
  const main = chunks.find(({ moduleIds }) => moduleIds.includes(source("main.tsx")));
  if (!main) throw new Error("No file has the console's entry");
  const first = closure([main.fileName]);
  const chunkOf = (end: RegExp): string | undefined =>
    chunks.find((chunk) => chunk.facadeModuleId && end.test(chunk.facadeModuleId))?.fileName;
  const frame = chunkOf(/\/routes\/_app\.tsx\?tsr-split/);
  if (!frame) throw new Error("The frame of the pages has no file of its own");
  const temporal = chunkOf(/\/temporal-polyfill\/implementation\.js$/);
  if (!temporal) throw new Error("What older browsers lack has no file of its own");
  const references = findReferences(bundle);
  const scriptsOf = (...names: string[]): string[] =>
    [...closure(names)].filter((name) => !first.has(name) && !references.has(name)).map((name) => `/${name}`);

  const pages: Record<string, Page> = {};
  for (const { facadeModuleId, fileName } of chunks) {
    const [, file] = /\/src\/routes\/(_app\/.*)\.tsx\?tsr-split/.exec(facadeModuleId ?? "") ?? [];
    if (!file) continue;
    const path = pathOfRoute(file);
    const call = CALLS[path];
    pages[path] = { scripts: scriptsOf(frame, fileName), ...(call && { call }), needsAllTexts: path !== BOARD };
  }
  const unknown = Object.keys(CALLS).filter((path) => !pages[path]);
  if (unknown.length > 0) throw new Error(`There is no page ${unknown.join(", ")}`);
  const publicPaths = readdirSync(source("routes/_public")).map((name) => pathOfRoute(name.replace(/\.tsx$/, "")));
  return { sessionCall: SESSION_CALL, texts: listTexts(chunks), temporal: `/${temporal}`, publicPaths, pages };
}

/**
 * Returns the path of a route file, such as `/customer/customer/$customerId` for
 * `_app/customer/customer_.$customerId`.
 */
export const pathOfRoute = (file: string): string =>
  `/${file
    .split(/[/.]/)
    .filter((part) => !part.startsWith("_") && part !== "index")
    .map((part) => part.replace(/_$/, ""))
    .join("/")}`;

function listTexts(chunks: readonly Rolldown.OutputChunk[]): Pages["texts"] {
  const texts: Pages["texts"] = {};
  for (const { facadeModuleId, fileName } of chunks) {
    const [, code, part] = /\/locales\/(\w+)\.json\?part=(first|all)/.exec(facadeModuleId ?? "") ?? [];
    if (!code) continue;
    texts[code] ??= ["", ""];
    texts[code][part === "first" ? 0 : 1] = `/${fileName}`;
  }
  return texts;
}
