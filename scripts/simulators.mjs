import { install } from "./lib/install.mjs";
import { become, bin } from "./lib/process.mjs";

// The reader services of a desk and, with --locks 60, the locks of its house, without the hardware: docs/simulators.md.
await install();
become(bin("tsx"), ["apps/simulators/src/main.ts", ...process.argv.slice(2)]);
