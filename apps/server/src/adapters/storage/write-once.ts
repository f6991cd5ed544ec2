import { randomUUID } from "node:crypto";
import { linkSync, rmSync, writeFileSync } from "node:fs";

/**
 * Creates a file that only its owner can read, unless it exists; then it stays as it is. Processes that start together
 * may all call this: the first one's text counts, and none of them ever sees the file half written.
 */
export function writeOnce(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
