import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { diskUploads, type StoredUploads } from "./storage.ts";

const DAY_MS = 86_400_000;
let directory: string;
let uploads: StoredUploads;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "innkey-uploads-"));
  uploads = diskUploads(directory, "uploads");
});
afterEach(() => rm(directory, { recursive: true }));

const files = async (): Promise<string[]> =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

it("keeps the first of several simultaneous uploads completely", async () => {
  const tries = ["a", "b", "c"].map((text) => uploads.write("uploads/1/7/x", Buffer.from(text)));
  const first = await Promise.all(tries);
  expect(first.filter(Boolean)).toHaveLength(1);
  expect((await uploads.read("uploads/1/7/x", 10))?.toString()).toBe("abc"[first.indexOf(true)]);
  expect(await files()).toEqual(["x"]);
});

it("reads no more than the given size, and nothing outside its directory", async () => {
  expect(await uploads.read("uploads/1/7/x", 10)).toBeNull();
  await uploads.write("uploads/1/7/x", Buffer.from("12345"));
  await expect(uploads.read("uploads/1/7/x", 4)).rejects.toThrow(RangeError);
  await expect(uploads.read("uploads/../../etc/passwd", 4)).rejects.toThrow("is not the key");
  await uploads.remove("uploads/1/7/x");
  await uploads.remove("uploads/1/7/x");
  expect(await files()).toEqual([]);
});

it("deletes old uploads of every hotel", async () => {
  await uploads.sweep(new Date());
  for (const key of ["uploads/1/7/old", "uploads/2/9/old", "uploads/1/7/new"])
    await uploads.write(key, Buffer.alloc(1));
  const old = new Date(Date.now() - 2 * DAY_MS);
  for (const path of ["uploads/1/7/old", "uploads/2/9/old"]) await utimes(join(directory, path), old, old);
  await uploads.sweep(new Date(Date.now() - DAY_MS));
  expect(await files()).toEqual(["new"]);
});
