import { createHash, pbkdf2Sync } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeSecretFiles } from "./secret-files.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "innkey-secrets-"));
  writeSecretFiles(root);
});
afterEach(() => rmSync(root, { recursive: true }));

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const files = (): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
const contents = () => Object.fromEntries(files().map((path) => [path, readFileSync(path, "utf8")]));

it("makes long random secrets, different for each installation", () => {
  const passwords = files().filter((path) => /password|token|secret-key$/.test(path));
  expect(passwords.length).toBe(9);
  const values = passwords.map((path) => readFileSync(path, "utf8"));
  for (const value of values) expect(value).toMatch(/^[0-9a-f]{48,64}$/);
  expect(new Set(values).size).toBe(values.length);
  const first = contents();
  rmSync(root, { recursive: true });
  writeSecretFiles(root);
  const second = contents();
  expect(Object.keys(second)).toEqual(Object.keys(first));
  for (const path of files()) expect(second[path]).not.toBe(first[path]);
});

it("keeps existing secrets unchanged", () => {
  const before = contents();
  writeSecretFiles(root);
  expect(contents()).toEqual(before);
});

it("rewrites derived files when a secret is replaced", () => {
  rmSync(join(root, "postgres/server-password"));
  writeFileSync(join(root, "postgres/server-password"), "from elsewhere\n");
  writeSecretFiles(root);
  expect(read("server/database-url")).toBe("postgresql://innkey:from elsewhere@postgres:5432/innkey");
  expect(read("server/verify-database-url")).toBe("postgresql://innkey:from elsewhere@postgres:5432/innkey_verify");
});

it("refuses an empty secret instead of replacing it", () => {
  rmSync(join(root, "server/secret-key"));
  writeFileSync(join(root, "server/secret-key"), "");
  expect(() => writeSecretFiles(root)).toThrow(/secret-key is empty/);
});

it("makes our own secrets readable to our user only", () => {
  for (const path of files()) {
    const forOthers = /\/(postgres|redis|store)\//.test(path);
    expect([path, statSync(path).mode & 0o077]).toEqual([path, forOthers ? 0o044 : 0]);
  }
});

it("gives Redis and the broker password hashes", () => {
  const password = read("server/redis-password");
  expect(read("redis/users.acl")).toContain(`#${createHash("sha256").update(password).digest("hex")} `);
  expect(read("redis/users.acl")).not.toContain(password);
  const { clients } = JSON.parse(read("mosquitto/dynamic-security.json"));
  const [server] = clients;
  const salt = Buffer.from(server.salt, "base64");
  const hash = pbkdf2Sync(read("server/mqtt-password"), salt, server.iterations, 64, "sha512");
  expect(server.password).toBe(hash.toString("base64"));
});
