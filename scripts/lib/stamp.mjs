import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./process.mjs";

const SKIP = new Set(["node_modules", "dist", "generated", ".git", ".data", "test-results"]);

function* files(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) return yield path;
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    // Generated routes and tests don't affect the build output.
    if (SKIP.has(entry.name) || /\.gen\.ts$|\.test\.tsx?$/.test(entry.name)) continue;
    if (entry.isDirectory()) yield* files(join(path, entry.name));
    else yield join(path, entry.name);
  }
}

/** Returns a hash of the names and contents of files and folders (paths relative to the repository). */
export function hashOf(inputs) {
  const hash = createHash("sha256").update(process.version);
  for (const input of inputs) {
    for (const file of files(join(root, input))) {
      hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
    }
  }
  return hash.digest("hex");
}

/** Checks whether the stamp's output was built from exactly these inputs. */
export function isFresh(stampFile, hash) {
  const path = join(root, stampFile);
  return existsSync(path) && readFileSync(path, "utf8") === hash;
}

export function writeStamp(stampFile, hash) {
  const path = join(root, stampFile);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, hash);
}
