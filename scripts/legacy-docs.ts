// npm run legacy-docs    writes docs/legacy-api.md from the calls of the compatibility layer
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdown } from "../apps/server/src/api/legacy/docs/markdown.ts";

const path = join(import.meta.dirname, "../docs/legacy-api.md");
writeFileSync(path, markdown());
console.log(`written: ${path}`);
