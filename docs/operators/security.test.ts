import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";

/** Checks docs/operators/security.md and its table of requirements against the standard's list and against the source tree. */
const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = read("docs/operators/security.md");
const table = read("docs/operators/security-requirements.csv");

/** How many requirements of levels 1 and 2 each section has. Source: OWASP ASVS 5.0.0; they come first in every section. */
const SECTIONS: Record<string, number> = {
  ...{ "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1, "3.2": 2, "3.3": 4 },
  ...{ "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4, "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3 },
  ...{ "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5 },
  ...{
    "7.5": 2,
    "7.6": 2,
    "8.1": 2,
    "8.2": 3,
    "8.3": 1,
    "8.4": 1,
    "9.1": 3,
    "9.2": 4,
    "10.1": 2,
    "10.2": 2,
    "10.3": 4,
  },
  ...{ "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3, "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1 },
  ...{ "12.1": 3, "12.2": 2, "12.3": 4, "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3 },
  ...{ "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4 },
  "17.3": 2,
};
const required = Object.entries(SECTIONS).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, index) => `v5.0.0-${section}.${index + 1}`),
);

const requirements = parse<{ requirement: string; asks: string; status: string; answer: string }>(table, {
  columns: true,
});

const named = [...`${page}\n${table}`.matchAll(/`([\w./-]+\/[\w./-]+)( › ([^`]+))?`/g)]
  .map(([, path = "", , title]) => ({ path, title }))
  .filter(({ path }) => /^(apps|packages|prisma|scripts|docs|e2e|deploy)\//.test(path));

describe("the table of requirements", () => {
  it("has each requirement of levels 1 and 2 once", () => {
    expect(required).toHaveLength(253);
    expect(requirements.map(({ requirement }) => requirement)).toEqual(required);
  });

  it("answers each one and gives its status", () => {
    for (const { requirement, asks, status, answer } of requirements) {
      expect(asks, requirement).not.toBe("");
      expect(answer, requirement).not.toBe("");
      expect(["met", "partly met", "gap", "not applicable"], requirement).toContain(status);
    }
  });

  it("doesn't call a requirement met while its answer names a gap", () => {
    const contradictions = requirements.filter(({ status, answer }) => status === "met" && /\bgap\b/.test(answer));
    expect(contradictions).toEqual([]);
  });
});

describe("what is named", () => {
  it("is there", () => {
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ path }) => !existsSync(join(root, path))).map(({ path }) => path)).toEqual([]);
  });

  it("runs under its name, where it is a test", () => {
    const titles = named.filter(({ title }) => title !== undefined);
    const missing = titles.filter(({ path, title = "" }) => {
      const source = read(path);
      return ![`"${title}"`, `'${title}'`, `\`${title}\``].some((quoted) => source.includes(`(${quoted}`));
    });
    expect(missing.map(({ path, title }) => `${path} › ${title}`)).toEqual([]);
  });

  it("is linked to what exists", () => {
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => text.toLowerCase().replaceAll(" ", "-"));
    const broken = [...page.matchAll(/\]\(([^)]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) =>
        target.startsWith("#")
          ? !headings.includes(target.slice(1))
          : !existsSync(join(root, "docs/operators", target)),
      );
    expect(broken).toEqual([]);
  });
});
