import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { bin, fail, root, run } from "./lib/process.mjs";
import { provide } from "./lib/system.mjs";

// npm run check [-- <commit>]: checks types and style, and runs the unit and database tests that a change affects. The
// change is everything since that commit, including uncommitted files. The default is everything uncommitted, or the
// last commit if the working tree is clean.
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
const [argument] = process.argv.slice(2);
const isClean = git("status", "--porcelain").length === 0;
const since = argument ?? (isClean ? "HEAD~1" : "HEAD");
const changed = [
  ...git("diff", "--name-only", "--diff-filter=d", since),
  ...git("ls-files", "--others", "--exclude-standard"),
];
if (changed.length === 0) fail("Nothing has changed.");

await install();
await build(
  ({ title }) =>
    title !== "Building the server" &&
    (title !== "Building the console" || !existsSync(join(root, "apps/web/src/routeTree.gen.ts"))),
);

const PACKAGES = ["packages/shared", "apps/server", "apps/web", "apps/simulators", "e2e", "bench", "foreign"];
const isShared = changed.some((file) => file.startsWith("packages/shared/") || !file.includes("/"));
const isServer = isShared || changed.some((file) => /^(apps\/server|prisma|scripts|locales)\//.test(file));
/** The browser, the simulators and the benchmarks use types of the server and of the shared package. */
const stale = PACKAGES.filter(
  (folder) =>
    isShared || (isServer && folder !== "packages/shared") || changed.some((file) => file.startsWith(`${folder}/`)),
);

/**
 * Database tests start the whole server, so the import graph would select them all. We run only those of the changed
 * folders.
 */
const databaseFolders = [
  ...new Set(
    changed.flatMap((file) => {
      if (file.startsWith("prisma/")) return ["apps/server/src/adapters/postgres/"];
      const [, folder] =
        /^(apps\/server\/src\/(?:domain\/[^/]+|adapters|api|drivers)\/[^/]+\/)/.exec(file) ??
        /^(apps\/server\/src\/\w+\/)/.exec(file) ??
        [];
      const [, domain] = /^packages\/shared\/src\/(?:schemas\/)?([\w-]+)/.exec(file) ?? [];
      return folder ? [folder] : domain ? [`/${domain}/`] : [];
    }),
  ),
];
const vitest = (...args) => run(bin("vitest"), ["run", "--passWithNoTests", ...args], { show: true });

const steps = {
  style: () => run(bin("biome"), ["check", "--no-errors-on-unmatched", ...changed], { show: true }),
  types: async () => {
    for (const folder of stale) {
      const memory = join(root, ".tmp/types", `${folder.replaceAll("/", "-")}.tsbuildinfo`);
      await run(bin("tsc"), ["--noEmit", "--incremental", "--tsBuildInfoFile", memory, "-p", folder], { show: true });
    }
  },
  units: () => vitest("--changed", since, "--project=shared", "--project=unit", "--project=web"),
  components: async () => {
    if (!changed.some((file) => /^(apps\/web|packages\/shared|locales)\//.test(file))) return;
    await provide("chromium");
    await vitest("--project=components");
  },
  database: () => (databaseFolders.length > 0 ? vitest("--project=db", ...databaseFolders) : undefined),
};

/** Each lane uses one core: the compiler runs in one and the tests in the other. */
const lanes = [
  ["style", "types"],
  ["units", "components", "database"],
];
let failed = 0;
await Promise.all(
  lanes.map(async (lane) => {
    for (const name of lane) {
      const start = Date.now();
      const isWell = await Promise.resolve(steps[name]()).then(
        () => true,
        () => false,
      );
      if (!isWell) failed += 1;
      console.log(`${name.padEnd(10)} ${isWell ? "passed" : "FAILED"} ${((Date.now() - start) / 1000).toFixed(1)} s`);
    }
  }),
);
process.exit(failed > 0 ? 1 : 0);
