import { randomUUID } from "node:crypto";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
}

/** Returns the space that this process can still use on the disk of a directory. */
export async function diskSpace(directory: string): Promise<DiskSpace> {
  const { bsize, bavail, blocks } = await statfs(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/**
 * Writes and removes a file, because permissions alone do not reveal a full or read-only disk.
 * @throws Error if writing fails
 */
export async function tryWriting(directory: string): Promise<void> {
  const path = join(directory, `.probe-${randomUUID()}`);
  try {
    await writeFile(path, "can it be written?", { mode: 0o600, flag: "wx" });
  } finally {
    await rm(path, { force: true });
  }
}
