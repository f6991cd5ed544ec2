import { randomUUID } from "node:crypto";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
}

/** What the disk below a directory has left for this process. */
export async function diskSpace(directory: string): Promise<DiskSpace> {
  const { bsize, bavail, blocks } = await statfs(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Writes a file and takes it away again: permission alone doesn't tell of a full or read-only disk. @throws Error */
export async function tryWriting(directory: string): Promise<void> {
  const path = join(directory, `.probe-${randomUUID()}`);
  try {
    await writeFile(path, "can it be written?", { mode: 0o600, flag: "wx" });
  } finally {
    await rm(path, { force: true });
  }
}
