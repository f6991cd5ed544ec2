import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installedPackages, productionPackages, readLockfile } from "./lib/dependencies.mjs";
import {
  licenceAllowed,
  licenceOf,
  lockfileProblems,
  openAdvisories,
  scriptProblems,
} from "./lib/dependency-rules.mjs";
import { root } from "./lib/process.mjs";

// npm run audit: checks the third-party packages that a hotel runs. The registry is asked for known vulnerabilities; if
// it can't answer, that is reported and counted as skipped. Exceptions are in scripts/audit-exceptions.json: package,
// id, reason, until (a date).
const ADVISORIES = "-/npm/v1/security/advisories/bulk";
const TIMEOUT_MS = 20_000;

/** @returns {Promise<{ passed: number, failed: number, skipped: number }>} counts in the format of npm test */
export async function audit() {
  const lock = readLockfile();
  const production = productionPackages(lock);
  const manifests = installedPackages();
  const { parse } = createRequire(join(root, "apps/server/package.json"))("yaml");
  const { allowBuilds } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"));
  const installed = production.flatMap((key) => manifests.get(key) ?? []);
  const licences = installed
    .filter((manifest) => !licenceAllowed(manifest.name, licenceOf(manifest)))
    .map((manifest) => `${manifest.name}@${manifest.version} is under ${licenceOf(manifest)}`);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const report = (what, problems) => {
    counts[problems.length > 0 ? "failed" : "passed"] += 1;
    console.log(
      problems.length > 0 ? `${what}:\n${problems.map((one) => `  ${one}`).join("\n")}` : `${what}: no problems`,
    );
  };
  report("packages come from the registry, each with its hash", lockfileProblems(lock));
  report(
    `licences (${installed.length} packages, ${production.length - installed.length} for other platforms)`,
    licences,
  );
  report("scripts on installation", scriptProblems(manifests, allowBuilds));
  const result = await askRegistry(production);
  if (result.reason) {
    counts.skipped += 1;
    console.log(`skipped: known vulnerabilities of ${production.length} packages, ${result.reason}`);
  } else {
    const exceptions = JSON.parse(readFileSync(join(root, "scripts/audit-exceptions.json"), "utf8"));
    report(
      "known vulnerabilities",
      openAdvisories(result.advisories, exceptions, new Date().toISOString().slice(0, 10)),
    );
  }
  return counts;
}

/** Queries the registry's bulk advisory endpoint, which npm audit and pnpm audit use too. */
async function askRegistry(keys) {
  const registry = process.env.npm_config_registry ?? "https://registry.npmjs.org/";
  const versions = {};
  for (const key of keys) {
    const [, name, version] = /^(.+)@([^@]+)$/.exec(key) ?? [];
    versions[name] = [...(versions[name] ?? []), version];
  }
  try {
    const answer = await fetch(new URL(ADVISORIES, registry.endsWith("/") ? registry : `${registry}/`), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(versions),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) return { reason: `the registry answered ${answer.status}` };
    return { advisories: await answer.json() };
  } catch (error) {
    return { reason: `the registry can't be reached (${error.cause?.code ?? error.name})` };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { failed } = await audit();
  process.exit(failed > 0 ? 1 : 0);
}
