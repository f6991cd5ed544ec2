import { defineConfig } from "vite";
import { localeParts } from "../locale-parts.ts";

/** The guests' page: one script, one stylesheet, and the texts of each language as a file that is loaded when needed. */
export default defineConfig({
  plugins: [localeParts()],
  build: {
    // Ten-year-old phones get security updates of their browsers for a while yet; this is what those support.
    target: "es2020",
    // The policy of the page allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: { index: "index.html", sw: "src/service-worker.ts" },
      output: { entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js") },
    },
  },
});
