import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
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

/** As above, also for what is too large to be held; removing takes along what a process that ended left unfinished. */
export interface LargeFileStorage extends FileStorage {
  /** Whole or not at all; its size in bytes. Two at once don't meet: the later one stays. */
  save(id: string, parts: AsyncIterable<Uint8Array>): Promise<number>;
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

/** Files below one directory, named by their id and spread over 256 folders. */
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
