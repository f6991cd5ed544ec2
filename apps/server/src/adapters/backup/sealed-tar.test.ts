import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Encrypter } from "age-encryption";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UnreadableBackup } from "./backup-format.ts";
import { makeBackupKey, readKeyFile, writeKeyFile } from "./backup-key.ts";
import { inspectBackup } from "./inspect.ts";
import { type Entry, readSealed, writeSealed } from "./sealed-tar.ts";

let directory: string;
let key: { recipient: string; identity: string };
let path: string;
const entries: Entry[] = [
  { name: "tables/a.000001.copy", bytes: randomBytes(300_000) },
  { name: "tables/a.000002.copy", bytes: Buffer.alloc(0) },
  { name: `files/${"long/".repeat(60)}name`, bytes: Buffer.from("ä") },
];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "innkey-sealed-"));
  key = await makeBackupKey();
  path = join(directory, "whole.age");
  await writeSealed(path, key.recipient, from(entries));
});
afterAll(() => rm(directory, { recursive: true }));

async function* from<T>(list: Iterable<T>): AsyncGenerator<T> {
  yield* list;
}

async function read(file: string, identity = key.identity): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of readSealed(file, identity)) entries.push(entry);
  return entries;
}

/** Returns the error for a file with these bytes; null if it can be read. */
async function complaint(bytes: Uint8Array, identity?: string): Promise<string | null> {
  const file = join(directory, "tried.age");
  await writeFile(file, bytes);
  return read(file, identity).then(
    () => null,
    (error: unknown) => {
      expect(error).toBeInstanceOf(UnreadableBackup);
      return (error as Error).message;
    },
  );
}

describe("a sealed file", () => {
  it("returns the written entries in order, and only its owner can read it", async () => {
    expect(await read(path)).toEqual(entries);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path)).includes("tables/")).toBe(false);
  });

  it("cannot be opened with another key, and anything that is not a backup is refused", async () => {
    const whole = await readFile(path);
    expect(await complaint(whole, (await makeBackupKey()).identity)).toMatch(/another key/);
    for (const foreign of [Buffer.alloc(0), Buffer.from("hello\nworld\n"), randomBytes(5_000), whole.subarray(0, 30)]) {
      expect(await complaint(foreign)).toMatch(/not a backup|damaged/);
    }
    const encrypter = new Encrypter();
    encrypter.addRecipient(key.recipient);
    expect(await complaint(await encrypter.encrypt("no tar at all"))).toMatch(/damaged/);
    await expect(read(join(directory, "nowhere.age"))).rejects.toThrow(/ENOENT/);
  });

  it("is reported as damaged for any flipped bit and any truncation", async () => {
    const whole = await readFile(path);
    const places = [25, 100, 150, 190, 250, 65_000, 70_000, 200_000, whole.length - 20, whole.length - 1];
    for (const entryContext of places) {
      const damagedCopy = Buffer.from(whole);
      damagedCopy.writeUInt8(damagedCopy.readUInt8(entryContext) ^ 1, entryContext);
      expect(await complaint(damagedCopy), `bit at ${entryContext}`).not.toBeNull();
    }
    for (const length of [100, 200, 220, 65_536, 131_400, whole.length - 65_000, whole.length - 1]) {
      expect(await complaint(whole.subarray(0, length)), `cut at ${length}`).not.toBeNull();
    }
    expect(await complaint(Buffer.concat([whole, Buffer.from("x")]))).not.toBeNull();
    expect(await complaint(whole)).toBeNull();
  });

  it("is not created when its source fails", async () => {
    const brokenSource = async function* (): AsyncGenerator<Entry> {
      yield* entries;
      throw new Error("the database is gone");
    };
    const target = join(directory, "broken.age");
    await expect(writeSealed(target, key.recipient, brokenSource())).rejects.toThrow("the database is gone");
    expect((await readdir(directory)).filter((name) => name.startsWith("broken"))).toEqual([]);
  });

  it("is refused when it holds something other than a backup", async () => {
    await expect(inspectBackup(path, key.identity)).rejects.toThrow(/not a backup/);
    const newer = join(directory, "newer.age");
    const header = Buffer.from(JSON.stringify({ format: 99, version: "9.9.9" }));
    await writeSealed(newer, key.recipient, from([{ name: "backup.json", bytes: header }]));
    await expect(inspectBackup(newer, key.identity)).rejects.toThrow(/Innkey 9\.9\.9, in a format/);
  });
});

describe("a key file", () => {
  it("is read back unchanged, is readable by its owner only, and is never overwritten", async () => {
    const file = join(directory, "key");
    await writeKeyFile(file, key, new Date());
    expect(await readKeyFile(file)).toEqual(key);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(writeKeyFile(file, await makeBackupKey(), new Date())).rejects.toThrow(/EEXIST/);
  });

  it("is named in the error when it is missing or holds no key", async () => {
    await expect(readKeyFile(path)).rejects.toThrow(/holds no backup key/);
    await expect(readKeyFile(join(directory, "nowhere"))).rejects.toThrow(/no such key file/);
  });
});
