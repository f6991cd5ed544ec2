import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./process.mjs";

/** Packages that run on a hotel's machine or in a browser, as opposed to those for building and testing. */
const PRODUCTION = ["apps/server", "apps/web", "packages/shared"];

/** Tools that packages name as optional peers but that nothing runs in production. */
const TOOLS = new Set(["prisma", "typescript"]);

/** Returns the parsed lockfile. */
export function readLockfile(path = join(root, "pnpm-lock.yaml")) {
  // The parser is a dependency of the server's package, which this folder is not part of.
  const { parse } = createRequire(join(root, "apps/server/package.json"))("yaml");
  return parse(readFileSync(path, "utf8"));
}

/** Removes the peers from "name@1.2.3(peer@4.5.6)". */
const withoutPeers = (key) => key.replace(/\(.*$/, "");

/** Returns the keys ("name@version") of the packages that production needs, directly or indirectly. */
export function productionPackages(lock) {
  const visited = new Set();
  const pending = PRODUCTION.flatMap((importer) => {
    const { dependencies = {}, optionalDependencies = {} } = lock.importers[importer] ?? {};
    return Object.entries({ ...dependencies, ...optionalDependencies }).map(([name, { version }]) => [name, version]);
  });
  while (pending.length > 0) {
    const [name, version] = pending.pop();
    if (version.startsWith("link:") || TOOLS.has(name)) continue;
    // For an alias, the version contains the full name of the target.
    const key = version in lock.snapshots ? version : `${name}@${version}`;
    if (visited.has(key)) continue;
    visited.add(key);
    const { dependencies = {}, optionalDependencies = {} } = lock.snapshots[key] ?? {};
    pending.push(...Object.entries({ ...dependencies, ...optionalDependencies }));
  }
  return [...new Set([...visited].map(withoutPeers))].sort();
}

/**
 * Returns the manifests of the installed packages, by "name@version". Packages for other platforms are not installed.
 */
export function installedPackages(store = join(root, "node_modules/.pnpm")) {
  const manifests = new Map();
  for (const folder of readdirSync(store)) {
    const modules = join(store, folder, "node_modules");
    if (!existsSync(modules)) continue;
    for (const name of packageNames(modules)) {
      const path = join(modules, name, "package.json");
      if (!existsSync(path)) continue;
      const manifest = JSON.parse(readFileSync(path, "utf8"));
      manifests.set(`${name}@${manifest.version}`, manifest);
    }
  }
  return manifests;
}

function packageNames(modules) {
  return readdirSync(modules).flatMap((name) => {
    if (name.startsWith(".")) return [];
    if (!name.startsWith("@")) return [name];
    return readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`);
  });
}
