import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { cn } from "./cn.ts";

const tokens = readFileSync(new URL("../styles/tokens.css", import.meta.url), "utf8");
const namesOf = (group: string) =>
  [...tokens.matchAll(new RegExp(`--${group}-(\\w[\\w-]*?):`, "g"))].map(([, name = ""]) => name);

it("keeps the later of two classes that set the same property", () => {
  expect(cn("p-2 text-sm hover:bg-hover", "px-4 text-lg", false, "hover:bg-card")).toBe(
    "p-2 px-4 text-lg hover:bg-card",
  );
});

it("knows the console's own shadows, colours and sizes", () => {
  const shadows = namesOf("shadow").filter((name) => name !== "tint");
  expect(shadows.length).toBeGreaterThan(2);
  for (const name of shadows) expect(cn(`shadow-${name} shadow-none`)).toBe("shadow-none");
  for (const name of namesOf("color"))
    expect(cn("text-sm bg-card", `text-${name}`)).toBe(`text-sm bg-card text-${name}`);
  for (const name of namesOf("radius")) expect(cn(`rounded-full rounded-${name}`)).toBe(`rounded-${name}`);
});
