import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadConfig } from "./config.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "innkey-config-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const load = (env: NodeJS.ProcessEnv = {}) => loadConfig({ DATA_DIR: directory, ...env }, []);

it("makes a key on the first start, for its owner's eyes only, and keeps it", () => {
  const { secretKey } = load();
  expect(secretKey).toHaveLength(32);
  const path = join(directory, "secret-key");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(load().secretKey).toEqual(secretKey);
  expect(readFileSync(path, "utf8")).toBe(secretKey.toString("hex"));
});

it.each(["", "\n", "not a key", "ab".repeat(31), `${"ab".repeat(31)}xy`])("refuses a damaged key (%j)", (kept) => {
  writeFileSync(join(directory, "secret-key"), kept);
  expect(() => load()).toThrow(/secret-key is damaged/);
});

it("names the settings that make no sense", () => {
  expect(() => load({ SECRET_KEY: "short", PORT: "70000" })).toThrow(/PORT.*\n.*SECRET_KEY/);
});
