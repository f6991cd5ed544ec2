import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { CHUNKS, chunkGroups, pathOf } from "../../chunks.ts";

const INSTALLED = readdirSync(resolve(import.meta.dirname, "../../../../node_modules/.pnpm/node_modules"), {
  withFileTypes: true,
}).flatMap(({ name }) =>
  name.startsWith("@")
    ? readdirSync(resolve(import.meta.dirname, "../../../../node_modules/.pnpm/node_modules", name)).map((part) =>
        join(name, part),
      )
    : [name],
);

it("the lists of what shares a file name only packages, folders and files that exist", () => {
  const missing = CHUNKS.flatMap(({ name, packages = [], sources = [], except = [] }) =>
    [
      ...packages.filter((start) => !INSTALLED.some((installed) => installed.startsWith(start))),
      ...[...sources, ...except].filter((source) => !existsSync(pathOf(source))),
      ...except.filter((source) => !sources.some((folder) => folder.endsWith("/") && source.startsWith(folder))),
    ].map((entry) => `${name}: ${entry}`),
  );
  expect(missing).toEqual([]);
});

it("a module is found by its package, its folder or its file", () => {
  const chunkOf = (id: string): string | undefined =>
    chunkGroups.find(
      ({ name, ...group }) =>
        CHUNKS.some((chunk) => chunk.name === name) &&
        "test" in group &&
        typeof group.test === "function" &&
        group.test(id),
    )?.name;
  expect(chunkOf("/x/node_modules/.pnpm/cmdk@1.1.1/node_modules/cmdk/dist/index.mjs")).toBe("overlays");
  expect(chunkOf(`${pathOf("features/board/")}board-cards.tsx?tsr-split=component`)).toBe("board");
  expect(chunkOf(`${pathOf("features/board/")}board-table.tsx`)).toBeUndefined();
  expect(chunkOf(pathOf("@innkey/shared/schemas/fields.ts"))).toBe("forms");
});
