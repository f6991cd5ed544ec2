import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { legacyCiphers, weakCiphers } from "../../src/api/legacy/envelope.ts";

const folder = mkdtempSync(join(tmpdir(), "innkey-legacy-"));
afterAll(() => rmSync(folder, { recursive: true }));
const keyFile = join(folder, "legacy-key");
const DES = { LEGACY_CIPHER: "des-cbc", LEGACY_KEY: "0123456789abcdef", LEGACY_IV: "FEDCBA9876543210" };

describe("the ciphers of old clients", () => {
  it("are a strong generated pair without settings, stay the same at the next start, and only their owner can read them", () => {
    const [first] = legacyCiphers({ LEGACY_STRICT: true }, keyFile);
    expect(first).toMatchObject({ name: "aes-256-cbc" });
    expect([first?.key.length, first?.iv.length]).toEqual([32, 16]);
    expect(legacyCiphers({ LEGACY_STRICT: true }, keyFile)).toEqual([first]);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  });

  it("are the configured ones in their order, and no others when strict", () => {
    const set = {
      LEGACY_CIPHER: "aes-128-cbc, des-cbc",
      LEGACY_KEY: `${"ab".repeat(16)},${DES.LEGACY_KEY}`,
      LEGACY_IV: `${"cd".repeat(16)},${DES.LEGACY_IV}`,
    };
    expect(legacyCiphers({ ...set, LEGACY_STRICT: true }, keyFile).map(({ name }) => name)).toEqual([
      "aes-128-cbc",
      "des-cbc",
    ]);
    const open = legacyCiphers({ ...DES, LEGACY_STRICT: false }, keyFile);
    expect(open.map(({ name }) => name)).toEqual(["des-cbc", "aes-256-cbc"]);
    expect(weakCiphers(open)).toEqual(["des-cbc"]);
  });

  it.each([
    ["an unknown cipher", { ...DES, LEGACY_CIPHER: "rot13" }, /LEGACY_CIPHER: rot13/],
    ["a short key", { ...DES, LEGACY_KEY: "01" }, /LEGACY_KEY: 16 hex digits/],
    ["an IV that is not hexadecimal", { ...DES, LEGACY_IV: "z".repeat(16) }, /LEGACY_IV: 16 hex digits/],
    ["a key without a cipher", { LEGACY_KEY: "01" }, /belong together/],
    ["fewer keys than ciphers", { ...DES, LEGACY_CIPHER: "des-cbc,aes-256-cbc" }, /belong together/],
  ])("stop the start with the setting's name for %s", (_name, set, reason) => {
    expect(() => legacyCiphers({ ...set, LEGACY_STRICT: true }, keyFile)).toThrow(reason);
  });

  it("are not replaced when their file is damaged", () => {
    const damaged = join(folder, "damaged");
    writeFileSync(damaged, "x");
    expect(() => legacyCiphers({ LEGACY_STRICT: true }, damaged)).toThrow(/damaged/);
    expect(readFileSync(damaged, "utf8")).toBe("x");
  });
});

it("the command prints the settings for clients that the server uses", () => {
  const script = fileURLToPath(new URL("../../src/cli/show-legacy-key.ts", import.meta.url));
  const dataDir = join(folder, "data");
  const env = { ...process.env, DATA_DIR: dataDir };
  const lines = execFileSync(process.execPath, ["--import", "tsx", script], { env, encoding: "utf8" }).split("\n");
  const [cipher] = legacyCiphers({ LEGACY_STRICT: true }, join(dataDir, "legacy-key"));
  expect(lines.slice(0, 3)).toEqual([
    "LEGACY_CIPHER=aes-256-cbc",
    `LEGACY_KEY=${Buffer.from(cipher?.key ?? []).toString("hex")}`,
    `LEGACY_IV=${Buffer.from(cipher?.iv ?? []).toString("hex")}`,
  ]);
});
