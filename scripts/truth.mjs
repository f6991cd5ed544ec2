import { join } from "node:path";
import { build } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { become, bin } from "./lib/process.mjs";

// npm run truth [-- --seed 7 --minutes 20 --doors 20]: described in apps/simulators/src/truth/main.ts.
await install();
await build();
become(bin("tsx"), [join("apps", "simulators", "src", "truth", "main.ts"), ...process.argv.slice(2)]);
