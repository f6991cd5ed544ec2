import { randomUUID } from "node:crypto";
import { constants, copyFileSync, linkSync, rmSync, writeFileSync } from "node:fs";

/**
 * Creates a file that only its owner can read, unless it exists; then it stays as it is. Processes that start together
 * may all call this: the first one's text counts, and none of them ever sees the file half written.
 */
export function writeOnce(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    publish(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (isExisting(error)) return;
    // Some file systems have no links; there, a process that starts at the same moment may see the file half written.
    try {
      copyFileSync(draft, path, constants.COPYFILE_EXCL);
    } catch (copyError) {
      if (!isExisting(copyError)) throw copyError;
    }
  }
}

const isExisting = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "EEXIST";
