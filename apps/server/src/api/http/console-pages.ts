import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the build of the console says about its pages (`pages.json`, written by `apps/web/first-answer.ts`). */
interface Pages {
  /** the read that every page begins with */
  sessionCall: string;
  /** files with the texts of each language by its code: those of the first page, and all */
  texts: Record<string, [first: string, all: string]>;
  /** the file with what older browsers lack for calculating with dates */
  temporal: string;
  /** pages before the login */
  publicPaths: readonly string[];
  /** pages behind the login by their path, whose parameters begin with `$` */
  pages: Record<string, Page>;
}

/** The call of a page that reads less on a narrow screen */
type CallByWidth = Record<"wide" | "narrow", string>;

interface Page {
  scripts: string[];
  /** may contain numbers of the address as `{roomId}`: a part of the path or a search parameter */
  call?: string | CallByWidth;
  needsAllTexts: boolean;
}

/** Hashes for the policy of the page, of the elements inside it that are no files. */
export interface InlineHashes {
  scripts: readonly string[];
  styles: readonly string[];
}

const NOT_BUILT = "<!doctype html><title>Innkey</title><p>The console is not built yet: npm run build.</p>";

/**
 * The console's page for every address: the same document, with what its address needs named in its head, so that
 * everything is requested at once. It contains nothing of the hotel.
 */
export class ConsolePages {
  readonly isBuilt: boolean;
  readonly hashes: InlineHashes;
  readonly #html: string;
  readonly #pages: Pages;
  readonly #patterns: { pattern: RegExp; page: Page }[];

  constructor(directory: string) {
    const htmlPath = join(directory, "index.html");
    const pagesPath = join(directory, "pages.json");
    this.isBuilt = existsSync(htmlPath);
    this.#html = this.isBuilt ? readFileSync(htmlPath, "utf8") : NOT_BUILT;
    this.#pages = existsSync(pagesPath)
      ? (JSON.parse(readFileSync(pagesPath, "utf8")) as Pages)
      : { sessionCall: "", texts: {}, temporal: "", publicPaths: [], pages: {} };
    // `/room/thetouristsDetails` is no room, so addresses without parameters come first.
    this.#patterns = Object.entries(this.#pages.pages)
      .sort(([one], [other]) => Number(one.includes("$")) - Number(other.includes("$")))
      .map(([path, page]) => ({ pattern: patternOf(path), page }));
    this.hashes = { scripts: hashesOf(this.#html, "script"), styles: hashesOf(this.#html, "style") };
  }

  /**
   * Returns the page for an address. A visitor without a session is shown a page before the login, whatever they asked
   * for. The nonce lets styles in that scripts insert.
   */
  htmlFor(url: string, { hasSession, nonce }: { hasSession: boolean; nonce: string }): string {
    const [path = "/", query] = url.split("?", 2);
    const match = hasSession ? this.#patterns.find(({ pattern }) => pattern.test(path)) : undefined;
    const page = match?.page;
    const call = page?.call && fillIn(page.call, match?.pattern.exec(path)?.groups ?? {}, query);
    const { sessionCall, texts, temporal, publicPaths } = this.#pages;
    const isInside = hasSession && !publicPaths.includes(path);
    const arrival = {
      calls: [sessionCall, call].filter((url) => url !== undefined && url !== ""),
      texts,
      temporal,
      needsAllTexts: page?.needsAllTexts ?? false,
    };
    const head = [
      `<meta property="csp-nonce" nonce="${nonce}" />`,
      `<script type="application/json" id="arrival">${JSON.stringify(arrival).replaceAll("<", "\\u003c")}</script>`,
    ].join("\n    ");
    const preloads = page?.scripts.map((href) => `<link rel="modulepreload" crossorigin href="${href}" />`) ?? [];
    const html = this.#html
      .replace("<!-- arrival -->", () => head)
      .replace("</head>", () => `${preloads.join("")}</head>`);
    return isInside ? html : html.replace('data-arrival="app"', 'data-arrival="public"');
  }
}

/** Returns the call for an address; undefined if the address lacks a number for it, or its parameters may change it. */
function fillIn(
  call: string | CallByWidth,
  params: Record<string, string>,
  query: string | undefined,
): string | CallByWidth | undefined {
  if (typeof call !== "string") return query === undefined ? call : undefined;
  const names = [...call.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (names.length === 0) return query === undefined ? call : undefined;
  const search = new URLSearchParams(query);
  const numbers = names.map((name) => params[name] ?? search.get(name) ?? "");
  if (!numbers.every((number) => /^[1-9]\d{0,9}$/.test(number))) return undefined;
  return names.reduce((url, name, n) => url.replace(`{${name}}`, numbers[n] ?? ""), call);
}

/** Makes `/room/$roomId` match `/room/7` and `/room/7/`. */
function patternOf(path: string): RegExp {
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("$") ? `(?<${part.slice(1)}>[^/]+)` : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^/${parts.join("/")}/?$`);
}

/** Returns the hashes of elements with a content that a browser would run or apply. */
export function hashesOf(html: string, element: "script" | "style"): string[] {
  return [...html.matchAll(new RegExp(`<${element}(?: type="module")?>([\\s\\S]*?)</${element}>`, "g"))].map(
    ([, content = ""]) => `sha256-${createHash("sha256").update(content).digest("base64")}`,
  );
}
