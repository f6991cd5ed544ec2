import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, root, run, step } from "./process.mjs";
import { hashOf, isFresh, writeStamp } from "./stamp.mjs";

const NEEDED = [20, 19];
const STAMP = "node_modules/.innkey-install";
const MANIFESTS = [
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "apps/server/package.json",
  "apps/web/package.json",
  "apps/simulators/package.json",
  "packages/shared/package.json",
];

/** Checks that Node is new enough, and makes node_modules match the lockfile. Uses only Node's built-in modules. */
export async function install() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
    fail(`Innkey needs Node ${NEEDED.join(".")} or newer; this is ${process.versions.node}. See https://nodejs.org`);
  }
  const hash = hashOf(MANIFESTS);
  if (isFresh(STAMP, hash)) return;
  await step("Installing packages", async () => {
    const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const pnpm = ["--yes", packageManager, "install", "--frozen-lockfile"];
    // CI: pnpm must not wait for an answer, for example when node_modules has to be recreated. pm_on_fail: npx has just
    // fetched the right pnpm; if it managed its own version too, it would try to write that into the frozen lockfile.
    await run("npx", pnpm, { env: { CI: "true", pnpm_config_pm_on_fail: "ignore" } });
  });
  writeStamp(STAMP, hash);
}
