import { join } from "node:path";
import { build } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { become, bin } from "./lib/process.mjs";

// npm run faults [-- name … --tiny]: described in bench/faults/main.ts.
await install();
await build();
become(bin("tsx"), [join("bench", "faults", "main.ts"), ...process.argv.slice(2)]);
