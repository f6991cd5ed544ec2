import { install } from "./lib/install.mjs";
import { become, bin } from "./lib/process.mjs";

// Runs simulated card readers of a desk and, with --locks 60, simulated locks: docs/developers/simulators.md.
await install();
become(bin("tsx"), ["apps/simulators/src/main.ts", ...process.argv.slice(2)]);
