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

it("creates a key on the first start that only its owner can read, and keeps it", () => {
  const { secretKey } = load();
  expect(secretKey).toHaveLength(32);
  const path = join(directory, "secret-key");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(load().secretKey).toEqual(secretKey);
  expect(readFileSync(path, "utf8")).toBe(secretKey.toString("hex"));
});

it.each(["", "\n", "not a key", "ab".repeat(31), `${"ab".repeat(31)}xy`])("refuses a damaged key (%j)", (callback) => {
  writeFileSync(join(directory, "secret-key"), callback);
  expect(() => load()).toThrow(/secret-key is damaged/);
});

it("names invalid settings", () => {
  expect(() => load({ SECRET_KEY: "short", PORT: "70000" })).toThrow(/PORT.*\n.*SECRET_KEY/);
});

it("accepts an object store's settings together, or none of them", () => {
  expect(load().s3).toBeUndefined();
  const s3 = {
    S3_ENDPOINT: "https://s3.example",
    S3_BUCKET: "innkey",
    S3_ACCESS_KEY: "AKIA",
    S3_SECRET_KEY: "secret",
  };
  expect(load(s3).s3).toEqual({
    endpoint: "https://s3.example",
    bucket: "innkey",
    accessKey: "AKIA",
    secretKey: "secret",
    region: "us-east-1",
    pathStyle: true,
  });
  expect(load({ ...s3, S3_REGION: "auto", S3_PATH_STYLE: "false" }).s3).toMatchObject({
    region: "auto",
    pathStyle: false,
  });
  expect(() => load({ ...s3, S3_BUCKET: "", S3_SECRET_KEY: "" })).toThrow(/S3_BUCKET.*\n.*S3_SECRET_KEY/);
  expect(() => load({ ...s3, S3_ENDPOINT: "ftp://s3.example" })).toThrow(/S3_ENDPOINT/);
});

it("reads a setting from a file, as container secrets are given", () => {
  const path = join(directory, "database-url");
  writeFileSync(path, "postgresql://innkey:secret@db/innkey\n");
  expect(load({ DATABASE_URL_FILE: path }).databaseUrl).toBe("postgresql://innkey:secret@db/innkey");
  expect(() => load({ DATABASE_URL_FILE: path, DATABASE_URL: "postgresql://x" })).toThrow(/DATABASE_URL: set twice/);
  expect(() => load({ DATABASE_URL_FILE: join(directory, "none") })).toThrow(/DATABASE_URL_FILE: ENOENT/);
});

it("accepts earlier keys as a list", () => {
  expect(load().previousSecretKeys).toEqual([]);
  const keys = `${"ab".repeat(32)},${"cd".repeat(32)}`;
  expect(load({ SECRET_KEY_PREVIOUS: keys }).previousSecretKeys).toHaveLength(2);
  expect(() => load({ SECRET_KEY_PREVIOUS: "ab" })).toThrow(/SECRET_KEY_PREVIOUS/);
});

it.each(["web", "worker"])("requires the shared settings where a process has only one role (%s)", (role) => {
  expect(() => load({ ROLE: role })).toThrow(/DATABASE_URL.*\n.*SECRET_KEY/);
  const shared = { DATABASE_URL: "postgresql://localhost/innkey", SECRET_KEY: "ab".repeat(32) };
  expect(load({ ROLE: role, ...shared }).role).toBe(role);
  expect(load().role).toBe("all");
});

it.each(["DATABASE_MIGRATION_URL", "BACKUP_VERIFY_DATABASE_URL"])("refuses %s without DATABASE_URL", (name) => {
  const beside = { [name]: "postgresql://owner@db/other" };
  expect(() => load(beside)).toThrow(`DATABASE_URL: needed with ${name}`);
  expect(load({ ...beside, DATABASE_URL: "postgresql://innkey@db/innkey" }).databaseUrl).toContain("innkey@db");
});

it("refuses the console's own database for trial restores", () => {
  const main = "postgresql://innkey:secret@DB:5432/innkey";
  const owner = "postgresql://owner:secret@db.internal/innkey";
  const loadWithTrialUrl = (url: string) =>
    load({ DATABASE_URL: main, DATABASE_MIGRATION_URL: owner, BACKUP_VERIFY_DATABASE_URL: url }).backup.trialUrl;
  for (const own of [main, owner, "postgres://other@db/innkey", "postgresql://db/%69nnkey?host=db.internal"]) {
    expect(() => loadWithTrialUrl(own)).toThrow(/BACKUP_VERIFY_DATABASE_URL: is the console's own database/);
  }
  for (const other of ["postgresql://innkey@db/innkey_verify", "postgresql://innkey@db:5433/innkey"]) {
    expect(loadWithTrialUrl(other)).toBe(other);
  }
});
