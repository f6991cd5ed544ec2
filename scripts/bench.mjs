import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { become, bin, fail, root } from "./lib/process.mjs";

// npm run bench [-- name …]: every bench/<name>.ts, or those named; one after the other, since they measure.
await install();
await build();
const all = readdirSync(join(root, "bench")).filter((file) => file.endsWith(".ts"));
const names = all.map((file) => file.slice(0, -3)).sort();
const wanted = process.argv.slice(2);
const chosen = names.filter((name) => wanted.length === 0 || wanted.includes(name));
if (chosen.length === 0) fail(`Nothing to measure. There is: ${names.join(", ") || "nothing in bench/"}`);

let worst = 0;
for (const name of chosen) {
  console.log(`\n${name}`);
  const code = await new Promise((onExit) => become(bin("tsx"), [join("bench", `${name}.ts`)], { onExit }));
  worst = Math.max(worst, code);
}
process.exit(worst);
