import { createHash } from "node:crypto";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { findSeriousViolations } from "./accessibility.ts";
import { logInThroughApi } from "./desk.ts";
import { type Translate, textsIn } from "./texts.ts";

export interface Options {
  /** language code as the console stores it */
  language: string;
}

interface Fixtures extends Options {
  /** the console's texts in the language under test */
  t: Translate;
  /** five characters for names, different in each test */
  tag: string;
  /** logs in through the screen, as a clerk does */
  logIn: (account?: string, password?: string) => Promise<void>;
  /** logs in without the screen, for tests that are not about the login */
  enter: (account?: string, password?: string) => Promise<void>;
  /** opens another browser context, logged in if an account is given */
  openDesk: (account?: string, password?: string) => Promise<Page>;
  /** takes a screenshot of the whole screen and stores it with the results, if PICTURES is set */
  picture: (name: string) => Promise<void>;
  /** checks that the page has no serious or critical accessibility findings */
  expectAccessible: () => Promise<void>;
}

export const OWNER = "13800000001";
export const STAFF = "13800000003";
const demoPassword = (): string => process.env.E2E_PASSWORD ?? "";

export const test = base.extend<Fixtures>({
  language: ["en", { option: true }],

  t: async ({ language }, use) => use(textsIn(language)),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
  tag: async ({}, use, info) => use(hashOf(info.testId, info.repeatEachIndex).toString(36).toUpperCase().slice(0, 5)),

  baseURL: async ({ browserName: _browserName }, use) => use(process.env.E2E_URL),

  extraHTTPHeaders: async ({ browserName: _browserName }, use, info) => {
    const address = hashOf(info.testId, info.repeatEachIndex);
    await use({
      "x-forwarded-for": `10.${[16, 8, 0].map((bits) => Number((address >> BigInt(bits)) & 255n)).join(".")}`,
    });
  },

  context: async ({ context, language }, use) => {
    const errors = await prepareContext(context, language);
    await use(context);
    expect(errors, "errors in the browser's console").toEqual([]);
  },

  openDesk: async ({ browser, language }, use) => {
    const otherContexts: { context: BrowserContext; errors: string[] }[] = [];
    await use(async (account, password = demoPassword()) => {
      const context = await browser.newContext();
      otherContexts.push({ context, errors: await prepareContext(context, language) });
      const page = await context.newPage();
      if (account) await logInThroughApi(page, account, password);
      return page;
    });
    for (const { context, errors } of otherContexts) {
      await context.close();
      expect(errors, "errors in the other browser's console").toEqual([]);
    }
  },

  logIn: async ({ page, t }, use) => {
    await use(async (account = OWNER, password = demoPassword()) => {
      await page.goto("/login");
      await page.getByLabel(t("auth.account"), { exact: true }).fill(account);
      await page.getByLabel(t("auth.password"), { exact: true }).fill(password);
      await page.getByRole("button", { name: t("auth.login"), exact: true }).click();
      await page.waitForURL((url) => !url.pathname.startsWith("/login"));
    });
  },

  enter: async ({ page }, use) => {
    await use((account = OWNER, password = demoPassword()) => logInThroughApi(page, account, password));
  },

  picture: async ({ page }, use, info) => {
    await use(async (name) => {
      if (process.env.PICTURES) await page.screenshot({ path: info.outputPath(`${name}.png`), animations: "disabled" });
    });
  },

  expectAccessible: async ({ page }, use) => {
    // A list that is reloading is dimmed for a moment, so we poll; real findings persist.
    await use(async () => expect.poll(() => findSeriousViolations(page)).toEqual([]));
  },
});

function hashOf(testId: string, repeat: number): bigint {
  return createHash("sha256").update(`${testId}${repeat}`).digest().readBigUInt64BE();
}

const REFUSED = /^(Failed to load resource|WebSocket connection to 'ws:\/\/localhost:\d+\/.*' failed)/;

/** Prepares a context for the language under test, and collects the errors that its pages report. */
async function prepareContext(context: BrowserContext, language: string): Promise<string[]> {
  const errors: string[] = [];
  context.on("weberror", (error) => errors.push(error.error().message));
  context.on("console", (message) => {
    // The page itself shows refused requests, so we ignore the browser's message about them.
    if (message.type() === "error" && !REFUSED.test(message.text())) errors.push(message.text());
  });
  await context.addInitScript((code) => {
    // Not every violation of the content security policy appears in the console by itself.
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      console.error(`refused by the content security policy: ${effectiveDirective} ${blockedURI} ${sample}`),
    );
    // The browser's initial blank page has no storage.
    if (location.origin === "null") return;
    localStorage.setItem("language", localStorage.getItem("language") ?? code);
  }, language);
  return errors;
}

export type { Translate };
export { expect };
