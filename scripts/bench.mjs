import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { become, bin, fail, root } from "./lib/process.mjs";

// npm run bench [-- name … | --name …] [-- --flag …]: runs every bench/<name>.ts, or the named ones, one after the
// other so that they don't disturb each other's measurements. All other flags are passed to each. Benchmarks in
// ON_REQUEST take long or need a clone, and run only when named.
const ON_REQUEST = ["growth", "arrival"];
await install();
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

let worst = 0;
for (const name of chosen) {
  console.log(`\n${name}`);
  const code = await new Promise((onExit) => become(bin("tsx"), [join("bench", `${name}.ts`), ...flags], { onExit }));
  worst = Math.max(worst, code);
}
process.exit(worst);
