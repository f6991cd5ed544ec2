import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { measure } from "./backup-format.ts";
import { makeBackupKey } from "./backup-key.ts";
import { type Inspected, inspectBackup } from "./inspect.ts";
import { type Entry, writeSealed } from "./sealed-tar.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "innkey-inspect-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const ID = "3f2b8c1e-6d0a-4d0f-9a53-0b8f4f5f7a11";
const entry = (name: string, text: string): Entry => ({ name, bytes: Buffer.from(text) });

/** Inspects a backup as anyone with the public key can forge it: its manifest is right, whatever its entries are called. */
async function inspectForged(...entries: Entry[]): Promise<Inspected> {
  const { recipient, identity } = await makeBackupKey();
  const files = measure();
  const forgedFiles = entries.filter(({ name }) => name.startsWith("files/"));
  for (const { bytes } of forgedFiles) files.add(bytes);
  const { bytes: size, sha256 } = files.result();
  const count = forgedFiles.length;
  const header = { format: 1, product: "innkey", version: "1", createdAt: "2026-03-02T10:00:00Z" };
  const path = join(directory, "forged.age");
  await writeSealed(
    path,
    recipient,
    (async function* () {
      yield entry("backup.json", JSON.stringify({ ...header, migrations: [], tables: [], sequences: [], leftOut: [] }));
      yield* entries;
      yield entry("manifest.json", JSON.stringify({ tables: [], files: { count, bytes: size, sha256 }, gone: [] }));
    })(),
  );
  return inspectBackup(path, identity);
}

it("reads secrets and files with plain names", async () => {
  const { secrets } = await inspectForged(entry("secrets/legacy-key", "00"));
  expect([...secrets]).toEqual([["legacy-key", "00"]]);
  expect((await inspectForged(entry(`files/${ID}`, "picture"))).manifest.files.count).toBe(1);
});

it.each([
  "secrets/../../.ssh/authorized_keys",
  "secrets//etc/cron.d/innkey",
  "secrets/..",
  "secrets/",
  "secrets/.bashrc",
  "secrets/a\\..\\b",
  "files/../../server/secret-key",
  `files/${ID}/../x`,
])("refuses a backup with an entry whose name leaves its folder: %s", async (name) => {
  await expect(inspectForged(entry(name, "00"))).rejects.toThrow("This is not a backup of Innkey");
});

it("refuses a backup with a secret that is too long", async () => {
  await expect(inspectForged(entry("secrets/legacy-key", "0".repeat(64 * 1024 + 1)))).rejects.toThrow(
    "This is not a backup of Innkey",
  );
});

it("refuses a backup with too many secrets", async () => {
  const letters = "abcdefghijk".split("");
  const names = letters.flatMap((first) => letters.map((second) => `secrets/${first}-${second}`));
  await expect(inspectForged(...names.map((name) => entry(name, "00")))).rejects.toThrow(
    "This is not a backup of Innkey",
  );
});
