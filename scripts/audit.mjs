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
const PATIENCE_MS = 20_000;

/** @returns {Promise<{ passed: number, failed: number, skipped: number }>} counts in the format of npm test */
export async function audit() {
  const lock = readLockfile();
  const production = productionPackages(lock);
  const manifests = installedPackages();
  const { parse } = createRequire(join(root, "apps/server/package.json"))("yaml");
  const { allowBuilds } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"));
  const here = production.flatMap((key) => manifests.get(key) ?? []);
  const licences = here
    .filter((manifest) => !licenceAllowed(manifest.name, licenceOf(manifest)))
    .map((manifest) => `${manifest.name}@${manifest.version} is under ${licenceOf(manifest)}`);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const tell = (what, problems) => {
    counts[problems.length > 0 ? "failed" : "passed"] += 1;
    console.log(problems.length > 0 ? `${what}:\n${problems.map((one) => `  ${one}`).join("\n")}` : `${what}: good`);
  };
  tell("packages come from the registry, each with its hash", lockfileProblems(lock));
  tell(`licences (${here.length} packages, ${production.length - here.length} for other platforms)`, licences);
  tell("scripts on installation", scriptProblems(manifests, allowBuilds));
  const known = await askRegistry(production);
  if (known.reason) {
    counts.skipped += 1;
    console.log(`skipped: known weaknesses of ${production.length} packages, ${known.reason}`);
  } else {
    const exceptions = JSON.parse(readFileSync(join(root, "scripts/audit-exceptions.json"), "utf8"));
    tell("known weaknesses", openAdvisories(known.advisories, exceptions, new Date().toISOString().slice(0, 10)));
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
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) return { reason: `the registry answers ${answer.status} to questions about them` };
    return { advisories: await answer.json() };
  } catch (error) {
    return { reason: `the registry can't be reached (${error.cause?.code ?? error.name})` };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { failed } = await audit();
  process.exit(failed > 0 ? 1 : 0);
}
