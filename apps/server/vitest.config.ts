import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "server",
    include: [
      "src/**/*.test.ts",
      "../../prisma/seed/**/*.test.ts",
      "../../locales/**/*.test.ts",
      "../../docs/**/*.test.ts",
      "../../scripts/**/*.test.ts",
    ],
    globalSetup: ["src/testing/database.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes soon on a quiet machine, and comes on a busy one.
    expect: { poll: { timeout: 15_000 } },
  },
});
