import { defineConfig } from "@playwright/test";
import { CHROMIUM, CHROMIUM_ARGS } from "./support/browser.ts";
import type { Options } from "./support/test.ts";

/**
 * The main workflow runs in a left-to-right and a right-to-left language, on a desktop screen and on a phone.
 * Everything else runs in English on a desktop screen; screens.spec.ts covers all screens in both directions and sizes
 * itself.
 */
const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

export default defineConfig<Options>({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "./support/start-server.ts",
  workers: 3,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json", { outputFile: "../test-results/report.json" }]],
  use: {
    headless: true,
    actionTimeout: 15_000,
    navigationTimeout: 15_000,
    launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_ARGS },
    timezoneId: "Pacific/Auckland",
    screenshot: "only-on-failure",
    // Otherwise every click waits until what it hits has stopped moving.
    contextOptions: { reducedMotion: "reduce" },
    // Tests answer requests themselves, which a service worker would pass by; offline.spec.ts is about it.
    serviceWorkers: "block",
  },
  projects: [
    { name: "desk-en", use: { viewport: desk, language: "en" } },
    { name: "desk-ar", use: { viewport: desk, language: "Arabic" }, testMatch: "main-job.spec.ts" },
    { name: "phone-en", use: { viewport: phone, language: "en", hasTouch: true }, testMatch: "main-job.spec.ts" },
    { name: "phone-ar", use: { viewport: phone, language: "Arabic", hasTouch: true }, testMatch: "main-job.spec.ts" },
  ],
});
