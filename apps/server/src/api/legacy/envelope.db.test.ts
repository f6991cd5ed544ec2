import { createCipheriv } from "node:crypto";
import { describe, expect, it } from "vitest";
import { TEST_CIPHERS } from "../../../test/harness/server.ts";
import { decrypt, encrypt, type LegacyCipher, openEnvelope } from "./envelope.ts";

const seal = (cipher: LegacyCipher, value: unknown): string =>
  encrypt(cipher, JSON.stringify(value)).toString("base64");

describe("ciphers", () => {
  it("single DES matches the published vector", () => {
    // NIST SP 800-17, table A.1 with a zero IV: key 80…01, plain text 95F8A5E5DD31D900 → 8000000000000000.
    const cipher: LegacyCipher = { name: "des-cbc", key: Buffer.from("0101010101010101", "hex"), iv: Buffer.alloc(8) };
    const plain = Buffer.from("95F8A5E5DD31D900", "hex");
    const raw = createCipheriv("des-ede3-cbc", Buffer.concat([cipher.key, cipher.key, cipher.key]), cipher.iv);
    expect(raw.update(plain).toString("hex")).toBe("8000000000000000");
  });

  it.each(TEST_CIPHERS)("$name decrypts what it encrypted, in every length", (cipher) => {
    for (let length = 0; length < 40; length += 1) {
      const text = "é".repeat(length >> 1) + "x".repeat(length & 1);
      expect(decrypt(cipher, encrypt(cipher, text))).toBe(text);
    }
  });

  it.each(TEST_CIPHERS)("$name refuses invalid padding, like Node's own", (cipher) => {
    const good = encrypt(cipher, "x");
    expect(decrypt(cipher, good.subarray(0, good.length - 1))).toBeNull();
    expect(decrypt(cipher, Buffer.alloc(0))).toBeNull();
    const block = cipher.name === "des-cbc" ? 8 : 16;
    const [name, key] =
      cipher.name === "des-cbc"
        ? ["des-ede3-cbc", Buffer.concat([cipher.key, cipher.key, cipher.key])]
        : [cipher.name, cipher.key];
    for (const last of [[0], [block + 1], [1, 2], [255], [3, 2, 3]]) {
      const plain = Buffer.alloc(block, 9);
      plain.set(last, block - last.length);
      const sealed = createCipheriv(name, key, cipher.iv).setAutoPadding(false);
      expect(decrypt(cipher, Buffer.concat([sealed.update(plain), sealed.final()]))).toBeNull();
    }
  });
});

describe("an envelope", () => {
  it.each(TEST_CIPHERS)("is opened with the cipher that sealed it: $name", (cipher) => {
    const opened = openEnvelope(TEST_CIPHERS, seal(cipher, { a: 1, action: "manage" }));
    expect(opened).toEqual({ payload: { a: 1 }, cipher });
  });

  it.each([
    ["another action", { action: "admin" }],
    ["no action", {}],
    ["a list", ["manage"]],
    ["a text", "manage"],
    ["nothing", null],
  ])("with %s is refused", (_name, value) => {
    const [cipher] = TEST_CIPHERS;
    expect(cipher && openEnvelope(TEST_CIPHERS, seal(cipher, value))).toBeNull();
  });

  it("sealed with an unlisted key is refused", () => {
    const foreign: LegacyCipher = { name: "aes-256-cbc", key: Buffer.alloc(32, 9), iv: Buffer.alloc(16) };
    expect(openEnvelope(TEST_CIPHERS, seal(foreign, { action: "manage" }))).toBeNull();
  });

  it.each(["", "%%%", "AAAA", "A".repeat(4096), "é"])("that is malformed is refused: %s", (data) => {
    expect(openEnvelope(TEST_CIPHERS, data)).toBeNull();
  });
});
