import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";

/** Guests may be abroad, with a bad line and an old phone. */
const MAX_BYTES = 60_000;
const BUILD_MS = 60_000;
const GUEST = resolve(import.meta.dirname, "..");
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkey-guest-page-"));
  await build({
    configFile: join(GUEST, "vite.config.ts"),
    root: GUEST,
    logLevel: "warn",
    build: { outDir: directory, emptyOutDir: true },
  });
}, BUILD_MS);
afterAll(() => rmSync(directory, { recursive: true }));

it("loads at most 60 kB of HTML, CSS, script and texts, in any language", () => {
  const bytes = (path: string): number => readFileSync(join(directory, path)).length;
  const assets = readdirSync(join(directory, "assets"));
  const isText = (name: string): boolean =>
    /^(Arabic|French|German|Italian|Japanese|Korean|Portuguese|Russian|Spanish|chs|chsTW|en)-/.test(name);
  const texts = assets.filter(isText);
  expect(texts).toHaveLength(12);
  const code = assets.filter((name) => /\.(js|css)$/.test(name) && !isText(name));
  const sum = bytes("index.html") + code.reduce((total, name) => total + bytes(`assets/${name}`), 0);
  const longest = Math.max(...texts.map((name) => bytes(`assets/${name}`)));
  expect(sum).toBeGreaterThan(5_000);
  expect(sum + longest).toBeLessThan(MAX_BYTES);
});

it("has the texts of its own section alone", () => {
  const german = readdirSync(join(directory, "assets")).find((name) => name.startsWith("German-")) ?? "";
  const text = readFileSync(join(directory, "assets", german), "utf8");
  expect(text).toContain("Türcode");
  expect(text).not.toContain("Kartenleser");
});

it("loads nothing but texts after the document, in which one script and one style stand", () => {
  const html = readFileSync(join(directory, "index.html"), "utf8");
  const [before = "", script = "", after = ""] = html.split(/<script type="module">([\s\S]*)<\/script>/);
  expect(before + after).not.toMatch(/<script|\bstyle=|\bon\w+=|<link rel="stylesheet"/);
  expect(before + after).toMatch(/<style>[^<]+<\/style>/);
  expect(script).not.toContain("__VITE");
  const imports = [...script.matchAll(/import\([`"']([^`"']+)/g)].map(([, path = ""]) => path);
  expect(imports).toHaveLength(12);
  const assets = readdirSync(join(directory, "assets")).map((name) => `/assets/${name}`);
  expect(assets).toEqual(expect.arrayContaining(imports));
});
