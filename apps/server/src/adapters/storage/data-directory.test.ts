import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadConfig } from "../../config.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "innkey-directory-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (...path: string[]): number => statSync(join(folder, ...path)).mode & 0o1777;

it("a new data directory is private to its user, and its parents have the usual mode", () => {
  loadConfig({ DATA_DIR: join(folder, "above/data") }, []);
  expect(modeOf("above/data")).toBe(0o700);
  expect(modeOf("above")).toBe(0o777 & ~process.umask());
});

it("a data directory that others could list becomes private, and so do its folders", () => {
  for (const name of ["data", "data/files", "data/backups"]) {
    mkdirSync(join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
  loadConfig({ DATA_DIR: join(folder, "data") }, []);
  expect([modeOf("data"), modeOf("data/files"), modeOf("data/backups")]).toEqual([0o700, 0o700, 0o700]);
});

it("a shared directory such as /tmp keeps its mode", () => {
  mkdirSync(join(folder, "tmp"));
  chmodSync(join(folder, "tmp"), 0o1777);
  loadConfig({ DATA_DIR: join(folder, "tmp") }, []);
  expect(modeOf("tmp")).toBe(0o1777);
});
