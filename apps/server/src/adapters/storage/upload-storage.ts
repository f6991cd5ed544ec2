import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Type and size of the bytes that a client announces before it sends them. */
export interface Announced {
  contentType: string;
  size: number;
}

interface Waiting {
  /** null if there is no upload. @throws RangeError for more than `most` bytes */
  read(key: string, most: number): Promise<Buffer | null>;
  remove(key: string): Promise<void>;
  /** Removes all uploads that arrived before the given time. */
  sweep(before: Date): Promise<void>;
}

/** Uploads that pass through this server. */
export interface StoredUploads extends Waiting {
  /** Writes the whole upload or nothing; false if the key exists already. */
  write(key: string, bytes: Uint8Array): Promise<boolean>;
  /** Returns the number of uploads in the folder of this key. */
  waitingBeside(key: string): Promise<number>;
}

/** Clients send the bytes directly to the store: PUT to `url` with `headers`, exactly the announced number of bytes. */
export interface DirectUploads extends Waiting {
  sendTo(
    key: string,
    announced: Announced,
    seconds: number,
  ): Promise<{ url: string; headers: Readonly<Record<string, string>> }>;
}

/** Storage for uploads that are not used yet, by keys like "uploads/1/7/<uuid>". */
export type UploadStorage = StoredUploads | DirectUploads;

const KEY = /^[\w-]+(\/[\w-]+)*$/;

/** Stores uploads as files below one directory; their keys begin with the prefix. */
export function diskUploads(directory: string, prefix: string): StoredUploads {
  const pathOf = (key: string): string => {
    if (!KEY.test(key) || !key.startsWith(`${prefix}/`)) throw new Error(`${key} is no key of an upload`);
    return join(directory, key);
  };
  return {
    async waitingBeside(key) {
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
    async read(key, most) {
      const path = pathOf(key);
      try {
        const { size } = await stat(path);
        if (size > most) throw new RangeError(`${key} has ${size} bytes`);
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
