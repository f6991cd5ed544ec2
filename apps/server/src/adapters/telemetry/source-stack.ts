import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

/** A place in a built file, as a line of a stack has it: `file:///…/dist/main.js:12:34`. */
const PLACE = /((?:file:\/\/)?\/[^\s():]+\.js):(\d+):(\d+)/g;
/** Errors often come together; after this time without one, the maps leave the memory again. */
const KEEP_MS = 60_000;

const maps = new Map<string, TraceMap | null>();
let forgetting: NodeJS.Timeout | undefined;

/** Returns the source map beside a built file; null if there is none. */
function mapOf(file: string): TraceMap | null {
  const cached = maps.get(file);
  if (cached !== undefined) return cached;
  let map: TraceMap | null = null;
  try {
    map = new TraceMap(readFileSync(`${file}.map`, "utf8"));
  } catch {
    // Files of other packages have no map; their places stay as they are.
  }
  maps.set(file, map);
  return map;
}

/**
 * Returns a stack with the places of the source instead of those of the built file, relative to the working directory.
 * The maps are read only now: kept ready by Node for every file, they take more memory than the server's own objects.
 */
export function sourceStack(stack: string): string {
  clearTimeout(forgetting);
  forgetting = setTimeout(() => maps.clear(), KEEP_MS).unref();
  return stack.replaceAll(PLACE, (place, address: string, line: string, column: string) => {
    const file = address.startsWith("file:") ? fileURLToPath(address) : address;
    const map = mapOf(file);
    const origin = map && originalPositionFor(map, { line: Number(line), column: Number(column) - 1 });
    if (!origin || origin.source === null) return place;
    const source = relative(process.cwd(), join(dirname(file), origin.source));
    return `${source}:${origin.line}:${origin.column + 1}`;
  });
}

/** Lets Node print a fatal error with the places of the source. */
export function showSourceOfFatalErrors(): void {
  process.on("uncaughtExceptionMonitor", (error) => {
    if (error instanceof Error && error.stack) error.stack = sourceStack(error.stack);
  });
}
