// npm run legacy-docs [file]    writes the calls of old clients as Markdown, to .tmp/legacy-api.md unless a file is named
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { markdown } from "../apps/server/src/api/legacy/docs/markdown.ts";

const path = resolve(process.argv[2] ?? join(import.meta.dirname, "../.tmp/legacy-api.md"));
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, markdown());
console.log(`written: ${path}`);
