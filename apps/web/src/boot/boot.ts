// The page's first script: inlined into index.html by the build, so it runs before the first paint and before anything
// else is loaded. Its policy lets it in by its hash.
import { NARROW } from "../lib/browser/narrow.ts";
import { readStored } from "../lib/browser/stored.ts";
import { chooseLanguage } from "../lib/language-choice.ts";
import type { CallByWidth } from "../lib/loading/early-calls.ts";

declare global {
  var __zod_globalConfig: object | undefined;
  var __webpack_nonce__: string | undefined;
  var needsAllTexts: boolean | undefined;
}

/** What the server says about the address, in the page's element `#arrival`. */
interface Arrival {
  /** reads to send at once */
  calls: (string | CallByWidth)[];
  /** files with the texts of each language: those of the first page, and all */
  texts: Record<string, [first: string, all: string]>;
  /** the file with what older browsers lack for calculating with dates */
  temporal: string;
  needsAllTexts: boolean;
}

// The schemas' library would try whether it may make functions from text, which the policy refuses and reports.
globalThis.__zod_globalConfig = { jitless: true };

// Nothing is parsed as HTML but this one style of the list component, and no script is started but the service worker;
// the policy sends everything else here to be refused.
const LIST_STYLE =
  "[data-radix-select-viewport]{scrollbar-width:none;-ms-overflow-style:none;-webkit-overflow-scrolling:touch;}[data-radix-select-viewport]::-webkit-scrollbar{display:none}";
const SERVICE_WORKER = "/sw.js";
type Policies = {
  createPolicy(name: string, rules: Record<string, (text: string) => string | null>): unknown;
};
(globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy("default", {
  createHTML: (html) => (html === LIST_STYLE ? html : null),
  createScriptURL: (url) => (url === SERVICE_WORKER ? url : null),
});

// Scroll locks of dialogs are style elements made by script; the policy lets them in by the page's nonce, looked for here.
globalThis.__webpack_nonce__ = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce;

const root = document.documentElement;
const language = chooseLanguage();
root.lang = language.tag;
root.dir = language.dir;
root.dataset.theme = isDark() ? "dark" : "light";
if (/(?:^|; )sidebarStatus=0(?:;|$)/.test(document.cookie)) root.dataset.rail = "";
const arrival = readArrival();
if (arrival) {
  globalThis.needsAllTexts = arrival.needsAllTexts;
  const width = matchMedia(NARROW).matches ? "narrow" : "wide";
  sendCalls(arrival.calls.map((call) => (typeof call === "string" ? call : call[width])));
  for (const file of filesFor(arrival)) preload(file);
}

function isDark(): boolean {
  const theme = readStored("theme");
  return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

/** Without a server that fills the element in (while the console is developed), nothing is loaded early. */
function readArrival(): Arrival | null {
  const text = document.getElementById("arrival")?.textContent;
  return text ? (JSON.parse(text) as Arrival) : null;
}

function sendCalls(calls: string[]): void {
  const headers = { "x-innkey": "1", language: language.header };
  globalThis.earlyCalls = new Map(
    calls.map((url) => {
      const answer = fetch(url, { headers, credentials: "same-origin" });
      // Whoever takes the answer up handles its failure.
      answer.catch(() => undefined);
      return [url, answer];
    }),
  );
}

/** Returns the files that depend on the browser, so that the server can't name them. */
function filesFor({ texts, temporal, needsAllTexts }: Arrival): string[] {
  const [first, all] = texts[language.code] ?? [];
  const files = [needsAllTexts ? all : first, !("Temporal" in globalThis) && temporal];
  return files.filter((file): file is string => typeof file === "string");
}

function preload(href: string): void {
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}
