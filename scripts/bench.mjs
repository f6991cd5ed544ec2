import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { become, bin, fail, root, run } from "./lib/process.mjs";

// npm run bench [-- name … | --name …] [-- --flag …]: runs every bench/<name>.ts, or the named ones, one after the
// other so that they don't disturb each other's measurements. All other flags are passed to each: `--tiny` for the
// smallest sizes, `--json=<file>` for the place of the result (bench/measuring/flags.ts). Benchmarks in ON_REQUEST take
// long, need a clone or fetch another program, and run only when named. npm run bench -- --page: writes the results into the documentation.
const ON_REQUEST = ["growth", "arrival", "peer"];
await install();
if (process.argv.includes("--page")) {
  await run(bin("tsx"), [join("bench", "page", "main.ts")], { show: true });
  process.exit(0);
}
await build();
const all = readdirSync(join(root, "bench")).filter((file) => file.endsWith(".ts"));
const names = all.map((file) => file.slice(0, -3)).sort();
const args = process.argv.slice(2);
const nameOf = (argument) => names.find((name) => argument === name || argument === `--${name}`);
const benches = args.map(nameOf).filter((name) => name !== undefined);
const flags = args.filter((argument) => nameOf(argument) === undefined);
const unknown = flags.filter((argument) => !argument.startsWith("--"));
const chosen = names.filter((name) => (benches.length === 0 ? !ON_REQUEST.includes(name) : benches.includes(name)));
if (unknown.length > 0)
  fail(`${unknown.join(", ")} can't be measured. There is: ${names.join(", ") || "nothing in bench/"}`);
if (chosen.length > 1 && flags.some((flag) => flag.startsWith("--json")))
  fail("--json names the file of one result; name one bench too.");

let worst = 0;
for (const name of chosen) {
  console.log(`\n${name}`);
  const code = await new Promise((onExit) => become(bin("tsx"), [join("bench", `${name}.ts`), ...flags], { onExit }));
  worst = Math.max(worst, code);
}
process.exit(worst);
