import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { slimDatabaseClient } from "./lib/database-client.mjs";
import { install } from "./lib/install.mjs";
import { bin, root, run, step } from "./lib/process.mjs";
import { hashOf, isFresh, writeStamp } from "./lib/stamp.mjs";

const COMMON = [
  "pnpm-lock.yaml",
  "tsconfig.base.json",
  "packages/shared/package.json",
  "packages/shared/src",
  "locales",
];

/** The order matters: the server's bundle contains the Prisma client, and the browser's types come from the server. */
const targets = [
  {
    title: "Generating the database client",
    inputs: ["pnpm-lock.yaml", "prisma/schema", "prisma.config.ts"],
    stamp: "apps/server/src/adapters/postgres/generated/.stamp",
    make: generateClient,
  },
  {
    title: "Building the server",
    inputs: [
      ...COMMON,
      "scripts/build.mjs",
      "scripts/lib/database-client.mjs",
      "apps/server/package.json",
      "apps/server/src",
      "prisma/schema",
      "prisma/seed",
    ],
    stamp: "apps/server/dist/.stamp",
    make: bundleServer,
  },
  {
    title: "Building the console",
    inputs: [
      ...COMMON,
      ...["package.json", "index.html", "tsconfig.json", "public", "src"].map((name) => `apps/web/${name}`),
      ...["vite.config.ts", "chunks.ts", "first-answer.ts", "locale-parts.ts", "precompress.ts", "references.ts"].map(
        (name) => `apps/web/${name}`,
      ),
    ],
    stamp: "apps/web/dist/.stamp",
    make: () => run(bin("vite", "apps/web"), ["build", "--logLevel", "warn"], { cwd: join(root, "apps/web") }),
  },
  {
    title: "Building the guests’ page",
    inputs: [
      ...COMMON,
      ...["guest/index.html", "guest/src", "guest/vite.config.ts", "locale-parts.ts", "package.json"].map(
        (name) => `apps/web/${name}`,
      ),
    ],
    stamp: "apps/web/guest/dist/.stamp",
    make: () => run(bin("vite", "apps/web"), ["build", "--logLevel", "warn"], { cwd: join(root, "apps/web/guest") }),
  },
];

/** Builds the targets whose inputs have changed. */
export async function build(only = () => true) {
  for (const { title, inputs, stamp, make } of targets.filter(only)) {
    const hash = hashOf(inputs);
    if (isFresh(stamp, hash)) continue;
    rmSync(join(root, stamp), { force: true });
    await step(title, make);
    writeStamp(stamp, hash);
  }
}

/** Builds only the database client, for running from source. */
export const buildClient = () => build((target) => target.make === generateClient);

function generateClient() {
  // Prisma's CLI would download a native schema engine that `generate` does not use; pointing it at any existing file
  // prevents that.
  return run(bin("prisma"), ["generate"], {
    env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1", CHECKPOINT_DISABLE: "1" },
  });
}

async function bundleServer() {
  const server = join(root, "apps/server");
  // esbuild is a dependency of the server's package, which this folder is not part of.
  const esbuild = createRequire(join(server, "package.json"))("esbuild");
  const { dependencies } = JSON.parse(readFileSync(join(server, "package.json"), "utf8"));
  const commands = existsSync(join(server, "src/cli")) ? readdirSync(join(server, "src/cli")) : [];
  const dist = join(server, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  await esbuild.build({
    absWorkingDir: server,
    entryPoints: [
      { in: "src/main.ts", out: "main" },
      { in: "src/set-up.ts", out: "set-up" },
      { in: "src/count-faces.ts", out: "count-faces" },
      ...commands
        .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
        .map((name) => ({ in: `src/cli/${name}`, out: `cli/${name.slice(0, -3)}` })),
    ],
    outdir: "dist",
    bundle: true,
    format: "esm",
    splitting: true,
    platform: "node",
    target: "node20.19",
    sourcemap: true,
    // Node keeps the text of a program in memory.
    minifyWhitespace: true,
    minifySyntax: true,
    external: Object.keys(dependencies)
      .filter((name) => name !== "@innkey/shared")
      .flatMap((name) => [name, `${name}/*`]),
    plugins: [slimDatabaseClient(dist)],
    logLevel: "silent",
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await install();
  await build();
}
