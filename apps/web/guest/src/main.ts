import { LANGUAGES } from "@innkey/shared/languages";
import type { GuestPage } from "@innkey/shared/schemas/overview/guest-page";
import { CallError, readPage, token } from "./calls.ts";
import { h } from "./elements.ts";
import { formatHere, rememberHourFormat } from "./formats.ts";
import { keepPage, readKeptPage } from "./kept-page.ts";
import { cardsOf, withoutActs } from "./page.ts";
import { loadLanguage, preferredLanguage, storeLanguage, t } from "./texts.ts";

const root = document.getElementById("page") as HTMLElement;
const news = document.getElementById("news") as HTMLElement;
/** While a code waits for its lock, the page asks this often. */
const WAITING_MS = 8_000;

let page: GuestPage | null = null;
/** when the server sent the page; null: just now */
let keptAt: Date | null = null;
let timer = 0;

/** Some browsers have it; the page's policy then lets scripts start from nothing but such an address. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string };
}

/** Tells a screen reader what changed without taking it away from where it is. */
function say(text: string): void {
  news.textContent = text;
}

function show(...children: Node[]): void {
  const focused = document.activeElement?.id;
  root.replaceChildren(...children, languageChoice());
  root.removeAttribute("aria-busy");
  if (focused) document.getElementById(focused)?.focus();
}

function languageChoice(): HTMLElement {
  const select = h(
    "select",
    { id: "language", change: () => void changeLanguage(select.value) },
    ...LANGUAGES.map(({ code, nativeName, tag }) => h("option", { value: code, lang: tag }, nativeName)),
  );
  select.value = LANGUAGES.find(({ tag }) => tag === document.documentElement.lang)?.code ?? "en";
  return h("footer", {}, h("label", { for: "language" }, t("guestPage.language")), select);
}

async function changeLanguage(code: string): Promise<void> {
  storeLanguage(code);
  const chosen = LANGUAGES.find((language) => language.code === code);
  if (chosen) await loadLanguage(chosen);
  draw();
}

function draw(): void {
  if (page === null) return;
  document.title = page.hotel.name;
  rememberHourFormat(page.hotel.hourFormat);
  const acts = { reload: () => reload(), say, leave };
  if (keptAt === null) {
    show(...cardsOf(page, acts));
    return;
  }
  const again = h("button", { id: "again", click: () => void reload() }, t("guestPage.again"));
  const notice = h(
    "section",
    { class: "card notice" },
    h("p", {}, t("guestPage.offline.kept", { at: formatHere(keptAt) })),
    again,
  );
  show(notice, ...cardsOf(withoutActs(page), acts));
}

function drawMessage(title: string, text: string, again: boolean): void {
  document.title = title;
  const button = h("button", { id: "again", click: () => void reload() }, t("guestPage.again"));
  show(h("header", {}, h("h1", {}, title)), h("section", { class: "card" }, h("p", {}, text), again && button));
}

/** Says goodbye; the link opens nothing from now on. */
function leave(): void {
  page = null;
  keepPage(token(), null);
  drawMessage(t("guestPage.checkOut.doneTitle"), t("guestPage.checkOut.done"), false);
}

/** Shows the page that was kept, if there is one. */
function drawKept(): boolean {
  const lastPage = readKeptPage(token());
  if (!lastPage) return false;
  page = lastPage.page;
  keptAt = lastPage.at;
  draw();
  return true;
}

/** Reads the page anew and shows it. `reading`: a call that is on its way already */
async function reload(reading = readPage()): Promise<void> {
  clearTimeout(timer);
  try {
    page = await reading;
    keptAt = null;
    keepPage(token(), page);
    if (preferredLanguage() === null)
      await loadLanguage(LANGUAGES.find(({ code }) => code === page?.language) ?? LANGUAGES[2]);
    draw();
    if (page.inside?.codes.some(({ code }) => code === null)) timer = window.setTimeout(askAgain, WAITING_MS);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.status === 404) {
      page = null;
      keepPage(token(), null);
      drawMessage(t("guestPage.gone.title"), t("guestPage.gone.text"), false);
    } else if (error.status !== 0) drawMessage(t("guestPage.busy.title"), t("guestPage.busy.text"), true);
    else if (!drawKept()) drawMessage(t("guestPage.offline.title"), t("guestPage.offline.text"), true);
  }
}

/** Waits until somebody looks at the page, so that phones in pockets ask nothing. */
function askAgain(): void {
  if (document.visibilityState === "visible") void reload();
  else timer = window.setTimeout(askAgain, WAITING_MS);
}

/** Loads the texts and the page side by side: on a slow line, each takes half a second to begin. */
async function start(): Promise<void> {
  const reading = token() === "" ? null : readPage();
  // `reload` handles a failure, which may come before the texts.
  reading?.catch(() => undefined);
  await loadLanguage(preferredLanguage() ?? LANGUAGES[2]);
  if (reading === null) drawMessage(t("guestPage.gone.title"), t("guestPage.gone.text"), false);
  else await reload(reading);
}

/** Starts the service worker. Without https there is none, and the page opens only with a connection. */
async function keepFiles(): Promise<void> {
  const path = "/sw.js";
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("worker", { createScriptURL: () => path });
  await navigator.serviceWorker?.register(policy?.createScriptURL(path) ?? path).catch(() => undefined);
}

window.addEventListener("hashchange", () => void start());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && page !== null) void reload();
});
void start();
void keepFiles();
