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
  },
});
