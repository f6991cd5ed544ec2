import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test as base, expect, type Page } from "@playwright/test";
import axe from "axe-core";

type Texts = { [key: string]: string | Texts };
export type Translate = (key: string, values?: Record<string, string | number>) => string;

export interface Options {
  /** storage code of the console's language */
  language: string;
}

interface Fixtures extends Options {
  /** the console's own texts in the language under test */
  t: Translate;
  /** logs in through the screen, as a clerk would */
  logIn: (account?: string) => Promise<void>;
  /** a picture of the whole screen, kept with the results */
  picture: (name: string) => Promise<void>;
  /** no serious or critical finding on what is shown */
  expectAccessible: () => Promise<void>;
}

export const OWNER = "13800000001";

export const test = base.extend<Fixtures>({
  language: ["en", { option: true }],

  t: async ({ language }, use) => {
    const path = fileURLToPath(new URL(`../../locales/${language}.json`, import.meta.url));
    const texts = JSON.parse(readFileSync(path, "utf8")) as Texts;
    await use((key, values = {}) => {
      const found = key
        .split(".")
        .reduce<string | Texts | undefined>((at, part) => (typeof at === "object" ? at[part] : undefined), texts);
      if (typeof found !== "string") throw new Error(`no text ${key} in ${language}`);
      return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
    });
  },

  page: async ({ page, language }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      // A refused request is shown to the clerk; the browser's own line about its status says nothing more.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        errors.push(message.text());
    });
    await page.addInitScript(
      (code) => localStorage.setItem("language", localStorage.getItem("language") ?? code),
      language,
    );
    await use(page);
    expect(errors, "errors in the browser's console").toEqual([]);
  },

  baseURL: async ({ browserName: _browserName }, use) => use(process.env.E2E_URL),

  logIn: async ({ page, t }, use) => {
    await use(async (account = OWNER) => {
      await page.goto("/login");
      await page.getByLabel(t("auth.account"), { exact: true }).fill(account);
      await page.getByLabel(t("auth.password"), { exact: true }).fill(process.env.E2E_PASSWORD ?? "");
      await page.getByRole("button", { name: t("auth.login"), exact: true }).click();
      await page.waitForURL((url) => !url.pathname.startsWith("/login"));
    });
  },

  picture: async ({ page }, use, info) => {
    await use(async (name) => {
      await page.screenshot({ path: info.outputPath(`${name}.png`), animations: "disabled" });
    });
  },

  expectAccessible: async ({ page }, use) => {
    await use(async () => expect(await seriousFindings(page)).toEqual([]));
  },
});

async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const findings = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof import("axe-core") }).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    });
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      targets: nodes.map((node) => node.html.slice(0, 120)),
    }));
  });
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, targets }) => `${id}: ${targets.slice(0, 3).join(" | ")}`);
}

export { expect };
