import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { extract, pack } from "tar-stream";
import { asUnreadable, notABackup } from "./damage.ts";

/** One file inside a backup. Whatever is large is spread over several, so that each fits into memory. */
export interface Entry {
  name: string;
  bytes: Buffer;
}

/** How the name of a file ends that is being written, or whose writer was killed. */
export const UNFINISHED = ".part";
/** How much of something large goes into one entry. */
export const ENTRY_BYTES = 8 * 1024 * 1024;
/** Whoever knows the public key can seal a file: what claims to be larger is not read. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Level 6 takes twice the time of the rest together for a few per cent. */
const GZIP_LEVEL = 4;

/**
 * Writes entries as tar, gzip and age into one file, which appears whole and on disk, or not at all. Its size in bytes.
 * @throws Error with code EEXIST when another is being written to the same place
 */
export async function writeSealed(path: string, recipient: string, entries: AsyncIterable<Entry>): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = path + UNFINISHED;
  const file = await open(unfinished, "wx", 0o600);
  let size = 0;
  try {
    try {
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipient);
      const gzip = createGzip({ level: GZIP_LEVEL });
      const packed = pipeline(tarOf(entries), gzip);
      packed.catch(() => undefined); // thrown below, by whoever reads what it makes
      for await (const chunk of await encrypter.encrypt(webStream(gzip))) {
        await file.writeFile(chunk);
        size += chunk.length;
      }
      await packed;
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
    await syncDirectory(dirname(path));
    return size;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** The entries of such a file, in their order. @throws UnreadableBackup for one that is damaged, foreign or not for this key */
export async function* readSealed(path: string, identity: string): AsyncGenerator<Entry> {
  const file = createReadStream(path);
  const tar = extract();
  try {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const plain = await decrypter.decrypt(webStream(file));
    const unpacked = pipeline(Readable.fromWeb(plain as ReadableStream<Uint8Array>), createGunzip(), tar);
    unpacked.catch(() => undefined); // thrown below, when what came through has been read
    for await (const entry of tar) {
      if ((entry.header.size ?? 0) > MAX_BYTES) throw notABackup();
      yield { name: entry.header.name, bytes: await buffer(entry) };
    }
    await unpacked;
  } catch (error) {
    throw asUnreadable(error);
  } finally {
    tar.destroy();
    file.destroy();
  }
}

function tarOf(entries: AsyncIterable<Entry>): Readable {
  const tar = pack();
  const packEntry = ({ name, bytes }: Entry): Promise<void> =>
    new Promise((resolve, reject) => {
      tar.entry({ name, mode: 0o600 }, bytes, (error) => (error ? reject(error) : resolve()));
    });
  const fill = async (): Promise<void> => {
    for await (const entry of entries) await packEntry(entry);
    tar.finalize();
  };
  fill().catch((error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))));
  return Readable.from(tar);
}

const webStream = (stream: Readable): globalThis.ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as globalThis.ReadableStream<Uint8Array>;

/** So that the file's name outlives a power cut as well as its bytes. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
