import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fieldMessages } from "@innkey/shared/errors";
import * as auth from "@innkey/shared/schemas/identity/auth";
import { secondFactorInput } from "@innkey/shared/schemas/identity/two-step";
import { expect, it } from "vitest";
import type { z } from "zod";
import { localePart } from "../../locale-parts.ts";
import { addTexts, type Branch, createTexts } from "./texts.ts";

const SOURCES = resolve(import.meta.dirname, "..");
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^;"]*?\sfrom\s+)?"([^"]+)";/gm;
const english = JSON.parse(readFileSync(resolve(SOURCES, "../../../locales/en.json"), "utf8")) as Branch;

function fileOf(specifier: string, from: string): string | undefined {
  const path = specifier.startsWith("@/") ? join(SOURCES, specifier.slice(2)) : resolve(dirname(from), specifier);
  return /\.tsx?$/.test(path) && existsSync(path) ? path : undefined;
}

/** Returns the files that these pages load at once, without dynamic imports. */
function filesOf(...pages: string[]): Set<string> {
  const keys = new Set<string>();
  const waiting = pages.map((page) => join(SOURCES, page));
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (keys.has(path) || path.endsWith("routeTree.gen.ts")) continue;
    keys.add(path);
    for (const [, specifier = ""] of readFileSync(path, "utf8").matchAll(IMPORT)) {
      const file = fileOf(specifier, path);
      if (file) waiting.push(file);
    }
  }
  return keys;
}

/** Finds `t("room.online")` and ``t(`status.${status}`)``; of the latter, the part before the placeholder. */
function textsOf(path: string): string[] {
  const matches = readFileSync(path, "utf8").matchAll(/\bt\(\s*["`]([\w.]+)|(?:labelKey|titleKey): "([\w.]+)"/g);
  return [...matches].map(([, called, section]) => called ?? section ?? "");
}

it("loads the board's texts without those of other pages", () => {
  const texts = createTexts("en");
  addTexts(texts, localePart(english, "first"));
  const there = JSON.stringify(localePart(english, "first"));
  const lacking: string[] = [];
  const files = filesOf("main.tsx", "routes/__root.tsx", "routes/_app.tsx", "routes/_app/room/index.tsx");
  expect(files.size).toBeGreaterThan(50);
  for (const path of files) {
    for (const key of textsOf(path)) {
      const [section = ""] = key.split(".");
      const exists = key.endsWith(".") ? there.includes(`"${section}":`) : texts.exists(key, { count: 2 });
      if (!exists) lacking.push(`${key} in ${path.slice(SOURCES.length + 1)}`);
    }
  }
  expect(lacking).toEqual([]);
});

it("includes the field errors of the login pages in their part", () => {
  const texts = createTexts("en");
  addTexts(texts, localePart(english, "first"));
  const { setupInput, changePasswordInput, resetPasswordInput, sendRecoveryCodeInput, loginInput } = auth;
  const forms: z.ZodType[] = [
    ...[setupInput, changePasswordInput, resetPasswordInput, sendRecoveryCodeInput, loginInput],
    secondFactorInput,
  ];
  const wrong = [undefined, null, "", " ", "a", "@", "1".repeat(3000), -1, 1e9, [], {}];
  const messageKeys = forms.flatMap((form) => {
    const names = Object.keys(fieldMessages(form.safeParse({}).error?.issues ?? []));
    const inputs = wrong.map((value) => Object.fromEntries(names.map((name) => [name, value])));
    return inputs.flatMap((input) => Object.values(fieldMessages(form.safeParse(input).error?.issues ?? [])));
  });
  const keys = [...new Set(messageKeys.map(({ key }) => key))];
  expect(keys.length).toBeGreaterThan(5);
  expect(keys.filter((key) => !texts.exists(key, { max: 1, min: 1 }))).toEqual([]);
});

it("covers every text", () => {
  const parts = ["first", "rest", "guest"] as const;
  expect(Object.assign({}, ...parts.map((part) => localePart(english, part)))).toEqual(english);
  const { guestPage: _elsewhere, ...console } = english;
  expect(localePart(english, "all")).toEqual(console);
});
