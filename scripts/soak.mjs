import { join } from "node:path";
import { build } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { become, bin } from "./lib/process.mjs";

// npm run soak [-- --minutes 10 --rooms 500 --locks 1000 --factor 10 --redis --workers]: described in
// bench/soak/main.ts.
await install();
await build();
become(bin("tsx"), [join("bench", "soak", "main.ts"), ...process.argv.slice(2)]);
