import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { audit } from "./audit.mjs";
import { build } from "./build.mjs";
import { composePlugins } from "./lib/compose-plugins.mjs";
import { install } from "./lib/install.mjs";
import { bin, fail, root, run } from "./lib/process.mjs";
import { provide } from "./lib/system.mjs";

// npm test [-- step …]: every step runs even if an earlier one failed; the last lines list the failures and the number
// of passed tests.
const reports = join(root, ".tmp/test");
/** What statements returned in the step "unit", for the step "sql" */
const sqlRecords = join(reports, "sql");
const LINES_PER_FAILURE = 15;
const steps = {
  lint: () => run(bin("biome"), ["check", "."], { show: true }),
  types: checkTypes,
  audit: checkDependencies,
  unit: runVitest,
  sql: compareSqlTypes,
  browser: runPlaywright,
  bench: runBenches,
};
const stepNames = process.argv.slice(2);
const unknown = stepNames.filter((name) => !(name in steps));
if (unknown.length > 0) fail(`No step ${unknown.join(", ")}; there is: ${Object.keys(steps).join(", ")}`);

await install();
await build();
mkdirSync(reports, { recursive: true });

const results = [];
for (const [name, work] of Object.entries(steps)) {
  if (stepNames.length > 0 && !stepNames.includes(name)) continue;
  console.log(`\n── ${name}`);
  const since = Date.now();
  let counts;
  let result = "passed";
  try {
    counts = await work();
  } catch (error) {
    result = "FAILED";
    counts = error.counts;
    console.log(error.message);
  }
  results.push({
    name,
    result,
    seconds: (Date.now() - since) / 1000,
    counts: typeof counts === "object" ? counts : undefined,
  });
}
report();

function report() {
  for (const { counts } of results) {
    for (const { test, message } of counts?.failures ?? []) {
      console.log(`\n✗ ${test.replace(`${root}/`, "")}\n${message.split("\n").slice(0, LINES_PER_FAILURE).join("\n")}`);
    }
  }
  console.log("");
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { name, result, seconds, counts } of results) {
    for (const key of Object.keys(total)) total[key] += counts?.[key] ?? 0;
    console.log(
      `${name.padEnd(8)} ${result.padEnd(7)} ${seconds.toFixed(1).padStart(6)} s  ${counts ? summary(counts) : ""}`.trimEnd(),
    );
  }
  for (const { test } of results.flatMap(({ counts }) => counts?.failures ?? [])) {
    console.log(`failed: ${test.replace(`${root}/`, "")}`);
  }
  console.log(`\n${summary(total)}`);
  process.exit(results.some(({ result }) => result === "FAILED") || total.failed > 0 ? 1 : 0);
}

function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
}

async function checkTypes() {
  // The compiler runs once per package, so that errors in one don't hide those in the next.
  let failed = 0;
  for (const project of ["packages/shared", "apps/server", "apps/web", "apps/simulators", "e2e", "bench", "foreign"]) {
    if (!existsSync(join(root, project, "tsconfig.json"))) continue;
    await run(bin("tsc"), ["--noEmit", "-p", project], { show: true }).catch(() => failed++);
  }
  if (failed > 0) throw new Error(`Types are wrong in ${failed} packages`);
}

async function checkDependencies() {
  const counts = await audit();
  if (counts.failed > 0) throw Object.assign(new Error("Dependencies break the rules"), { counts });
  return counts;
}

async function runVitest() {
  await provide("redis");
  await provide("mosquitto");
  await provide("promtool");
  await provide("chromium");
  await composePlugins();
  const file = join(reports, "vitest.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  rmSync(sqlRecords, { recursive: true, force: true });
  const env = { INNKEY_SQL_RECORD: sqlRecords };
  return counted(run(bin("vitest"), args, { show: true, env }), file, (failure) => ({
    failures: failure.testResults.flatMap(({ name, status, message, assertionResults }) => [
      ...(status === "failed" && assertionResults.length === 0 ? [{ test: name, message }] : []),
      ...assertionResults
        .filter((one) => one.status === "failed")
        .map((one) => ({ test: `${name} › ${one.fullName}`, message: one.failureMessages.join("\n") })),
    ]),
    passed: failure.numPassedTests,
    // A file that fails to load has no tests, but must still count as a failure.
    failed:
      failure.numFailedTests +
      failure.testResults.filter((one) => one.status === "failed" && one.assertionResults.length === 0).length,
    skipped: failure.numPendingTests + failure.numTodoTests,
  }));
}

/** Compares the types of raw SQL with what the last step "unit" recorded. */
async function compareSqlTypes() {
  if (!existsSync(sqlRecords)) throw new Error("The step unit has to run first; it records what the statements return");
  await run(bin("tsx"), ["scripts/sql-types.ts", sqlRecords], { show: true });
}

async function runPlaywright() {
  await provide("chromium");
  const file = join(reports, "playwright.json");
  const args = ["test", "--config", "e2e/playwright.config.ts", "--reporter=line,json"];
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  return counted(run(bin("playwright"), args, { show: true, env }), file, ({ stats, errors, suites }) => ({
    failures: failedSpecs(suites),
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + (errors?.length ?? 0),
    skipped: stats.skipped,
  }));
}

/** Runs every bench with its smallest sizes; each counts as a test. */
async function runBenches() {
  await provide("redis");
  await provide("mosquitto");
  await provide("chromium");
  const file = join(reports, "bench.json");
  return counted(run(bin("tsx"), ["bench/tiny/main.ts", file], { show: true }), file, (counts) => counts);
}

/** Returns the failures of a Playwright report, at any depth of its suites. */
function failedSpecs(suites = []) {
  return suites.flatMap(({ specs = [], suites: inner }) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === "unexpected" || status === "flaky")
        .map(({ projectName, results }) => ({
          test: `[${projectName}] ${file} › ${title}`,
          message: results.flatMap(({ errors }) => errors.map(({ message }) => message)).join("\n"),
        })),
    ),
    ...failedSpecs(inner),
  ]);
}

/** Returns the counts from the report of this run, also if the run failed. */
async function counted(running, file, read) {
  const since = Date.now();
  let failure;
  await running.catch((error) => {
    failure = error;
  });
  const fresh = existsSync(file) && statSync(file).mtimeMs >= since - 1000;
  const counts = fresh
    ? read(JSON.parse(readFileSync(file, "utf8")))
    : { passed: 0, failed: failure ? 1 : 0, skipped: 0 };
  if (failure) throw Object.assign(new Error(failure.message), { counts });
  if (!fresh) throw new Error("No report was written");
  return counts;
}
