import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";
import { extract, pack } from "tar-stream";
import { asUnreadable, notABackup } from "./backup-format.ts";

/** One file inside a backup. Large data is spread over several entries, so that each fits into memory. */
export interface Entry {
  name: string;
  bytes: Buffer;
}

/** Suffix of a file that is being written, or whose writer was killed. */
export const UNFINISHED = ".part";
/** Size of an entry that holds a part of something large. */
export const ENTRY_BYTES = 8 * 1024 * 1024;
/** Anyone with the public key can encrypt a file, so we do not read an entry that claims to be larger. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Level 6 would take twice the time of all other work together and save only a few per cent. */
const GZIP_LEVEL = 4;

/**
 * Writes entries as tar, gzip and age into one file, which either appears complete and synced to disk, or not at all.
 * Returns its size in bytes.
 * @throws Error with code EEXIST while another backup is being written to the same path
 */
export async function writeSealed(path: string, recipient: string, entries: AsyncIterable<Entry>): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = path + UNFINISHED;
  const file = await open(unfinished, "wx", 0o600);
  let size = 0;
  try {
    try {
      for await (const chunk of sealEntries([recipient], entries)) {
        await file.writeFile(chunk);
        size += chunk.length;
      }
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

/** Yields the bytes of entries as tar, gzip and age, which each of the recipients' secret keys opens. */
export async function* sealEntries(
  recipients: readonly string[],
  entries: AsyncIterable<Entry>,
): AsyncGenerator<Uint8Array> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const gzip = createGzip({ level: GZIP_LEVEL });
  const packed = pipeline(tarOf(entries), gzip);
  packed.catch(() => undefined); // the reader of the output throws it below
  yield* await encrypter.encrypt(webStream(gzip));
  await packed;
}

/**
 * Yields the entries of such a file in order.
 * @throws UnreadableBackup for a file that is damaged, not a backup or encrypted for another key
 */
export async function* readSealed(path: string, identity: string): AsyncGenerator<Entry> {
  const file = createReadStream(path);
  const tar = extract();
  try {
    const { Decrypter } = await import("age-encryption");
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const plain = await decrypter.decrypt(webStream(file));
    const unpacked = pipeline(Readable.fromWeb(plain as ReadableStream<Uint8Array>), createGunzip(), tar);
    unpacked.catch(() => undefined); // thrown below, after the entries so far were read
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

/** Syncs the directory, so that the file's name survives a power cut as well as its bytes. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
