import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import {
  chunkOf,
  FORM_PACKAGES,
  FRAME_PACKAGES,
  isLight,
  pathOf,
  TABLE_PACKAGES,
  TABLE_SOURCES,
} from "../../chunks.ts";

const INSTALLED = readdirSync(resolve(import.meta.dirname, "../../../../node_modules/.pnpm/node_modules"), {
  withFileTypes: true,
}).flatMap(({ name }) =>
  name.startsWith("@")
    ? readdirSync(resolve(import.meta.dirname, "../../../../node_modules/.pnpm/node_modules", name)).map((part) =>
        join(name, part),
      )
    : [name],
);

it("the rules of what shares a file name only packages, folders and files that exist", () => {
  const packages = [...FRAME_PACKAGES, ...FORM_PACKAGES, ...TABLE_PACKAGES];
  expect(packages.filter((start) => !INSTALLED.some((installed) => installed.startsWith(start)))).toEqual([]);
  expect(TABLE_SOURCES.filter((source) => !existsSync(pathOf(source)))).toEqual([]);
});

it("the file of a module follows from who needs it and from what it needs", () => {
  const source = (path: string): string => pathOf(`./src/${path}`);
  const page = (path: string): string => `${source(`routes/${path}`)}?tsr-split=component`;
  const forms = "/x/node_modules/.pnpm/react-hook-form@7/node_modules/react-hook-form/index.mjs";
  const pages = ["a", "b", "c"].map((name) => page(`_app/${name}.tsx`));
  const imports: Record<string, string[]> = {
    [page("_app.tsx")]: [source("shell/navbar.tsx")],
    [page("_app/room/index.tsx")]: [source("features/board/board-cards.tsx"), source("entities/room/room-link.tsx")],
    [page("_app/room/thetouristsDetails.tsx")]: [source("entities/room/room-link.tsx"), source("features/x/own.tsx")],
    ...Object.fromEntries(pages.map((name) => [name, [source("ui/chart.tsx"), source("ui/field.tsx")]])),
    [source("ui/field.tsx")]: [forms],
  };
  const entries = Object.keys(imports).filter((id) => id.includes("?"));
  const getModuleInfo = (id: string) => ({
    importedIds: imports[id] ?? [],
    dynamicallyImportedIds: id === source("main.tsx") ? entries : [],
  });
  const fileOf = (path: string): string | null => chunkOf(source(path), getModuleInfo);
  expect(fileOf("shell/navbar.tsx")).toBe("frame");
  expect(fileOf("features/board/board-cards.tsx")).toBe("board");
  expect(fileOf("entities/room/room-link.tsx")).toBe("frame");
  expect(fileOf("ui/chart.tsx")).toBe("common");
  expect(fileOf("ui/field.tsx")).toBe("forms");
  expect(chunkOf(forms, getModuleInfo)).toBe("forms");
  expect(fileOf("features/x/own.tsx")).toBe("guest");
  expect(fileOf("features/x/other.tsx")).toBeNull();
  expect(isLight(source("ui/chart.tsx"), getModuleInfo)).toBe(true);
  expect(isLight(source("ui/field.tsx"), getModuleInfo)).toBe(false);
});
