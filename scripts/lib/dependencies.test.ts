import { describe, expect, it } from "vitest";
import { productionPackages } from "./dependencies.mjs";
import { licenceAllowed, licenceOf, lockfileProblems, openAdvisories, scriptProblems } from "./dependency-rules.mjs";

describe("the packages of production", () => {
  it("are found through the lock file, without those for building and testing", () => {
    const lock = {
      importers: {
        "apps/server": {
          dependencies: { a: { version: "1.0.0(p@2.0.0)" } },
          devDependencies: { t: { version: "9.0.0" } },
        },
        "apps/web": { dependencies: { "@innkey/shared": { version: "link:../../packages/shared" } } },
      },
      snapshots: {
        "a@1.0.0(p@2.0.0)": { dependencies: { b: "1.1.0", prisma: "7.0.0" } },
        "b@1.1.0": { optionalDependencies: { "@s/c": "3.0.0" }, dependencies: { a: "1.0.0(p@2.0.0)" } },
        "@s/c@3.0.0": {},
        "prisma@7.0.0": {},
        "t@9.0.0": {},
      },
    };
    expect(productionPackages(lock)).toEqual(["@s/c@3.0.0", "a@1.0.0", "b@1.1.0"]);
  });
});

describe("rules for dependencies", () => {
  it.each([
    ["MIT", true],
    ["(MIT OR GPL-3.0)", true],
    ["MIT AND Zlib", true],
    ["GPL-3.0", false],
    ["MIT AND GPL-3.0", false],
    ["LGPL-3.0-or-later", false],
    ["none", false],
  ])("licence %s: %s", (licence, allowed) => expect(licenceAllowed("some-package", licence)).toBe(allowed));

  it("accepts other terms only for the package that they were reviewed for", () => {
    expect(licenceAllowed("@img/sharp-libvips-linux-x64", "LGPL-3.0-or-later")).toBe(true);
    expect(licenceAllowed("@other/libvips", "LGPL-3.0-or-later")).toBe(false);
  });

  it("reads licences in the notation of old manifests", () => {
    expect(licenceOf({ licenses: [{ type: "MIT" }, { type: "GPL-2.0" }] })).toBe("MIT OR GPL-2.0");
    expect(licenceOf({ license: { type: "ISC" } })).toBe("ISC");
    expect(licenceOf({})).toBe("none");
  });

  it("finds packages without a hash or from another source", () => {
    const packages = {
      good: { resolution: { integrity: "sha512-x" } },
      bare: { resolution: {} },
      weak: { resolution: { integrity: "sha1-x" } },
      far: { resolution: { tarball: "https://example.test/x.tgz", integrity: "sha512-x" } },
      git: { resolution: { type: "git", repo: "x", commit: "y" } },
    };
    expect(lockfileProblems({ packages }).map((one: string) => one.split(" ")[0])).toEqual([
      "bare",
      "weak",
      "far",
      "git",
    ]);
  });

  it("finds install scripts that nobody has reviewed", () => {
    const manifests = new Map([
      ["a", { name: "a", version: "1.0.0", scripts: { postinstall: "x" } }],
      ["b", { name: "b", version: "1.0.0", scripts: { install: "x" } }],
      ["c", { name: "c", version: "1.0.0", scripts: { test: "x" } }],
    ]);
    expect(scriptProblems(manifests, { b: false })).toEqual(["a@1.0.0 wants to run a script on installation"]);
  });

  it("counts high and critical advisories, except for exceptions that haven't expired", () => {
    const advisory = (id: number, severity: string) => ({
      id,
      severity,
      title: "x",
      url: `https://example.test/${id}`,
    });
    const advisories = { p: [advisory(1, "high"), advisory(2, "low"), advisory(3, "critical")] };
    const exception = { package: "p", id: 1, reason: "not reachable", until: "2026-06-01" };
    expect(openAdvisories(advisories, [exception], "2026-05-31")).toHaveLength(1);
    expect(openAdvisories(advisories, [exception], "2026-06-02")).toHaveLength(2);
  });
});
