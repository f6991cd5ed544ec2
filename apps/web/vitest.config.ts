import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** What the console computes by itself; how it looks and behaves is tested in a browser. */
export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  test: { name: "web", include: ["src/**/*.test.ts"], testTimeout: 60_000, isolate: false },
});
