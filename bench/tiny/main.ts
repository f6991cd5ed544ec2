// Runs every bench with its smallest sizes, to see that it still works: two at once, on one PostgreSQL. Writes what came
// out as the step `bench` of npm test reads it, to the file of the first argument. Further arguments name the benches to
// run; the default is all.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../measuring/world.ts";
import { BENCHES, runTiny } from "./run-tiny.ts";

const AT_ONCE = 2;
/** Nothing here has to survive a crash. */
const SETTINGS = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" };

const [reportFile, ...names] = process.argv.slice(2);
if (!reportFile) throw new Error("The first argument is the file for the report");
const unknown = names.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0) throw new Error(`No bench ${unknown.join(", ")}; there is: ${BENCHES.join(", ")}`);

const dataDir = await mkdtemp(join(tmpdir(), "innkey-bench-"));
const postgres = await startPostgres(dataDir, SETTINGS);
const failures: { test: string; message: string }[] = [];
let passed = 0;
try {
  const pending = names.length > 0 ? names : [...BENCHES];
  const work = async (): Promise<void> => {
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      const startedAt = performance.now();
      const problem = await runTiny(name, postgres.url);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${problem === null ? "✓" : "✗"} ${name} ${seconds} s`);
      if (problem === null) passed += 1;
      else failures.push({ test: `bench ${name} --tiny`, message: problem });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
await writeFile(reportFile, JSON.stringify({ passed, failed: failures.length, skipped: 0, failures }));
process.exit(failures.length > 0 ? 1 : 0);
