import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { picturesOf } from "../growth/report.ts";
import { RESULTS, ROOT } from "../measuring/folders.ts";
import { type BenchResult, parseResult } from "../measuring/result.ts";
import { fillPage } from "./blocks.ts";
import { fillReadme } from "./readme.ts";

const DOCS = "docs/operators";

/** Reads the results that are kept in the repository, by the name of their bench. */
export function readResults(): Map<string, BenchResult> {
  const files = existsSync(RESULTS) ? readdirSync(RESULTS).filter((file) => file.endsWith(".json")) : [];
  return new Map(
    files.map((file) => {
      const result = parseResult(readFileSync(join(RESULTS, file), "utf8"));
      if (`${result.bench}.json` !== file) throw new Error(`${file} is a result of ${result.bench}`);
      return [result.bench, result];
    }),
  );
}

/** The pages of the documentation that show results, by their path in the repository. */
export function readPages(): Map<string, string> {
  const names = readdirSync(join(ROOT, DOCS)).filter((file) => file.endsWith(".md"));
  return new Map(names.map((name) => [`${DOCS}/${name}`, readFileSync(join(ROOT, DOCS, name), "utf8")]));
}

/** Makes all files that show results, by their path in the repository. */
export function makeFiles(results: ReadonlyMap<string, BenchResult>): Map<string, string> {
  const files = new Map([...readPages()].map(([path, page]) => [path, fillPage(page, results)]));
  const [arrival, growth] = [results.get("arrival"), results.get("growth")];
  if (arrival) files.set("README.md", fillReadme(readFileSync(join(ROOT, "README.md"), "utf8"), arrival));
  if (growth) for (const [name, picture] of picturesOf(growth)) files.set(`${DOCS}/${name}`, picture);
  return files;
}

/** Returns a file's contents, or nothing if it doesn't exist. */
export function readFile(path: string): string {
  return existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : "";
}
