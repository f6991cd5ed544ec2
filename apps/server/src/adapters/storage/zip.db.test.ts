import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { zipOf } from "./zip.ts";

it("is read by others, names and bytes as they were", () => {
  const directory = mkdtempSync(join(tmpdir(), "innkey-zip-"));
  try {
    const path = join(directory, "a.zip");
    const bytes = Buffer.from([0, 255, 1, 254]);
    const entries = [
      { name: "person.json", bytes: Buffer.from('{"name":"Zoë"}') },
      { name: "Bild–1.webp", bytes },
      { name: "empty.txt", bytes: Buffer.alloc(0) },
    ];
    writeFileSync(path, zipOf(entries, new Date("2026-11-18T14:00:00.000Z")));
    const script = `import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps([[i.filename, archive.read(i).hex(), list(i.date_time)] for i in archive.infolist()]))`;
    const read: unknown = JSON.parse(execFileSync("python3", ["-c", script, path], { encoding: "utf8" }));
    expect(read).toEqual(
      entries.map((entry) => [entry.name, Buffer.from(entry.bytes).toString("hex"), [2026, 11, 18, 14, 0, 0]]),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});
