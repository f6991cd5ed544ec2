import { createHash } from "node:crypto";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { seriousFindings } from "./accessibility.ts";
import { logInThroughApi } from "./desk.ts";
import { type Translate, textsIn } from "./texts.ts";

export interface Options {
  /** storage code of the console's language */
  language: string;
}

interface Fixtures extends Options {
  /** the console's own texts in the language under test */
  t: Translate;
  /** five characters that no other test has, for names */
  tag: string;
  /** logs in through the screen, as a clerk would */
  logIn: (account?: string, password?: string) => Promise<void>;
  /** logs in without the screen, where the login is not what is tested */
  enter: (account?: string, password?: string) => Promise<void>;
  /** another browser beside this one, logged in if an account is given */
  openDesk: (account?: string, password?: string) => Promise<Page>;
  /** a picture of the whole screen, kept with the results */
  picture: (name: string) => Promise<void>;
  /** no serious or critical finding on what is shown */
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
    const errors = await watched(context, language);
    await use(context);
    expect(errors, "errors in the browser's console").toEqual([]);
  },

  openDesk: async ({ browser, language }, use) => {
    const opened: { context: BrowserContext; errors: string[] }[] = [];
    await use(async (account, password = demoPassword()) => {
      const context = await browser.newContext();
      opened.push({ context, errors: await watched(context, language) });
      const page = await context.newPage();
      if (account) await logInThroughApi(page, account, password);
      return page;
    });
    for (const { context, errors } of opened) {
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
      await page.screenshot({ path: info.outputPath(`${name}.png`), animations: "disabled" });
    });
  },

  expectAccessible: async ({ page }, use) => {
    // A list that is being read anew is paler for a moment; what is wrong stays wrong.
    await use(async () => expect.poll(() => seriousFindings(page)).toEqual([]));
  },
});

function hashOf(testId: string, repeat: number): bigint {
  return createHash("sha256").update(`${testId}${repeat}`).digest().readBigUInt64BE();
}

const REFUSED = /^(Failed to load resource|WebSocket connection to 'ws:\/\/localhost:\d+\/.*' failed)/;

/** The context in the language under test; what its pages complain about is collected. */
async function watched(context: BrowserContext, language: string): Promise<string[]> {
  const errors: string[] = [];
  context.on("weberror", (error) => errors.push(error.error().message));
  context.on("console", (message) => {
    // A refused request is shown to the clerk; the browser's own line about it says nothing more.
    if (message.type() === "error" && !REFUSED.test(message.text())) errors.push(message.text());
  });
  await context.addInitScript((code) => {
    // Not every refusal of the page's policy reaches the console by itself.
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      console.error(`refused by the content security policy: ${effectiveDirective} ${blockedURI} ${sample}`),
    );
    // The empty page that a browser starts with has no storage.
    if (location.origin === "null") return;
    localStorage.setItem("language", localStorage.getItem("language") ?? code);
  }, language);
  return errors;
}

export type { Translate };
export { expect };
