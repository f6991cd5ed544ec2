import { loadConfig } from "../config.ts";

// Prints the cipher settings for clients of the compatibility layer. The output is secret.
try {
  const { legacyCiphers } = loadConfig(process.env, []);
  if (legacyCiphers === null) throw new Error("The compatibility layer is off (LEGACY=off).");
  for (const { name, key, iv } of legacyCiphers) {
    console.log(`LEGACY_CIPHER=${name}`);
    console.log(`LEGACY_KEY=${Buffer.from(key).toString("hex")}`);
    console.log(`LEGACY_IV=${Buffer.from(iv).toString("hex")}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
