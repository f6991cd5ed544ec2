import { LANGUAGES } from "@innkey/shared/languages";
import type { GuestPage } from "@innkey/shared/schemas/overview/guest-page";
import { CallError, callsOf, token } from "./calls.ts";
import { h } from "./elements.ts";
import { formatHere, rememberHourFormat } from "./formats.ts";
import { FORGOTTEN_KEY, forgetKeptPages, keepPage, readKeptPage, removeKeptPage } from "./kept-page.ts";
import { cardsOf, withoutActs } from "./page.ts";
import { loadLanguage, preferredLanguage, storeLanguage, type TextKey, t } from "./texts.ts";

const root = document.getElementById("page") as HTMLElement;
const news = document.getElementById("news") as HTMLElement;
/** While a code waits for its lock, the page asks this often. */
const WAITING_MS = 8_000;

let page: GuestPage | null = null;
/** when the server sent the page; null: just now */
let keptAt: Date | null = null;
let timer = 0;
/** Draws what is shown once more, in another language. */
let redraw: () => void = () => undefined;

/** A page that is on its way from the server */
interface Reading {
  link: string;
  /** when it was asked for, in milliseconds */
  at: number;
  answer: Promise<GuestPage>;
}
/** The answers of earlier ones are dropped, because the browser may show another link by now. */
let current: Reading | null = null;
const isCurrent = (reading: Reading): boolean => reading === current && reading.link === token();

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
  redraw();
}

function draw(): void {
  if (page === null) return;
  redraw = draw;
  document.title = page.hotel.name;
  rememberHourFormat(page.hotel.hourFormat);
  const link = token();
  const acts = {
    calls: callsOf(link),
    reload: () => reload(),
    say,
    leave: () => leave(link),
    forget: () => forget(link),
  };
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

function drawMessage(titleKey: TextKey, textKey: TextKey, again: boolean): void {
  redraw = () => drawMessage(titleKey, textKey, again);
  const [title, text] = [t(titleKey), t(textKey)];
  document.title = title;
  const button = h("button", { id: "again", click: () => void reload() }, t("guestPage.again"));
  show(h("header", {}, h("h1", {}, title)), h("section", { class: "card" }, h("p", {}, text), again && button));
}

/** Removes a page from memory and storage, unless the browser shows another link by now. */
function drop(link: string): boolean {
  keepPage(link, null);
  if (link !== token()) return false;
  clearTimeout(timer);
  [page, current] = [null, null];
  return true;
}

/** Says goodbye; the link opens nothing from now on. */
function leave(link: string): void {
  if (drop(link)) drawMessage("guestPage.checkOut.doneTitle", "guestPage.checkOut.done", false);
}

/** Removes the guest from this browser, in all of its windows, with the link in its address. @throws CallError */
async function forget(link: string): Promise<void> {
  removeKeptPage();
  await callsOf(link)
    .forgetBrowser()
    .catch((error: unknown) => {
      // The link is no longer valid, and the cookie is gone all the same.
      if (!(error instanceof CallError && error.status === 404)) throw error;
    });
  // Other links recognise nobody here either. What a window read before that is shown and kept no more.
  forgetKeptPages();
  if (!drop(link)) return await reload();
  history.replaceState(null, "", "/");
  drawMessage("guestPage.forget.doneTitle", "guestPage.forget.done", false);
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

function beginReading(): Reading {
  const link = token();
  const reading = { link, at: Date.now(), answer: callsOf(link).readPage() };
  // `reload` handles a failure, which may come before the texts.
  reading.answer.catch(() => undefined);
  current = reading;
  return reading;
}

/** Reads the page anew and shows it. `reading`: a call that is on its way already */
async function reload(reading = beginReading()): Promise<void> {
  clearTimeout(timer);
  try {
    const answer = await reading.answer;
    if (!isCurrent(reading)) return;
    keepPage(reading.link, answer, reading.at);
    if (preferredLanguage() === null)
      await loadLanguage(LANGUAGES.find(({ code }) => code === answer.language) ?? LANGUAGES[2]);
    if (!isCurrent(reading)) return;
    [page, keptAt] = [answer, null];
    draw();
    if (answer.inside?.codes.some(({ code }) => code === null)) timer = window.setTimeout(askAgain, WAITING_MS);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (!isCurrent(reading)) return;
    if (error.status === 404) {
      drop(reading.link);
      drawMessage("guestPage.gone.title", "guestPage.gone.text", false);
    } else if (error.status !== 0) drawMessage("guestPage.busy.title", "guestPage.busy.text", true);
    else if (!drawKept()) drawMessage("guestPage.offline.title", "guestPage.offline.text", true);
  }
}

/** Waits until somebody looks at the page, so that phones in pockets ask nothing. */
function askAgain(): void {
  if (document.visibilityState === "visible") void reload();
  else timer = window.setTimeout(askAgain, WAITING_MS);
}

/** Loads the texts and the page side by side: on a slow line, each takes half a second to begin. */
async function start(): Promise<void> {
  clearTimeout(timer);
  // Nothing of the link before stays on the screen.
  [page, keptAt, current, redraw] = [null, null, null, () => undefined];
  root.replaceChildren();
  root.setAttribute("aria-busy", "true");
  const link = token();
  const reading = link === "" ? null : beginReading();
  await loadLanguage(preferredLanguage() ?? LANGUAGES[2]);
  if (reading) await reload(reading);
  else if (link === token()) drawMessage("guestPage.gone.title", "guestPage.gone.text", false);
}

/** Starts the service worker. Without https there is none, and the page opens only with a connection. */
async function keepFiles(): Promise<void> {
  const path = "/sw.js";
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("worker", { createScriptURL: () => path });
  await navigator.serviceWorker?.register(policy?.createScriptURL(path) ?? path).catch(() => undefined);
}

window.addEventListener("hashchange", () => void start());
window.addEventListener("storage", ({ key }) => {
  // Another window has removed the guest from this browser.
  if (key === FORGOTTEN_KEY && token() !== "") void start();
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && page !== null) void reload();
});
void start();
void keepFiles();
