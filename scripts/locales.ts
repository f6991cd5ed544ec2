// pnpm locales                       counts the texts that each language lacks
// pnpm locales missing [language]    prints the missing keys as JSON with the English texts, for a translator
// pnpm locales merge <file>          merges such a JSON with translations, keeping the English order
import { readFileSync } from "node:fs";
import { LANGUAGES, type LanguageCode } from "../packages/shared/src/languages.ts";
import { expectedTexts, readTexts, writeTexts } from "./lib/locale-files.ts";

const [command, argument] = process.argv.slice(2);
const english = readTexts("en");
const others = LANGUAGES.map(({ code }) => code).filter((code) => code !== "en");

function missing(code: LanguageCode): Record<string, string> {
  const texts = readTexts(code);
  return Object.fromEntries([...expectedTexts(english, code)].filter(([key]) => !texts.has(key)));
}

function merge(path: string): void {
  const translated = JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, string>>;
  for (const [name, added] of Object.entries(translated)) {
    const code = others.find((other) => other === name);
    if (!code) throw new Error(`${name} is not one of ${others.join(", ")}`);
    const expected = expectedTexts(english, code);
    const strangers = Object.keys(added).filter((key) => !expected.has(key));
    if (strangers.length > 0) console.error(`${code}: not in English, left out: ${strangers.join(", ")}`);
    writeTexts(code, new Map([...readTexts(code), ...Object.entries(added)]));
    console.log(
      `${code}: ${Object.keys(added).length - strangers.length} taken, ${Object.keys(missing(code)).length} missing`,
    );
  }
}

if (command === "merge" && argument) merge(argument);
else if (command === "missing") {
  const codes = others.filter((code) => !argument || code === argument);
  console.log(JSON.stringify(Object.fromEntries(codes.map((code) => [code, missing(code)])), null, 2));
} else {
  for (const code of others) {
    console.log(`${code}: ${Object.keys(missing(code)).length} of ${expectedTexts(english, code).size} missing`);
  }
}
