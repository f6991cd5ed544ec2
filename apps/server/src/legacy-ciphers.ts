import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { LEGACY_CIPHERS, type LegacyCipher, type LegacyCipherName } from "./api/legacy/ciphers.ts";

/** The settings of the compatibility layer's envelope. */
export interface LegacySettings {
  LEGACY_CIPHER?: string | undefined;
  LEGACY_KEY?: string | undefined;
  LEGACY_IV?: string | undefined;
  LEGACY_STRICT: boolean;
}

const GENERATED = "aes-256-cbc";
const HEX = /^[0-9a-f]*$/i;

/**
 * Returns the ciphers that open envelopes. Several may be set, separated by commas, with keys and IVs in the same
 * order, for two kinds of clients or a change of keys. Unless LEGACY_STRICT is set, the generated key works too.
 * @throws Error that names the invalid setting
 */
export function legacyCiphers(set: LegacySettings, keyFile: string): LegacyCipher[] {
  const listed = listedCiphers(set);
  if (listed.length === 0) return [generatedCipher(keyFile)];
  return set.LEGACY_STRICT ? listed : [...listed, generatedCipher(keyFile)];
}

/** Returns the weak ciphers in use, so that the server can warn about "des-cbc". */
export function weakCiphers(ciphers: readonly LegacyCipher[]): LegacyCipherName[] {
  return ciphers.filter(({ name }) => name === "des-cbc").map(({ name }) => name);
}

const parts = (value: string | undefined): string[] =>
  value === undefined ? [] : value.split(",").map((p) => p.trim());

function listedCiphers({ LEGACY_CIPHER, LEGACY_KEY, LEGACY_IV }: LegacySettings): LegacyCipher[] {
  const [names, keys, ivs] = [parts(LEGACY_CIPHER), parts(LEGACY_KEY), parts(LEGACY_IV)];
  if (names.length !== keys.length || names.length !== ivs.length) {
    throw new Error("LEGACY_CIPHER, LEGACY_KEY and LEGACY_IV belong together: set all three, each with as many parts");
  }
  return names.map((name, index) => {
    if (!isCipher(name)) throw new Error(`LEGACY_CIPHER: ${name} is none of ${Object.keys(LEGACY_CIPHERS).join(", ")}`);
    const { keyBytes, ivBytes } = LEGACY_CIPHERS[name];
    return { name, key: bytesOf("LEGACY_KEY", keys[index], keyBytes), iv: bytesOf("LEGACY_IV", ivs[index], ivBytes) };
  });
}

const isCipher = (name: string): name is LegacyCipherName => Object.hasOwn(LEGACY_CIPHERS, name);

function bytesOf(setting: string, hex: string | undefined, bytes: number): Buffer {
  if (hex === undefined || hex.length !== bytes * 2 || !HEX.test(hex)) {
    throw new Error(`${setting}: ${bytes * 2} hex digits are needed`);
  }
  return Buffer.from(hex, "hex");
}

/** Returns the key and IV created on the first start and stored with the other secrets. */
function generatedCipher(keyFile: string): LegacyCipher {
  const { keyBytes, ivBytes } = LEGACY_CIPHERS[GENERATED];
  if (!existsSync(keyFile)) {
    const pair = `${randomBytes(keyBytes).toString("hex")} ${randomBytes(ivBytes).toString("hex")}\n`;
    writeFileSync(keyFile, pair, { mode: 0o600, flag: "wx" });
  }
  const [key, iv] = readFileSync(keyFile, "utf8").trim().split(/\s+/);
  try {
    return { name: GENERATED, key: bytesOf("key", key, keyBytes), iv: bytesOf("IV", iv, ivBytes) };
  } catch {
    throw new Error(`${keyFile} is damaged: it must hold a key and an IV in hex. Put the saved one back.`);
  }
}
