import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** Where the bytes of files are: on disk, or in an object store with the same three acts. */
export interface FileStorage {
  /** Whole or not at all. */
  write(id: string, bytes: Uint8Array): Promise<void>;
  /** null if there is no such file */
  read(id: string): Promise<Readable | null>;
  remove(id: string): Promise<void>;
}

const FILE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Files below one directory, named by their id and spread over 256 folders. */
export function diskFiles(directory: string): FileStorage {
  const folderOf = (id: string): string => {
    if (!FILE_ID.test(id)) throw new Error(`${id} is no file id`);
    return join(directory, id.slice(0, 2));
  };
  return {
    async write(id, bytes) {
      const folder = folderOf(id);
      await mkdir(folder, { recursive: true });
      const unfinished = join(folder, `${id}.part`);
      try {
        await writeWhole(unfinished, bytes);
        await rename(unfinished, join(folder, id));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async read(id) {
      const file = await open(join(folderOf(id), id)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      return file?.createReadStream() ?? null;
    },
    async remove(id) {
      await rm(join(folderOf(id), id), { force: true });
    },
  };
}
