import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { CHROMIUM, CHROMIUM_ARGS } from "../../e2e/support/browser.ts";
import { localeParts } from "./locale-parts.ts";

/** Tests of single components in a real Chromium, with the console's own styles and texts. */
export default defineConfig({
  plugins: [localeParts(), react(), tailwindcss()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  test: {
    name: "components",
    include: ["src/**/*.browser.test.tsx"],
    setupFiles: ["test/start-components.ts"],
    testTimeout: 20_000,
    expect: { poll: { timeout: 5_000 } },
    browser: {
      enabled: true,
      headless: true,
      ui: false,
      screenshotFailures: false,
      locators: { exact: true },
      viewport: { width: 1440, height: 900 },
      provider: playwright({
        launchOptions: {
          executablePath: CHROMIUM,
          args: CHROMIUM_ARGS,
        },
        contextOptions: { locale: "en-GB", reducedMotion: "reduce" },
        actionTimeout: 5_000,
      }),
      instances: [{ browser: "chromium" }],
    },
  },
});
