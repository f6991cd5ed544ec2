import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** Storage of file contents: on disk, or in an object store with the same three operations. */
export interface FileStorage {
  /** Writes the whole file or nothing. */
  write(id: string, bytes: Uint8Array): Promise<void>;
  /** null if there is no such file */
  read(id: string): Promise<Readable | null>;
  remove(id: string): Promise<void>;
}

/**
 * Also stores files that are too large for memory; `remove` also deletes what an interrupted process left unfinished.
 */
export interface LargeFileStorage extends FileStorage {
  /** Writes the whole file or nothing and returns its size in bytes. Of two concurrent writes, the later one wins. */
  save(id: string, parts: AsyncIterable<Uint8Array>): Promise<number>;
}

/** A file id becomes part of a path or of an object's key. */
export const FILE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function saveParts(path: string, parts: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const part of parts) {
      await file.writeFile(part);
      size += part.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return size;
}

/** Stores files below one directory, named by their id and spread over 256 folders. */
export function diskFiles(directory: string): LargeFileStorage {
  const folderOf = (id: string): string => {
    if (!FILE_ID.test(id)) throw new Error(`${id} is no file id`);
    return join(directory, id.slice(0, 2));
  };
  return {
    async write(id, bytes) {
      const folder = folderOf(id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = join(folder, `${id}.part`);
      try {
        await writeWhole(unfinished, bytes);
        await rename(unfinished, join(folder, id));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async save(id, parts) {
      const folder = folderOf(id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = join(folder, `${id}.${randomUUID()}.part`);
      try {
        const size = await saveParts(unfinished, parts);
        await rename(unfinished, join(folder, id));
        return size;
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
      const folder = folderOf(id);
      await rm(join(folder, id), { force: true });
      const names = await readdir(folder).catch(() => []);
      const unfinished = names.filter((name) => name.startsWith(`${id}.`) && name.endsWith(".part"));
      await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}
