import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { diskFiles } from "./storage.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "innkey-files-"));
});
afterEach(() => rm(directory, { recursive: true }));

it("leaves nothing behind when a file could not be written completely", async () => {
  const id = randomUUID();
  // This directory makes the last step fail, as a full disk makes an earlier one fail.
  await mkdir(join(directory, id.slice(0, 2), id), { recursive: true });
  await expect(diskFiles(directory).write(id, Buffer.from("picture"))).rejects.toThrow();
  expect(await readdir(join(directory, id.slice(0, 2)))).toEqual([id]);
});

it("refuses a name that is not an id", async () => {
  for (const id of ["../../etc/passwd", "", "a", `${randomUUID()}/..`, randomUUID().toUpperCase().replace(/\d/g, "A")])
    await expect((async () => diskFiles(directory).read(id))()).rejects.toThrow("is not a file id");
});
