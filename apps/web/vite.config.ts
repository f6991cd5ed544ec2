import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { localeParts } from "./locale-parts.ts";
import { precompress } from "./precompress.ts";

// The server checks that a request comes from its own origin, so the proxy keeps the browser's host.
const api = { target: process.env.INNKEY_API ?? "http://127.0.0.1:3001", changeOrigin: false };
const proxy = { "/api": api, "/files": api, "/manage": api, "/auth/login": api, "/linQuan": api };

/** Libraries by purpose, so that a page without a form loads nothing that only forms need. */
const OVERLAYS =
  /@floating-ui|react-remove-scroll|aria-hidden|radix-ui.react-(?:menu|dropdown|tooltip|popper|dialog|dismiss|focus)/;
const CONTROLS =
  /cmdk|radix-ui.react-(?:select|popover|checkbox|toggle)|ui.(?:form.(?:combobox|select-input)|primitives.(?:command|popover|select))\./;
const FORMS =
  /react-hook-form|@hookform|[\\/]zod[\\/]|shared.src.(?:schemas|enums)|ui.form.(?:form|field|use-zod-form)\./;
/** Code that the pages behind the login share: the frame around them and common components. */
const DESK =
  /@trpc|src.lib.(?!time.quick-range|browser.download|capability)|routes._app\.tsx|src.shell.(?:app|nav|side|use-shortcuts|menus.(?:user|hotel))|src.ui.(?:page-header|search-input|can|action|with-tooltip|status-chip|person-avatar|dialog.(?:panel|use-return)|form.(?:segmented|checkbox-input)|primitives.(?:dropdown|dialog|tooltip|sheet|avatar|badge|kbd|checkbox))|stay-actions/;
/** Without dialogs and tables, which are loaded when they are needed. */
const BOARD =
  /pages.(?:board-screen|room-dialogs)|features.board.(?!board-table)|entities.(?:room.(?:board-query|room-|group-filter|use-set-status)|lock.lock-mark)|lucide-react.*(?:ellipsis|coffee)\./;
/** Doors' activity for the board and the bell, without the pages that list it. */
const DOORS =
  /unlocks.(?:door-strip\.|record-look|records-query|use-latest)|alerts.alert-bell|lucide-react.*(?:bell|bell-ring|credit-card|hash|key-round|radio-tower|scan-face|shield-question-mark|chevron-up)\./;

const INITIAL: "$initial"[] = ["$initial"];
const chunks = [
  { name: "base", tags: INITIAL, test: /node_modules|rolldown/, priority: 9 },
  { name: "start", tags: INITIAL, priority: 8 },
  { name: "overlays", test: OVERLAYS, priority: 7 },
  { name: "controls", test: CONTROLS, priority: 6 },
  { name: "desk", test: DESK, priority: 5 },
  { name: "board", test: BOARD, priority: 4 },
  { name: "doors", test: DOORS, priority: 4 },
  { name: "time", test: /temporal-|shared.src.hotel-time|hotel-date-time-input/, priority: 3 },
  { name: "forms", test: FORMS, priority: 2 },
  { name: "table", test: /tanstack.(?:react-)?table|src.ui.table/, priority: 1 },
  { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 8000, priority: 0 },
];
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
    precompress(),
  ],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { proxy },
  preview: { proxy },
  build: {
    target: "es2023",
    // The CSP allows no data: addresses for fonts and scripts, so every asset is a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: worthNaming },
    rolldownOptions: { output: { chunkFileNames: chunkName, codeSplitting: { groups: chunks } } },
  },
});
