import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { extendTailwindMerge } from "tailwind-merge";
import { describe, expect, it } from "vitest";
import { cn } from "./cn.ts";

const SOURCES = join(import.meta.dirname, "..");
const STRING = /"([^"\n]*)"|`([^`]*)`/g;
const VARIANTS = /^(?:[a-z0-9@*_<>()=.&-]+(?:\[[^\]]*\])?:|\[[^\]]*\]:)+/;

const whole = extendTailwindMerge({
  extend: { classGroups: { shadow: [{ shadow: ["card", "float", "dialog"] }] } },
});

/** Returns every class in the sources without its variants, because `hover:bg-hover` behaves like `bg-hover`. */
function classes(): string[] {
  const found = new Set<string>();
  for (const path of readdirSync(SOURCES, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".tsx") && !path.endsWith("-style.ts")) continue;
    for (const [, plain, template] of readFileSync(join(SOURCES, path), "utf8").matchAll(STRING))
      for (const word of (plain ?? template ?? "").split(/\s+/)) found.add(word.replace(VARIANTS, ""));
  }
  // tailwind-merge knows a class if it merges the class with itself.
  return [...found].filter((word) => /^[-a-z]/.test(word) && whole(`${word} ${word}`) === word && !/[{}$"]/.test(word));
}

describe("classes of the sources", () => {
  const all = classes();

  it("are all there", () => expect(all.length).toBeGreaterThan(250));

  it("are merged as the library's own list merges them: else name their property in cn.ts", () => {
    const wrong = all.flatMap((first) =>
      all
        .filter((second) => second !== first && whole(`${first} ${second}`) !== cn(first, second))
        .map((second) => `${first} ${second}`),
    );
    expect(wrong.slice(0, 60)).toEqual([]);
  });
});
