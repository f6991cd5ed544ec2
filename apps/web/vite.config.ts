import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunkGroups } from "./chunks.ts";
import { firstAnswer } from "./first-answer.ts";
import { localeParts } from "./locale-parts.ts";
import { precompress } from "./precompress.ts";

// The server checks that a request comes from its own origin, so the proxy keeps the browser's host.
const api = { target: process.env.INNKEY_API ?? "http://127.0.0.1:3001", changeOrigin: false };
const proxy = { "/api": api, "/files": api, "/manage": api, "/auth/login": api, "/linQuan": api };

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

const chunkName = ({ name }: { name: string }): string =>
  `assets/${name.startsWith("shared") ? "shared" : "[name]"}-[hash:7].js`;

/** The first page preloads what every later page needs. Pages themselves and small files are requested anyway. */
const worthNaming = (page: string, files: string[]): string[] =>
  files.filter((file) => file !== page && !file.includes("/shared-"));

export default defineConfig({
  plugins: [
    localeParts(),
    tanstackRouter({ target: "react", autoCodeSplitting: true, quoteStyle: "double", semicolons: true }),
    react(),
    tailwindcss(),
    firstAnswer(),
    precompress(),
  ],
  resolve: {
    alias: [
      { find: "@", replacement: source(".") },
      // Browsers have it themselves by now; main.tsx loads the library into those that don't.
      { find: /^temporal-polyfill$/, replacement: source("lib/time/temporal.ts") },
    ],
  },
  server: { proxy },
  preview: { proxy },
  build: {
    target: "es2023",
    // The CSP allows no data: addresses for fonts and scripts, so every asset is a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: worthNaming },
    rolldownOptions: { output: { chunkFileNames: chunkName, codeSplitting: { groups: chunkGroups } } },
  },
});
