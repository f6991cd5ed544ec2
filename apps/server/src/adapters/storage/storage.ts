import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";

/** Storage of file contents, on disk or in an object store. */
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

async function writeAndSync(path: string, bytes: Uint8Array): Promise<void> {
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
    if (!FILE_ID.test(id)) throw new Error(`${id} is not a file id`);
    return join(directory, id.slice(0, 2));
  };
  return {
    async write(id, bytes) {
      const folder = folderOf(id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = join(folder, `${id}.part`);
      try {
        await writeAndSync(unfinished, bytes);
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

/** Type and size of the bytes that a client announces before it sends them. */
export interface UploadAnnouncement {
  contentType: string;
  size: number;
}

interface PendingUploads {
  /** null if there is no upload. @throws RangeError for more than `maxBytes` */
  read(key: string, maxBytes: number): Promise<Buffer | null>;
  remove(key: string): Promise<void>;
  /** Removes all uploads that arrived before the given time. */
  sweep(before: Date): Promise<void>;
}

/** Uploads that pass through this server. */
export interface StoredUploads extends PendingUploads {
  /** Writes the whole upload or nothing; false if the key exists already. */
  write(key: string, bytes: Uint8Array): Promise<boolean>;
  /** Returns the number of uploads in the folder of this key. */
  countInFolder(key: string): Promise<number>;
}

/** Clients send the bytes directly to the store: PUT to `url` with `headers`, exactly the announced number of bytes. */
export interface DirectUploads extends PendingUploads {
  presignUpload(
    key: string,
    announcement: UploadAnnouncement,
    seconds: number,
  ): Promise<{ url: string; headers: Readonly<Record<string, string>> }>;
}

/** Storage for uploads that are not used yet, by keys like "uploads/1/7/<uuid>". */
export type UploadStorage = StoredUploads | DirectUploads;

const KEY = /^[\w-]+(\/[\w-]+)*$/;

/** Stores uploads as files below one directory; their keys begin with the prefix. */
export function diskUploads(directory: string, prefix: string): StoredUploads {
  const pathOf = (key: string): string => {
    if (!KEY.test(key) || !key.startsWith(`${prefix}/`)) throw new Error(`${key} is not the key of an upload`);
    return join(directory, key);
  };
  return {
    async countInFolder(key) {
      return (await readdir(dirname(pathOf(key))).catch(() => [])).length;
    },
    async write(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const unfinished = `${path}.${randomUUID()}.part`;
      try {
        const file = await open(unfinished, "wx", 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await link(unfinished, path);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
        throw error;
      } finally {
        await rm(unfinished, { force: true });
      }
    },
    async read(key, maxBytes) {
      const path = pathOf(key);
      try {
        const { size } = await stat(path);
        if (size > maxBytes) throw new RangeError(`${key} has ${size} bytes`);
        return await readFile(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async sweep(before) {
      const entries = await readdir(join(directory, prefix), { recursive: true, withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const { mtime } = await stat(path).catch(() => ({ mtime: before }));
        if (mtime < before) await rm(path, { force: true });
      }
    },
  };
}

interface DiskSpace {
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
