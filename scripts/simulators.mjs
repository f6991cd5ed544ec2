import { install } from "./lib/install.mjs";
import { become, bin } from "./lib/process.mjs";

// The reader services of a desk, without the hardware: docs/readers.md.
await install();
become(bin("tsx"), ["apps/simulators/src/main.ts", ...process.argv.slice(2)]);
