import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

it("docs/operators/settings.md names every setting, and none that does not exist", () => {
  const settings = [...read("apps/server/src/config.ts").matchAll(/^ {2}([A-Z][A-Z0-9_]+): z/gm)].map(
    ([, name]) => name,
  );
  const described = new Set(
    [...read("docs/operators/settings.md").matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)(?:=[^`]*)?`/g)].map(
      ([, name]) => name,
    ),
  );
  expect(settings.filter((name) => !described.has(name))).toEqual([]);
  expect([...described].filter((name) => name !== "NAME_FILE" && !settings.includes(name))).toEqual([]);
});
