import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { STYLE_HASHES } from "./site-protection.ts";

const fromWeb = createRequire(fileURLToPath(new URL("../../../../web/package.json", import.meta.url)));
const fromRadix = createRequire(fromWeb.resolve("radix-ui"));
const moduleText = (path: string): string => readFileSync(path.replace(/\.c?js$/, ".mjs"), "utf8");
const sha256 = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** Returns the CSS that `pattern` captures in a package's module. @throws Error if it captures none */
function styleOf(path: string, pattern: RegExp): string {
  const style = pattern.exec(moduleText(path))?.[1];
  if (style === undefined) throw new Error(`${path} brings no style any more: drop its hash`);
  return style;
}

it("lets the page parse only the select's style as HTML", () => {
  const boot = readFileSync(fileURLToPath(new URL("../../../../web/src/boot/boot.ts", import.meta.url)), "utf8");
  const listStyle = /LIST_STYLE =\s*"([^"]+)"/.exec(boot)?.[1];
  expect(listStyle).toBe(styleOf(fromRadix.resolve("@radix-ui/react-select"), /__html: `([^`]*)`/));
});

it("disables code generation in zod before zod is loaded", () => {
  const boot = readFileSync(fileURLToPath(new URL("../../../../web/src/boot/boot.ts", import.meta.url)), "utf8");
  const zod = readFileSync(fromWeb.resolve("zod/v4/core").replace(/index\.c?js$/, "core.js"), "utf8");
  expect(boot).toContain("__zod_globalConfig = { jitless: true }");
  expect(zod).toContain("globalThis).__zod_globalConfig ??");
});

it("contains the hashes of the style elements of the installed packages", () => {
  const toasts = JSON.parse(`"${styleOf(fromWeb.resolve("sonner"), /__insertCSS\("((?:[^"\\]|\\.)*)"\)/)}"`) as string;
  const select = styleOf(fromRadix.resolve("@radix-ui/react-select"), /__html: `([^`]*)`/);
  expect(STYLE_HASHES).toEqual([sha256(""), sha256(toasts), sha256(select)]);
});
