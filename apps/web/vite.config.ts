import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The server checks that a request comes from its own address: the proxy keeps the one the browser used.
const api = { target: process.env.INNKEY_API ?? "http://127.0.0.1:3001", changeOrigin: false };

const vendorGroups = [
  { name: "react", test: /node_modules[\\/](?:\.pnpm[\\/])?(?:react|react-dom|scheduler)[@\\/]/ },
  { name: "data", test: /node_modules[\\/].*(?:@tanstack|@trpc)[\\/+]/ },
  { name: "radix", test: /node_modules[\\/].*(?:@radix-ui|radix-ui|@floating-ui|cmdk)[\\/@+]/ },
  { name: "temporal", test: /node_modules[\\/].*temporal-(?:polyfill|utils)/ },
];

export default defineConfig({
  plugins: [
    tanstackRouter({ target: "react", autoCodeSplitting: true, quoteStyle: "double", semicolons: true }),
    react(),
    tailwindcss(),
  ],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { proxy: { "/api": api, "/files": api } },
  preview: { proxy: { "/api": api, "/files": api } },
  build: {
    target: "es2023",
    // A CSP without data: for fonts and scripts: everything is a file of its own.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: vendorGroups } } },
  },
});
