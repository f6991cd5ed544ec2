import { execFileSync } from "node:child_process";
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

export interface SmallDisk {
  path: string;
  /** fills the disk completely */
  fill(): void;
  free(): void;
  remove(): void;
}

const BLOCKS = [1024 * 1024, 4096, 1];

/** This user or this machine can't mount a file system. */
export class MountRefused extends Error {}

/** Mounts a separate file system in memory. Needs root. @throws MountRefused */
export async function smallDisk(path: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(path, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "tmpfs", path], { stdio: "pipe" });
  } catch (error) {
    throw new MountRefused(error instanceof Error ? error.message : String(error));
  }
  const filler = join(path, "filler");
  return {
    path,
    fill() {
      const file = openSync(filler, "a");
      for (const size of BLOCKS) {
        try {
          for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        }
      }
      fsyncSync(file);
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => void execFileSync("umount", ["-l", path]),
  };
}
