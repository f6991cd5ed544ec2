import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { localeParts } from "./locale-parts.ts";

/**
 * Tests of computation in the console. Its appearance and behaviour are tested in a browser. Each file has modules of its
 * own, because many of them have state and several files mock some.
 */
export default defineConfig({
  plugins: [localeParts()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  test: { name: "web", include: ["src/**/*.test.ts", "guest/src/**/*.test.ts"], testTimeout: 60_000 },
});
