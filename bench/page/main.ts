// npm run bench -- --page: writes the results in bench/results into the pages, pictures and README.md that show them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../measuring/folders.ts";
import { makeFiles, readFile, readResults } from "./files.ts";

for (const [path, contents] of makeFiles(readResults())) {
  if (readFile(path) === contents) continue;
  writeFileSync(join(ROOT, path), contents);
  console.log(`wrote ${path}`);
}
