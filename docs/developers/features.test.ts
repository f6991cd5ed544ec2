import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * docs/developers/features.md says for each line of the specification where it is found and which tests show it. This compares the
 * page with the sources: places and screens exist, tests run under the names given, and no screen or browser test is missing.
 */
const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = read("docs/developers/features.md");
const SECTIONS = [
  "1. What the product does and for whom",
  "2. Screens and routes",
  "3. Entities and their fields",
  "4. States and transitions",
  "5. Validation rules",
  "6. Roles and permissions",
  "7. The calls it makes",
  "8. Error catalogue",
  "9. Business constants and limits",
];

interface Row {
  line: string;
  where: string;
  tests: string[];
}

const inBackticks = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);

const ENTRY = /^- \*\*(?<line>.+)\*\* \((?<where>.*)\)$/;

/** The entries of the page: `- **line** (where)`, each followed by its tests as `  - \`file › title\``. */
const rows: Row[] = page.split(/^(?=- )/m).flatMap((text) => {
  const [first = "", ...rest] = text.split("\n");
  const { line, where } = ENTRY.exec(first)?.groups ?? {};
  if (line === undefined || where === undefined) return [];
  const shown = rest.filter((one) => one.startsWith("  - "));
  return [{ line, where, tests: inBackticks(shown.join("\n")) }];
});

const places = [...new Set(rows.flatMap(({ where }) => inBackticks(where)))];
const screens = new Set(places.filter((place) => place.startsWith("/")).map((place) => place.replace(/[?#].*$/, "")));
const tests = [...new Set(rows.flatMap((row) => row.tests))].map((test) => {
  const [file = "", title = ""] = test.split(" › ");
  return { file, title };
});

const tree = read("apps/web/src/routeTree.gen.ts");
const routes = [...(/interface FileRoutesByTo \{([^}]*)\}/.exec(tree)?.[1] ?? "").matchAll(/"(\/[^"]*)":/g)].map(
  ([, path = ""]) => path,
);

/** What is called before this bracket: `it`, or `it.each` of `it.each([…])(`. */
function calledAt(source: string, bracket: number): string {
  let at = bracket;
  if (source[at - 1] === ")") {
    for (let depth = 1, from = at - 2; from >= 0; from -= 1) {
      if (source[from] === ")") depth += 1;
      if (source[from] === "(") depth -= 1;
      if (depth === 0) {
        at = from;
        break;
      }
    }
  }
  return /[\w.]*$/.exec(source.slice(Math.max(0, at - 60), at))?.[0] ?? "";
}

/** Whether the file has a test that runs under the title; a skipped one shows nothing. */
function runs({ file, title }: { file: string; title: string }): boolean {
  if (title === "" || !existsSync(join(root, file))) return false;
  const source = read(file);
  const made = [...source.matchAll(/const (\w+) = test\.extend\b/g)].map(([, name = ""]) => name);
  for (const quote of ['"', "`"]) {
    const text = `${quote}${title}${quote},`;
    for (let at = source.indexOf(text); at >= 0; at = source.indexOf(text, at + 1)) {
      const bracket = source.slice(0, at).trimEnd().length - 1;
      const [name = "", ...rest] = source[bracket] === "(" ? calledAt(source, bracket).split(".") : [];
      const skipped = rest.some((word) => !["each", "for", "concurrent", "sequential"].includes(word));
      if (["it", "test", ...made].includes(name) && !skipped) return true;
    }
  }
  return false;
}

describe("the page of features", () => {
  it("has the specification's sections, and rows in each", () => {
    const parts = page.split(/^## /m).slice(1);
    const filled = parts.filter((part) => part.includes("\n- **") && part.includes(" › "));
    expect(filled.map((part) => part.split("\n")[0]).slice(0, SECTIONS.length)).toEqual(SECTIONS);
  });

  it("names a place and a test for every line", () => {
    expect(rows.length).toBeGreaterThan(250);
    const bare = rows.filter(({ line, where, tests: shown }) => line === "" || where === "" || shown.length === 0);
    expect(bare).toEqual([]);
  });

  it("leads to screens and sources that exist", () => {
    expect([...screens].filter((path) => !routes.includes(path))).toEqual([]);
    expect(places.filter((place) => !place.startsWith("/") && !existsSync(join(root, place)))).toEqual([]);
  });

  it("points at tests that exist and run", () => {
    expect(tests.filter((test) => !runs(test))).toEqual([]);
  });

  it("leaves no screen out", () => {
    expect(routes.length).toBeGreaterThan(50);
    expect(routes.filter((path) => !screens.has(path))).toEqual([]);
  });

  it("leaves no browser test out", () => {
    const named = new Set(tests.map(({ file }) => file));
    const specs = ["e2e", "e2e/acts"].flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((file) => file.endsWith(".spec.ts"))
        .map((file) => `${folder}/${file}`),
    );
    expect(specs.length).toBeGreaterThan(30);
    expect(specs.filter((file) => !named.has(file))).toEqual([]);
  });
});
