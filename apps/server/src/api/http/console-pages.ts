import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the build of the console says about its pages (`pages.json`, written by `apps/web/first-answer.ts`). */
interface Pages {
  /** the read that every page begins with */
  sessionCall: string;
  /** files with the texts of each language by its code: those of the first page, and the rest */
  texts: Record<string, [first: string, rest: string]>;
  /** pages before the login */
  publicPaths: readonly string[];
  /** pages behind the login by their path, whose parameters begin with `$` */
  pages: Record<string, Page>;
}

interface Page {
  scripts: string[];
  call?: string;
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
      : { sessionCall: "", texts: {}, publicPaths: [], pages: {} };
    this.#patterns = Object.entries(this.#pages.pages).map(([path, page]) => ({ pattern: patternOf(path), page }));
    this.hashes = { scripts: hashesOf(this.#html, "script"), styles: hashesOf(this.#html, "style") };
  }

  /**
   * Returns the page for an address. A visitor without a session is shown a page before the login, whatever they asked
   * for. The nonce lets styles in that scripts insert.
   */
  htmlFor(url: string, { hasSession, nonce }: { hasSession: boolean; nonce: string }): string {
    const [path = "/", query] = url.split("?", 2);
    const page = hasSession ? this.#patterns.find(({ pattern }) => pattern.test(path))?.page : undefined;
    const { sessionCall, texts, publicPaths } = this.#pages;
    const isInside = hasSession && !publicPaths.includes(path);
    const arrival = {
      calls: [sessionCall, ...(page?.call && query === undefined ? [page.call] : [])].filter((call) => call !== ""),
      texts,
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

/** Makes `/room/$roomId` match `/room/7` and `/room/7/`. */
function patternOf(path: string): RegExp {
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("$") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^/${parts.join("/")}/?$`);
}

/** Returns the hashes of elements with a content that a browser would run or apply. */
function hashesOf(html: string, element: "script" | "style"): string[] {
  return [...html.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, "g"))].map(
    ([, content = ""]) => `sha256-${createHash("sha256").update(content).digest("base64")}`,
  );
}
